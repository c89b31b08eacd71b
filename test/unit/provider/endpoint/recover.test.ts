import type { ApiEndpoint } from "../../../../provider/api/schemas";
import { sentOf } from "../../../../provider/endpoint/applying/attempt";
import type { EndpointInputs } from "../../../../provider/endpoint/planning/inputs";
import { findCreated } from "../../../../provider/endpoint/applying/recover";
import { trackPendingCreates } from "../../../../provider/writes/pendingCreates";
import { byId, endpoint, intent, stepWith } from "./unanswered";

describe("findCreated", () => {
  it("finds the one compute that is new on the branch", async () => {
    const now = byId(endpoint("ep-before"), endpoint("ep-new"));
    await expect(findCreated(stepWith(), intent, now)).resolves.toMatchObject({ id: "ep-new" });
  });

  it.each([
    { there: [], reason: "there is none" },
    { there: [endpoint("ep-before")], reason: "it was there before" },
    { there: [endpoint("ep-x", { branch_id: "br-b" })], reason: "it is on another branch" },
    { there: [endpoint("ep-x", { type: "read_write" })], reason: "it is of another type" },
  ])("finds nothing where $reason", async ({ there }) => {
    await expect(findCreated(stepWith(), intent, byId(...there))).resolves.toBeUndefined();
  });

  it("takes any type but read_write for a replica", async () => {
    const now = byId(endpoint("ep-new", { type: "read_replica" }));
    await expect(findCreated(stepWith(), intent, now)).resolves.toMatchObject({ id: "ep-new" });
  });

  it("goes by the id where an answer had named it, baseline or not", async () => {
    const named = { ...intent, endpointId: "ep-mine" };
    const now = byId(endpoint("ep-mine", { branch_id: "br-b" }), endpoint("ep-other"));
    await expect(findCreated(stepWith(), named, now)).resolves.toMatchObject({ id: "ep-mine" });
    await expect(findCreated(stepWith(), named, byId(endpoint("ep-other")))).resolves.toBeUndefined();
  });

  it("names every candidate where two could be it, and takes none", async () => {
    const now = byId(endpoint("ep-x"), endpoint("ep-y"));
    await expect(findCreated(stepWith(), intent, now)).rejects.toThrow(
      /ep-x, ep-y appeared on the branch since: which of them it made is not certain.*adopt: "ep-x"/,
    );
  });

  it("leaves alone what another resource's create is known to have made", async () => {
    const other = { ...intent, owner: "b2", endpointId: "ep-theirs" };
    const now = byId(endpoint("ep-theirs"), endpoint("ep-mine"));
    await expect(findCreated(stepWith([other]), intent, now)).resolves.toMatchObject({ id: "ep-mine" });
  });

  it("does not guess where another resource waits for a compute in the same place", async () => {
    const rival = { ...intent, owner: "b2" };
    await expect(findCreated(stepWith([rival]), intent, byId(endpoint("ep-x")))).rejects.toThrow(
      "not certain",
    );
    const elsewhere = { ...rival, branchId: "br-b" };
    await expect(findCreated(stepWith([elsewhere]), intent, byId(endpoint("ep-x")))).resolves.toMatchObject({
      id: "ep-x",
    });
  });

  it.each([
    { end: "nothing", certain: true, reason: "was refused" },
    { end: "made", certain: true, reason: "was answered" },
    { end: "unknown", certain: false, reason: "was not answered either" },
  ] as const)("knows of a rival of this process whose POST $reason", async ({ end, certain }) => {
    const pendingCreates = trackPendingCreates();
    pendingCreates.announce("b2").begin()(end);
    const found = findCreated(
      stepWith([{ ...intent, owner: "b2" }], pendingCreates),
      intent,
      byId(endpoint("ep-x")),
    );
    await (certain
      ? expect(found).resolves.toMatchObject({ id: "ep-x" })
      : expect(found).rejects.toThrow("not certain"));
  });

  it("does not forget a first POST without an answer where the second is refused", () => {
    const pendingCreates = trackPendingCreates();
    const pending = pendingCreates.announce("b2");
    pending.begin()("unknown");
    pending.begin()("nothing");
    expect(pendingCreates.isClear("b2")).toBe(false);
  });

  it("waits for the answers on their way, and leaves their computes alone", async () => {
    const pendingCreates = trackPendingCreates();
    const answered = pendingCreates.announce("b2").begin();
    const step = stepWith([], pendingCreates);
    let isFound = false;
    const now = byId(endpoint("ep-theirs"), endpoint("ep-mine"));
    const found = findCreated(step, intent, now).then((one) => {
      isFound = true;
      return one;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isFound).toBe(false);
    step.services.ownership.take({ projectId: "p", endpointId: "ep-theirs" }, { id: "urn:b", title: "b" });
    answered("made");
    await expect(found).resolves.toMatchObject({ id: "ep-mine" });
  });

  it("gives one compute to one create", async () => {
    const step = stepWith();
    const now = byId(endpoint("ep-x"));
    await expect(findCreated(step, intent, now)).resolves.toMatchObject({ id: "ep-x" });
    await expect(findCreated(step, { ...intent, owner: "b2" }, now)).resolves.toBeUndefined();
  });
});

describe("whose compute it is", () => {
  /** What the create asked for. */
  const declared: EndpointInputs = {
    projectId: "p",
    branchId: "br-a",
    type: "read_only",
    regionId: "eu-1",
    autoscalingLimitMinCu: 1,
    autoscalingLimitMaxCu: 2,
    suspendTimeoutSeconds: 0,
    disabled: true,
    poolerEnabled: true,
    poolerMode: "transaction",
    passwordlessAccess: false,
    settings: { pgSettings: { work_mem: "4MB", max_connections: 5 } },
  };
  const asked = { ...intent, sent: sentOf(declared, []) };
  const made = (atMs: number): ApiEndpoint =>
    endpoint("ep-new", { created_at: new Date(intent.intentAtMs + atMs).toISOString() });

  it.each([-3_000, 0, 63_000])("is ours where it was made %d ms after the create was sent", async (atMs) => {
    const found = findCreated(stepWith(), intent, byId(made(atMs)));
    await expect(found).resolves.toMatchObject({ id: "ep-new" });
  });

  it.each([
    { other: made(-3_001), reason: "before the POST" },
    { other: made(123_001), reason: "more than a minute after it" },
    { other: made(90 * 60_000), reason: "by another team, an hour and a half later" },
    { other: endpoint("ep-new", { autoscaling_limit_max_cu: 4 }), reason: "with another size" },
    { other: endpoint("ep-new", { suspend_timeout_seconds: 60 }), reason: "with another suspend timeout" },
    { other: endpoint("ep-new", { disabled: false }), reason: "enabled" },
    { other: endpoint("ep-new", { pooler_enabled: false }), reason: "without a pooler" },
    { other: endpoint("ep-new", { pooler_mode: "session" }), reason: "with another pooler" },
    { other: endpoint("ep-new", { passwordless_access: true }), reason: "with other access" },
    { other: endpoint("ep-new", { region_id: "us-1" }), reason: "in another region" },
    {
      other: endpoint("ep-new", { settings: { pg_settings: { work_mem: "8MB" } } }),
      reason: "with another setting",
    },
  ])("is somebody else's, and not in doubt, where it was made $reason", async ({ other }) => {
    await expect(findCreated(stepWith(), asked, byId(other))).resolves.toBeUndefined();
  });

  it.each([
    { more: { suspend_timeout_seconds: 300 }, reason: "in other words" },
    {
      more: { settings: { pg_settings: { max_connections: "5", jit: "on" } } },
      reason: "with settings of its own",
    },
    { more: {}, reason: "with nothing but its id" },
  ])("is ours where the service answers what was sent $reason", async ({ more }) => {
    const found = findCreated(stepWith(), asked, byId(endpoint("ep-new", more)));
    await expect(found).resolves.toMatchObject({ id: "ep-new" });
  });

  it("is told from others by what is secret as well, of which the journal has a hash", async () => {
    const secret = { ...intent, sent: sentOf(declared, ["regionId", "suspendTimeoutSeconds"]) };
    expect(JSON.stringify(secret)).not.toContain("eu-1");
    const there = (region_id: string): ReturnType<typeof byId> => byId(endpoint("ep-new", { region_id }));
    await expect(findCreated(stepWith(), secret, there("us-1"))).resolves.toBeUndefined();
    await expect(findCreated(stepWith(), secret, there("eu-1"))).resolves.toMatchObject({ id: "ep-new" });
  });

  it.each([
    { other: made(63_001), entry: {}, reason: "after the POST was over" },
    { other: endpoint("ep-new", { created_at: null }), entry: {}, reason: "at a time that nobody tells" },
    { other: made(0), entry: { sent: undefined }, reason: "by a create of which nothing else is known" },
    { other: made(0), entry: { window: undefined }, reason: "by a create of an earlier version" },
  ])("is not certain where it was made $reason", async ({ other, entry }) => {
    await expect(findCreated(stepWith(), { ...intent, ...entry }, byId(other))).rejects.toThrow(
      /ep-new appeared on the branch since: which of them it made is not certain\. Add the line adopt: "ep-new"/,
    );
  });

  it("is another resource's where one of the program holds it", async () => {
    const step = stepWith();
    step.services.ownership.take({ projectId: "p", endpointId: "ep-new" }, { id: "urn:b", title: "b" });
    await expect(findCreated(step, intent, byId(endpoint("ep-new")))).resolves.toBeUndefined();
  });

  it.each([
    { more: {}, certain: false, reason: "another create of the same place has no id either" },
    {
      more: { window: { fromMs: -200_000, toMs: -150_000 } },
      certain: true,
      reason: "that one was over long before",
    },
    { more: { sent: { regionId: "us-1" } }, certain: true, reason: "that one asked for something else" },
    { more: { projectId: "q" }, certain: true, reason: "the other is in another project" },
    { more: { branchId: "br-b" }, certain: true, reason: "the other is on another branch" },
    { more: { type: "read_write" as const }, certain: true, reason: "the other is of another type" },
    { more: { endpointId: "ep-other" }, certain: true, reason: "the other has its id" },
  ])("is certain: $certain, $reason", async ({ more, certain }) => {
    const step = stepWith([{ ...intent, owner: "b2", ...more }]);
    const found = findCreated(step, intent, byId(endpoint("ep-new", { region_id: "eu-1" })));
    if (certain) await expect(found).resolves.toMatchObject({ id: "ep-new" });
    else await expect(found).rejects.toThrow("is not certain");
  });
});
