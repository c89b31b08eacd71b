/**
 * What only the real engine can show about each variant, in as few commands as possible. `npm test` runs this life;
 * `npm run test:full` runs the other tests that need the real engine.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fixedSize } from "../../provider/model/sizes";
import { deleteByHand } from "../support/byHand";
import { up, useStack, variants, type Declared } from "../support/stack";

const compute = path.join(__dirname, "../../dist/preview/main.js");

/** Long enough not to occur inside another text. */
const token = "hunter2-tok-4711";
/** Each encoding writes this text differently. */
const apiKey = 'key+with/every=kind&of%mark"and\\more<than>one';

/** One stack through its whole life: each test begins where the one before ended. */
describe.each(variants)("a life with the %s variant", (variant) => {
  let branchId: string;
  const stack = useStack({ variant, apiKey }, () => {
    branchId = stack.emptyBranch();
  });

  const triggers = (release: number): object => ({ restartTriggers: { release, key: { $secret: token } } });
  const declare = (more: Record<string, unknown> = {}, others: Declared = {}): void => {
    const settings = { pgSettings: { "ext.token": { $secret: token } } };
    // A resource that adopts nothing is created, and a destroy deletes its compute.
    const place = { projectId: stack.projectId, branchId, adopt: { $output: null } };
    const args = { ...place, settings, ...fixedSize(0.25), ...triggers(1), ...more };
    stack.declare({ app: { args }, ...others });
  };
  const replica = (): Declared => ({
    replica: { args: { projectId: stack.projectId, branchId, type: "read_only", ...fixedSize(0.25) } },
  });

  it("keeps a compute whose start failed, names it, and goes on without sending anything twice", async () => {
    declare();
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const failed = await stack.fails(up);
    expect(failed).toMatch(/creating compute ep-\S+: operation start_compute \(\S+\) failed/);
    expect(failed).not.toMatch(/\n\s+at .+:\d+:\d+/);
    const [id] = stack.computes(branchId);
    stack.emulator.connect(id!);
    stack.emulator.clearRequests();
    expect((await stack.up()).output).toContain("the compute is active now");
    expect(stack.writes()).toEqual([]);
    const { outputs, inputs } = (await stack.stateOf("app"))!;
    expect(outputs).toMatchObject({
      endpointId: id,
      branchId,
      type: "read_write",
      autoscalingLimitMinCu: 0.25,
    });
    expect(outputs["host"]).toMatch(new RegExp(`^${id!}\\.`));
    for (const volatile of ["currentState", "interruption", "__dryRun"])
      expect({ ...inputs, ...outputs }).not.toHaveProperty(volatile);
  });

  it("shows no change in the next run, and sends no more than one list", async () => {
    stack.emulator.clearRequests();
    await stack.ok([...up, "--expect-no-changes"]);
    // The plugin reads before it plans, and sees what was changed by hand.
    const reads = variant === "native" ? ["listEndpoints"] : [];
    expect(stack.emulator.requests().map(({ route }) => route)).toEqual(reads);
  });

  it("names an interruption on the compute's row, in JSON and in the report", async () => {
    declare({ ...fixedSize(2), ...triggers(2), suspendTimeoutSeconds: 600 }, replica());
    const { stdout, steps, warned } = await stack.previewed();
    const notice = "restart: size 0.25 → 2 CU and restartTriggers (release)";
    const step = steps.find(({ op }) => op === "update");
    expect(step?.newState?.inputs?.["interruption"]).toContain(notice);
    expect(warned.map(({ urn }) => urn)).toEqual([step?.urn]);
    expect(warned[0]?.message).toContain(notice);
    const report = spawnSync(process.execPath, [compute, "--fail-on", "restart"], { input: stdout });
    expect(report.stdout.toString()).toContain("1 compute drops its open connections");
    // A preview does not show whether the secret trigger changes.
    expect(report.stdout.toString()).toContain("`restartTriggers.release`: 1 → 2 (restarts)");
    expect(report.stdout.toString()).toContain("`restartTriggers.key`: secret");
    expect(report.status).toBe(24);
  });

  it("applies the declared changes once and in place, and adds the replica", async () => {
    const { id } = (await stack.stateOf("app"))!;
    stack.emulator.clearRequests();
    const { output } = await stack.up();
    // The new size restarts the compute, so the trigger sends no request.
    expect([...stack.writes()].sort()).toEqual(["createEndpoint", "updateEndpoint"]);
    const patches = stack.emulator.requests().filter(({ method }) => method === "PATCH");
    const size = { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 };
    expect(patches.map(({ body }) => body)).toEqual([
      { endpoint: { ...size, suspend_timeout_seconds: 600 } },
    ]);
    expect(stack.emulator.counters(id).causes.size).toBe(1);
    expect(output).toContain("1 updated");
    expect(stack.computes(branchId)).toHaveLength(2);
    const state = await stack.stateOf("app");
    expect(JSON.stringify(state?.outputs)).not.toContain("interruption");
    // The engine writes the whole state at each step.
    expect(JSON.stringify(state).length).toBeLessThan(4_000);
  });

  it("sees in a refresh what was deleted by hand, and destroys the rest", async () => {
    deleteByHand(stack, (await stack.stateOf("replica"))!.id);
    const { output } = await stack.ok(["refresh", "--yes", "--skip-preview"]);
    expect(output).toContain("Endpoint replica delete");
    await stack.destroy();
    expect(stack.computes(branchId)).toEqual([]);
    expect(stack.computes()).toHaveLength(1);
  });

  it("leaves neither the key nor a declared secret in any output, state, backup or journal", async () => {
    // The search works: it finds a text that is not secret.
    expect(stack.leaks(stack.projectId)).not.toEqual([]);
    expect([...stack.leaks(apiKey), ...stack.leaks(token)]).toEqual([]);
    // Pulumi's logs do not have the key either. They do have declared secrets.
    const grpcLog = { PULUMI_DEBUG_GRPC: path.join(stack.folder, "grpc.json") };
    await stack.ok(["preview", "-v=11", "--logtostderr"], grpcLog);
    expect(stack.leaks(stack.projectId).map(({ where }) => where)).toContain(grpcLog.PULUMI_DEBUG_GRPC);
    expect(stack.leaks(apiKey)).toEqual([]);
  });
});
