/**
 * Restarts as users see them: real `pulumi` commands with an Endpoint and an EndpointRestart of it. What the engine does not
 * decide is tested in unit/provider/restart.
 */
import { reportOf } from "../../preview/judge/report";
import { readPreview } from "../../preview/read/preview";
import { fixedSize } from "../../provider/pure/sizes";
import { up, useStack, variants } from "../support/stack";

/** Long enough to be no part of anything else. */
const token = "hunter2-tok-4712";

describe.each(variants)("a life with restarts, with the %s variant", (variant) => {
  const stack = useStack({ variant });
  function declare(release: unknown, cu = 0.25): void {
    const { projectId, defaultBranchId: branchId } = stack;
    const triggers = { release, token: { $secret: token } };
    stack.declare({
      app: { args: { projectId, branchId, type: "read_only", ...fixedSize(cu) } },
      weekly: { restarts: true, args: { projectId, endpointId: { $of: "app.endpointId" }, triggers } },
    });
  }
  const idOf = async (): Promise<string> => (await stack.stateOf("app"))?.id ?? "";
  /** How many restarts were sent since the last call. */
  const takeSent = (): number => {
    const sent = stack.emulator.requests().filter(({ route }) => route === "restartEndpoint").length;
    stack.emulator.clearRequests();
    return sent;
  };

  it("does not restart the compute in the run that creates it, and says so before and after", async () => {
    declare(1);
    const words = "Not restarted: its compute is created in this run.";
    expect((await stack.ok(["preview"])).output).toContain(words);
    expect((await stack.up()).output).toContain(words);
    expect(takeSent()).toBe(0);
    expect(await stack.stateOf("weekly")).toMatchObject({ id: "restart-weekly" });
    await stack.ok([...up, "--expect-no-changes"]);
  });

  it("names what it interrupts on its own row, in JSON and in the report", async () => {
    declare(2);
    const { stdout, steps, warned } = await stack.previewed();
    const step = steps.find(({ op, urn }) => op === "update" && urn.endsWith("::weekly"));
    const notice = "restart: triggers (release) drops open connections";
    expect(step?.newState?.inputs?.["interruption"]).toBe(notice);
    const message = expect.stringContaining(`${notice} (active now`) as string;
    expect(warned).toEqual([expect.objectContaining({ urn: step?.urn, message })]);
    const { computes, verdict } = reportOf(readPreview(Buffer.from(stdout)), ["restart"]);
    expect(computes).toMatchObject([
      { name: "weekly", outcome: "restart", drops: "yes", now: "active", endpointId: await idOf() },
    ]);
    expect(verdict.word).toBe("refused");
  });

  it("is sent again after its operation failed, and says what happened", async () => {
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    expect(await stack.fails(up)).toMatch(
      /restarting compute ep-\S+: operation start_compute \(\S+\) ended as failed.*the next `pulumi up` sends it again/,
    );
    stack.emulator.connect(await idOf());
    expect(takeSent()).toBe(1);
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
    const { output } = await stack.ok(["up", "--yes"]);
    expect(output).toContain("Not restarted a second time");
    expect(takeSent()).toBe(0);
    expect(stack.emulator.counters(id).restarts).toBe(before + 1);
  });

  it("does nothing when it is refreshed or destroyed, and leaves no secret trigger", async () => {
    await stack.ok(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await stack.destroy();
    expect(takeSent()).toBe(0);
    expect(stack.leaks(token)).toEqual([]);
  });
});
