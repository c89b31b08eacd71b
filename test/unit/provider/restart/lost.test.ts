import { messageOf } from "../../../../provider/pure/errors";
import { variants } from "../../../support/variants";
import { answers, lost } from "../lifecycle/bench";
import { open } from "./bench";

describe.each(variants)("a restart whose answer is lost, with the %s variant", (variant) => {
  it.each([
    { reason: "it was done, and the connection is cut", fault: lost, sent: 1 },
    { reason: "it was done, and the service answers 500", fault: answers(500, { when: "after" }), sent: 1 },
    { reason: "it was done, and the service answers 503", fault: answers(503, { when: "after" }), sent: 1 },
    { reason: "it was not done, and the service answers 503", fault: answers(503), sent: 2 },
  ])("is done once, sent $sent times, where $reason", async ({ fault, sent }) => {
    const one = await open(variant);
    one.bench.spoil("restartEndpoint", fault);
    const { failures } = await one.up({ release: 1 });
    expect(failures).toEqual([]);
    expect(one.sent()).toBe(sent);
    expect(one.restarts()).toBe(1);
  });

  it("is sent again by the next run alone where it was not done, and its error says so", async () => {
    const one = await open(variant);
    one.bench.emulator.addFault({ kind: "cut", route: "restartEndpoint" });
    const { failures } = await one.up({ release: 1 });
    expect(failures.map(messageOf)).toEqual([
      expect.stringMatching(
        /no operation that starts the compute shows up.*`pulumi up` sends the restart again/,
      ),
    ]);
    expect(one.sent()).toBe(1);
    await one.up({ release: 1 });
    expect(one.restarts()).toBe(1);
    expect(one.engine.stored("weekly")?.outs["triggers"]).toEqual({ release: 1 });
  });

  it.each(["empty", "none"] as const)(
    "waits for operations that the answer leaves out: body %s",
    async (restartBody) => {
      const one = await open(variant, { switches: { restartBody } });
      await one.up({ release: 1 });
      expect(one.bench.emulator.endpoint(one.id()).endpoint.current_state).toBe("active");
      expect(one.engine.rows.at(-1)).toMatch(/^info: restarted/);
    },
  );

  it("is proven by the time of its start where neither its answer nor a list names operations", async () => {
    const one = await open(variant, { switches: { service: "neon", restartBody: "empty" } });
    one.bench.clock.advance(2_000);
    one.bench.emulator.addFault({ kind: "status", status: 403, route: "listOperations" });
    await one.up({ release: 1 });
    const { started_at: startedAt = "" } = one.bench.emulator.endpoint(one.id()).endpoint;
    expect(one.engine.rows.at(-1)).toContain(`info: restarted at ${startedAt.slice(11, 19)}`);
    expect(one.restarts()).toBe(1);
  });

  it("is sent again where the run was killed while it waited", async () => {
    const one = await open(variant);
    await one.up({ release: 1 }, { isKilled: true });
    expect(one.engine.stored("weekly")).toBeUndefined();
    await one.up({ release: 1 });
    expect(one.sent()).toBe(2);
    expect(one.engine.stored("weekly")?.outs["triggers"]).toEqual({ release: 1 });
  });

  it("takes the compute for missing only where the service says so", async () => {
    const one = await open(variant);
    const body = { code: "NOT_FOUND", message: "no such route" };
    one.bench.emulator.addFault({ kind: "status", status: 404, body, route: "restartEndpoint" });
    const { failures } = await one.up({ release: 1 });
    expect(failures.map(messageOf)).toEqual([expect.stringContaining("the service answered 404")]);
    expect(one.engine.stored("weekly")).toBeUndefined();
  });
});
