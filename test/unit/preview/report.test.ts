import { computeOn, reportOn, restarts, settles, size, step, urnOf, warning } from "./previews";

describe("the preview as a whole", () => {
  it("counts other resources, and tells nothing of them", () => {
    const other = { op: "update", urn: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::private-name" };
    const report = reportOn([other], { changeSummary: { update: 1, same: 4 } });
    expect(report).toMatchObject({ computes: [], otherChanges: 1, unchangedResources: 4 });
    expect(JSON.stringify(report)).not.toContain("private-name");
  });

  it("leaves out what only is read", () => {
    const steps = ["read", "refresh", "same"].map((op) => step({ op }));
    expect(reportOn(steps).computes).toEqual([]);
  });

  it("deletes nothing that the program has only read before", () => {
    const parts = { op: "replace", oldState: { external: true }, new: { adopt: "ep-app" } };
    const { outcome, clients } = computeOn({ ...parts, verdict: { effect: "none" } });
    expect(outcome).toBe("adopt");
    expect(JSON.stringify(clients)).not.toContain("goes away");
  });

  it("tells an import by the change that follows it, where the program differs from the compute", () => {
    const inputs = { projectId: "p", branchId: "br-a", ...size(2) };
    const imported = { op: "import", urn: urnOf("app"), newState: { inputs } };
    const report = reportOn([imported, step({ ...restarts, verdict: { effect: "restart" } })]);
    expect(report.computes).toMatchObject([{ outcome: "restart", drops: "yes", id: "ep-app" }]);
  });

  it("deletes a compute where `adopt` of another one is only what that once came from", () => {
    const heir = { name: "heir", new: { adopt: "ep-app" } };
    const { computes } = reportOn([step(heir), step({ op: "delete" })]);
    expect(computes[0]).toMatchObject({ name: "app", outcome: "delete", drops: "yes" });
  });
});

describe("computes of one name", () => {
  const within = (component: string, name?: string): object => {
    const type = `shop:index:${component}`;
    const urn = `urn:pulumi:dev::shop::${type}$pulumi-nodejs:dynamic/compute:Endpoint::app`;
    const parent = name && `urn:pulumi:dev::shop::${type}::${name}`;
    return step({ urn, new: { suspendTimeoutSeconds: 60 }, ...(parent ? { parent } : {}) });
  };
  const other = step({ name: "a::b|c", op: "create" });
  const typed = "shop:index:Squad / app, shop:index:Team / app";

  it.each<[reason: string, steps: readonly object[], labels: string]>([
    ["are told by component", [within("Team", "blue"), within("Squad", "green")], "blue / app, green / app"],
    ["or by its type, where the names are one", [within("Team", "b"), within("Squad", "b")], typed],
    ["or not known", [within("Team"), within("Squad")], typed],
    ["keep their short names where nothing collides", [within("Team", "b"), other], "app, a::b|c"],
  ])("%s", (_reason, steps, labels) => {
    const told = reportOn(steps).computes.map(({ label }) => label);
    expect(told.join(", ")).toBe(labels);
  });
});

describe("a change that waits for its window", () => {
  const text = "until Sat 28 Nov 02:00 (Europe/Berlin)";
  const until = "2026-11-28T01:00:00.000Z";
  const deferred = { effect: "restart", text, until } as const;
  const verdict = { effect: "none", certain: true, deferred } as const;

  it("drops nothing now, and is told with its moment", () => {
    const report = reportOn([step({ ...settles, verdict })]);
    expect(report.computes[0]).toMatchObject({
      outcome: "deferred",
      drops: "no",
      deferred: { effect: "restart", until },
      clients: [{ text: "restart deferred", value: text }, { text: "connections are unaffected" }],
    });
    expect(report.summary).toBe("1 compute waits until it is idle or its window opens");
    expect(report.verdict.line).toBe("no compute drops its open connections");
  });

  it("waits for nothing where the engine replaces the compute by force", () => {
    const report = reportOn([step({ op: "replace", verdict })]);
    expect(report.computes[0]).toMatchObject({ outcome: "replace", drops: "yes", deferred: null });
    expect(report.summary).toBe("1 compute is replaced");
  });
});

it("shows beside a notice every warning that is not a notice itself", () => {
  const interruption = "restart: size (secret) drops its connections";
  const drops = "restart: size 1 → 2 CU drops its connections";
  const notices = [interruption, `may ${drops}`, `deferred until it is idle: ${drops}`];
  const others = [
    "The service refuses the key",
    "The line with adopt is gone",
    "Branch br-b has its primary",
  ];
  const diagnostics = [...notices, ...others, ...others].map((text) => warning("app", text));
  const { notice, warnings } = computeOn(
    { new: { autoscalingLimitMaxCu: 2, interruption } },
    { diagnostics },
  );
  expect(notice).toBe(interruption);
  expect(warnings).toEqual(others);
});
