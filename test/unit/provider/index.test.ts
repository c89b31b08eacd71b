import type { EndpointHandlers } from "../../../provider/host/dynamic/handlers";
import { size } from "./lifecycle/bench";
import { bench } from "./lifecycle/eachTest";

let handlers: EndpointHandlers;
beforeEach(() => {
  ({ handlers } = bench.process());
});

type Bag = Record<string, unknown>;

/** State of a compute that is not asked for. */
const stored = (): Bag => ({ ...bench.declared(size(1)), endpointId: "ep-a", __managed: [] });

it("sends nothing for a check, nor for a diff without a change", async () => {
  const { inputs } = await handlers.check({}, bench.declared());
  await handlers.diff("ep-a", stored(), { ...stored(), ...inputs });
  expect(bench.takeRoutes()).toEqual([]);
});

describe("a notice", () => {
  it("is said on the row by diff, once", async () => {
    const { inputs } = await handlers.check(bench.declared(size(1)), bench.declared(size(2)));
    await handlers.diff("ep-a", stored(), inputs);
    expect(bench.said).toEqual([
      expect.stringMatching(/^warning: restart: size 1 → 2 CU drops open connections/),
    ]);
  });

  it("is not said by the diff of a refresh, which has no check before it, and forbids nothing", async () => {
    const declared = bench.declared(size(2));
    ({ handlers } = bench.process({ COMPUTE_ON_INTERRUPTION: "forbid" }));
    await expect(handlers.diff("ep-a", stored(), declared)).resolves.toMatchObject({ changes: true });
    expect(bench.said).toEqual([]);
    const { inputs } = await handlers.check(declared, declared);
    await expect(handlers.diff("ep-a", stored(), inputs)).rejects.toThrow("This is forbidden here");
    expect(bench.said).toEqual([]);
  });
});

describe("a configuration that cannot be read", () => {
  it("fails every call alike, with a sentence and no stack, and sends nothing", async () => {
    ({ handlers } = bench.process({ COMPUTE_LIVE_FACTS: "perhaps" }));
    const calls = [
      handlers.check({}, bench.declared()),
      handlers.diff("ep-a", stored(), stored()),
      handlers.create(bench.declared()),
      handlers.read("ep-a", stored()),
      handlers.update("ep-a", stored(), bench.declared()),
      handlers.delete("ep-a", stored()),
    ];
    const reasons = (await Promise.allSettled(calls)).map((call) =>
      call.status === "rejected" ? (call.reason as Error) : undefined,
    );
    for (const error of reasons) {
      expect(error?.message).toMatch(/^reading the configuration compute:liveFacts: it is "perhaps"\./);
      expect(error?.stack).not.toMatch(/\bat /);
    }
    expect(bench.takeRoutes()).toEqual([]);
  });

  it("is a failure of the calls also where the stack's reader itself fails, until it can be read", async () => {
    const fails = (): never => {
      throw new Error("no such stack");
    };
    handlers.configure({ config: { get: fails } });
    await expect(handlers.diff("ep-a", stored(), stored())).rejects.toThrow(
      "reading the configuration: no such stack. Correct the configuration.",
    );
    const stack: Record<string, string> = {
      "compute:apiKey": bench.emulator.apiKey,
      "compute:baseUrl": bench.emulator.url,
      "compute:journalFolder": bench.journalFolder,
    };
    handlers.configure({ config: { get: (key) => stack[key] } });
    await expect(handlers.diff("ep-a", stored(), stored())).resolves.toMatchObject({ changes: false });
  });
});
