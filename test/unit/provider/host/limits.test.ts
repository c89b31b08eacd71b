/** What limits the time of the plugin's calls: the option customTimeouts, and one Ctrl-C, which the engine passes only to a plugin. */
import type { PluginHandlers } from "../../../../provider/host/plugin/handlers";
import { urnOf } from "../../../support/variants";
import {
  bed,
  checked,
  created,
  destroy,
  failureOf,
  keptOf,
  messageOf,
  plugin,
  size,
  until,
  update,
  urn,
} from "./bed";

describe("the option customTimeouts", () => {
  const seconds = async (call: Promise<unknown>): Promise<number> => {
    const startMs = bed.clock.monotonicMs();
    await call.catch(() => undefined);
    return Math.round((bed.clock.monotonicMs() - startMs) / 1_000);
  };

  it("applies if the argument `timeouts` is not set, and leaves no trace in the state", async () => {
    bed.emulator.setTimeline({ stuck: "running", times: 1 });
    const call = created({}, plugin, 7);
    expect(await seconds(call)).toBe(7);
    expect(await messageOf(call)).toMatch(/ was still running after 7 s\. /);
    const { properties } = keptOf(await failureOf(call))!;
    expect(properties).not.toHaveProperty("timeouts");
    const asked = { urn, olds: properties, preview: false, timeout: 9 };
    expect(await seconds(plugin.update({ ...asked, news: bed.declared() }))).toBe(9);
    // The message's advice helps: the argument overrides the option.
    const longer = bed.declared({ timeouts: { update: 60 } });
    expect(await seconds(plugin.update({ ...asked, news: longer }))).toBe(60);
  });

  it("applies to a deletion", async () => {
    const { id, properties } = await created();
    bed.emulator.addFault({ kind: "status", status: 423, method: "DELETE", times: 1_000 });
    bed.emulator.setTimeline({ stuck: "running", times: 1 });
    bed.emulator.suspendEndpoint(id);
    const took = await seconds(plugin.delete({ urn, properties, timeout: 5 }));
    expect([took >= 4, took <= 10]).toEqual([true, true]);
  });
});

describe("a run that is interrupted", () => {
  let interruption: AbortController;
  let run: PluginHandlers;
  beforeEach(() => {
    interruption = new AbortController();
    run = bed.plugin({}, interruption.signal);
  });

  /** Interrupts the run once its row shows this. @returns the call's failure */
  async function interruptWhile(shown: RegExp, call: Promise<unknown>): Promise<unknown> {
    bed.told.shown.length = 0;
    const failed = failureOf(call);
    await until(() => bed.told.shown.some((text) => shown.test(text)));
    const startMs = bed.clock.monotonicMs();
    interruption.abort(new Error("interrupted"));
    const failure = await failed;
    expect(bed.clock.monotonicMs() - startMs).toBeLessThan(2_000);
    return failure;
  }

  it.each([
    { step: "create", cu: 1 },
    { step: "update", cu: 2 },
  ])(
    "ends the wait of the $step at once, and keeps the id and the operation for which the next run waits",
    async (row) => {
      const { step, cu } = row;
      const made = step === "update" ? await created({}, run) : undefined;
      bed.emulator.setTimeline({ runningMs: 300_000, times: 1 });
      const news = bed.declared(size(cu));
      const call = made === undefined ? created({}, run) : update(made.properties, news, run);
      const failed = await interruptWhile(/running/, call);
      expect((failed as Error).message).toMatch(
        /ing compute ep-\S+: the run was interrupted while operation \S+ \(\S+\) was running: the operation goes on at the service\. Run `pulumi up` again: it goes on waiting, and sends nothing twice\.$/,
      );
      const { id, properties } = keptOf(failed)!;
      expect(properties).toMatchObject({
        endpointId: id,
        ...size(cu),
        __operations: expect.any(Array) as unknown,
      });
      bed.takeRoutes();
      // The engine reads first: the read does not wait, and keeps the operations.
      const next = bed.plugin();
      const seen = await next.read({ urn, id, properties, inputs: news });
      const inputs = await checked(news, news, next);
      expect(await next.diff({ urn, olds: seen.properties, news: inputs })).toMatchObject({ changes: true });
      const later = await update(seen.properties, inputs, next);
      expect(later.properties).not.toHaveProperty("__operations");
      expect([bed.takeWrites(), bed.computes()]).toEqual([[], [id]]);
    },
  );

  it("ends a deletion's wait at once, and the next deletion finds out what happened", async () => {
    bed.emulator.setSwitches({ deleteOperations: "suspend" });
    const { properties } = await created({}, run);
    bed.emulator.setTimeline({ runningMs: 300_000, times: 1 });
    const failed = await interruptWhile(/running/, destroy(properties, run));
    expect((failed as Error).message).toMatch(
      /interrupted while .* To delete the compute if it still exists, run the same command again/,
    );
    await destroy(properties, bed.plugin());
    expect(bed.computes()).toEqual([]);
  });

  it.each([429, 503])("ends a pause that a %i asked for, and sends nothing after it", async (status) => {
    const { inputs, properties } = await created({}, run);
    const pause = { kind: "status", status, headers: { "Retry-After": "40" } } as const;
    bed.emulator.addFault({ ...pause, method: "PATCH", times: 1_000 });
    const failed = await interruptWhile(/attempt 2 in/, update(properties, { ...inputs, ...size(2) }, run));
    expect((failed as Error).message).toMatch(/^updating compute ep-\S+: .* Run the same command again/);
    expect(bed.takeWrites()).toEqual(["updateEndpoint"]);
  });

  it("does not send a create that waits for another one in its project", async () => {
    bed.emulator.addFault({ kind: "status", status: 423, method: "POST", times: 1_000 });
    const other = bed.byHand();
    bed.emulator.setTimeline({ stuck: "running", times: 1 });
    bed.emulator.suspendEndpoint(other);
    const messages = ["a", "b"].map((name) => {
      const properties = bed.declared({ type: "read_only" });
      const request = { urn: urnOf("native", name), properties, preview: false, timeout: 0 };
      return messageOf(run.create(request));
    });
    await until(() => bed.emulator.requests().some(({ route }) => route === "createEndpoint"));
    interruption.abort(new Error("interrupted"));
    // The first of the two is sent, and refused.
    const said = (await Promise.all(messages)).join();
    expect(said).toContain("Another operation is running in the project");
    expect(said).toContain("interrupted before this change was sent");
    expect([bed.takeWrites(), bed.computes()]).toEqual([["createEndpoint"], [other]]);
  });

  it("sends no write once it is interrupted, and the next run sends it", async () => {
    const { inputs, properties } = await created({}, run);
    interruption.abort(new Error("interrupted"));
    const news = { ...inputs, ...size(2) };
    const create = {
      urn: urnOf("native", "b"),
      properties: bed.declared({ type: "read_only" }),
      preview: false,
      timeout: 0,
    };
    const [change, make] = [() => update(properties, news, run), () => run.create(create)];
    for (const call of [change, make, () => destroy(properties, run)])
      expect(await messageOf(call())).toMatch(
        /: the run was interrupted before this change was sent\. Run the same command again: nothing was done\.$/,
      );
    expect(bed.takeWrites()).toEqual([]);
    const next = bed.plugin();
    await update(properties, news, next);
    await next.create(create);
    expect(bed.takeWrites()).toEqual(["updateEndpoint", "createEndpoint"]);
  });
});
