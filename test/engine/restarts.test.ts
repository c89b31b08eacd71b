/**
 * Restarts as users see them: real `pulumi` commands with an Endpoint that has restartTriggers. What the engine does not
 * decide is tested in unit/provider/restart.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { reportOf } from "../../preview/judge/report";
import { readPreview } from "../../preview/read/preview";
import { fixedSize } from "../../provider/model/sizes";
import { up, useStack, variants } from "../support/stack";

/** Long enough to be no part of anything else. */
const token = "hunter2-tok-4712";

describe.each(variants)("a life with restarts, with the %s variant", (variant) => {
  const stack = useStack({ variant });
  function declare(release: unknown, cu = 0.25, more: object = {}): void {
    const { projectId, defaultBranchId: branchId } = stack;
    const restartTriggers = { release, token: { $secret: token } };
    const args = { projectId, branchId, type: "read_only", ...fixedSize(cu), restartTriggers, ...more };
    stack.declare({ app: { args } });
  }
  const idOf = async (): Promise<string> => (await stack.stateOf("app"))?.id ?? "";
  /** How many restarts were sent since the last call. */
  const takeSent = (): number => {
    const sent = stack.emulator.requests().filter(({ route }) => route === "restartEndpoint").length;
    stack.emulator.clearRequests();
    return sent;
  };

  it("restarts nothing in the run that creates the compute, and says nothing of it", async () => {
    declare(1);
    expect((await stack.ok(["preview"])).output).not.toContain("restart:");
    expect((await stack.up()).output).not.toContain("restart:");
    expect(takeSent()).toBe(0);
    await stack.ok([...up, "--expect-no-changes"]);
  });

  it("names what it interrupts on its row, in the diff, in JSON and in the report", async () => {
    declare(2);
    const { stdout, steps, warned } = await stack.previewed();
    const step = steps.find(({ op, urn }) => op === "update" && urn.endsWith("::app"));
    const notice = "restart: restartTriggers (release) drops open connections";
    expect(step?.newState?.inputs?.["interruption"]).toBe(notice);
    const message = expect.stringContaining(`${notice} (active now`) as string;
    expect(warned).toContainEqual(expect.objectContaining({ urn: step?.urn, message }));
    const { computes, verdict } = reportOf(readPreview(Buffer.from(stdout)), ["restart"]);
    expect(computes).toMatchObject([
      {
        ...{ name: "app", outcome: "restart", certain: true, drops: "yes", now: "active", id: await idOf() },
        changes: [
          { argument: "restartTriggers.release", from: 1, to: 2, effect: "restart" },
          // A preview does not show whether a secret changes.
          { argument: "restartTriggers.token", from: "[secret]", to: "[secret]", hidden: true },
        ],
      },
    ]);
    expect(verdict.word).toBe("refused");
    expect(stdout).not.toContain(token);
  });

  it("is sent again after its operation failed, and says what happened", async () => {
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    expect(await stack.fails(up)).toMatch(
      /restarting compute ep-\S+: operation start_compute \(\S+\) ended as failed.*the next `pulumi up` sends it again/,
    );
    const { outputs, initErrors } = (await stack.stateOf("app"))!;
    expect(initErrors).toHaveLength(1);
    // The old value of what changes is not kept, because one of the values is secret.
    expect(Object.keys(outputs["restartTriggers"] as object)).toEqual(["token"]);
    stack.emulator.connect(await idOf());
    expect(takeSent()).toBe(1);
    const { stdout } = await stack.previewed();
    const { computes } = reportOf(readPreview(Buffer.from(stdout)), ["restart"]);
    expect(computes).toMatchObject([{ name: "app", outcome: "restart", drops: "yes" }]);
    expect((await stack.up()).output).toMatch(
      /restarted, not active for at most .*, as announced \(.*start_compute.*\)/,
    );
    expect(takeSent()).toBe(1);
    await stack.ok([...up, "--expect-no-changes"]);
  });

  it("comes with a change that restarts the compute anyway, once", async () => {
    const id = await idOf();
    const before = stack.emulator.counters(id).restarts;
    declare(3, 1);
    await stack.ok(["up", "--yes"]);
    expect(takeSent()).toBe(0);
    expect(stack.emulator.counters(id).restarts).toBe(before + 1);
    await stack.ok([...up, "--expect-no-changes"]);
  });

  it("is held back by a policy as any interruption is", async () => {
    declare(4, 1, { onInterruption: "forbid" });
    expect(await stack.fails(["preview"])).toMatch(
      /changing compute ep-\S+: restart: restartTriggers \(release\) drops open connections/,
    );
    declare(4, 1, { onInterruption: "defer" });
    stack.emulator.connect(await idOf());
    expect((await stack.up()).output).toMatch(
      /deferred until it is idle: restart: restartTriggers \(release\)/,
    );
    expect(takeSent()).toBe(0);
    declare(4, 1);
    await stack.up();
    expect(takeSent()).toBe(1);
  });

  it("does nothing when it is refreshed or destroyed, and leaves no secret trigger", async () => {
    await stack.ok(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await stack.destroy();
    expect(takeSent()).toBe(0);
    expect(stack.leaks(token)).toEqual([]);
  });
});

describe.each(variants)("a program of an earlier version, with the %s variant", (variant) => {
  const stack = useStack({ variant });
  const type =
    variant === "dynamic" ? "pulumi-nodejs:dynamic/compute:EndpointRestart" : "compute:index:EndpointRestart";

  it("that has an EndpointRestart fails with the argument to write, and sends nothing", async () => {
    const { projectId, defaultBranchId: branchId } = stack;
    const app = { args: { projectId, branchId, type: "read_only" } };
    const args = { projectId, endpointId: { $of: "app.endpointId" }, triggers: { release: 1 } };
    stack.declare({ app, weekly: { restarts: true, args } });
    const output = await stack.fails(["preview"]);
    expect(output).toContain(
      "Declaring EndpointRestart weekly: EndpointRestart is an argument now: remove the resource",
    );
    expect(output).not.toMatch(/^\s+at /m);
    stack.declare({ app });
    await stack.up();
  });

  it("loses the one in its state with the next update, which sends nothing, after a refresh too", async () => {
    const exported = path.join(stack.folder, "exported.json");
    await stack.ok(["stack", "export", "--file", exported]);
    const text = readFileSync(exported, "utf8");
    const state = JSON.parse(text) as { deployment: { resources: Record<string, unknown>[] } };
    const app = state.deployment.resources.find(({ urn }) => String(urn).endsWith("::app"))!;
    const urn = String(app["urn"]).replace(
      /compute:(index:)?Endpoint::app$/,
      "compute:$1EndpointRestart::weekly",
    );
    const { __provider } = app["outputs"] as Record<string, unknown>;
    const inputs = {
      ...{ projectId: stack.projectId, endpointId: app["id"], triggers: { release: 1 } },
      ...(variant === "dynamic" && { __provider, __urn: urn }),
    };
    state.deployment.resources.push({ ...app, urn, type, id: "restart-weekly", inputs, outputs: inputs });
    writeFileSync(exported, JSON.stringify(state));
    await stack.ok(["stack", "import", "--file", exported]);
    stack.emulator.clearRequests();
    await stack.ok(["refresh", "--yes", "--skip-preview"]);
    expect(await stack.stateOf("weekly")).toBeDefined();
    const { output } = await stack.up();
    expect(output).toMatch(/- .*weekly deleted/);
    expect(await stack.stateOf("weekly")).toBeUndefined();
    expect(stack.writes()).toEqual([]);
    await stack.destroy();
  });
});

describe.each(variants)("a setting that no compute survives, with the %s variant", (variant) => {
  const stack = useStack({ variant, switches: { settingsRestart: true } });

  it("stops at a replica: the primary is not sent, its row names the replica, and it goes on later", async () => {
    const { projectId } = stack;
    const branchId = stack.emptyBranch();
    const names = ["primary", "replica"];
    const declare = (more: object): void => {
      const entries = names.map((name) => {
        const type = name === "primary" ? "read_write" : "read_only";
        return [name, { args: { projectId, branchId, type, ...more } }] as const;
      });
      stack.declare(Object.fromEntries(entries));
    };
    declare({});
    await stack.up();
    stack.emulator.clearRequests();
    declare({ settings: { pgSettings: { shared_buffers: "400GB" } } });
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const output = await stack.fails(up);
    const { id } = (await stack.stateOf("replica"))!;
    expect(output).toContain(`nothing was sent, because replica (${id}) of the same branch`);
    expect(stack.writes()).toEqual(["updateEndpoint"]);
    stack.emulator.connect(id);
    await stack.up();
    expect(stack.writes()).toEqual(["updateEndpoint", "updateEndpoint"]);
    await stack.destroy();
  });
});

describe.each(variants)("a project that was deleted, with the %s variant", (variant) => {
  const stack = useStack({ variant });

  it("stops a destroy, which ends once its computes are out of the state, as the error says", async () => {
    const { projectId, defaultBranchId: branchId } = stack;
    stack.declare({ app: { args: { projectId, branchId, type: "read_only" } } });
    await stack.up();
    const { urn } = (await stack.stateOf("app"))!;
    stack.emulator.addFault({ kind: "status", status: 404, path: `/projects/${projectId}/`, times: 1_000 });
    const destroy = ["destroy", "--yes", "--skip-preview"];
    expect(await stack.fails(destroy)).toMatch(
      /knows no project .*take its computes out of the state with `pulumi state delete` and the URN of each/s,
    );
    expect((await stack.ok(["stack", "--show-urns"])).output).toContain(urn);
    await stack.ok(["state", "delete", urn, "--yes"]);
    await stack.ok(destroy);
    expect(await stack.stateOf("app")).toBeUndefined();
  });
});
