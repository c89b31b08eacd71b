import { messageOf } from "../../../../provider/pure/errors";
import { answers, failureOf, page } from "./bench";
import { bench } from "./eachTest";

/** Refusals that the service did not write. */
const refusals = [
  { status: 401, body: page, says: "Check the API key" },
  { status: 403, body: page, says: "Ask for a key that may do this" },
  { status: 403, body: undefined, says: "Ask for a key that may do this" },
  { status: 404, body: { ok: false }, says: "Check the project, branch and endpoint ids" },
  { status: 405, body: page, says: "Change what the message names" },
  { status: 422, body: "", says: "Change what the message names" },
] as const;

const types = ["read_only", "read_write"] as const;
const cases = refusals.flatMap((refusal) => types.map((type) => ({ ...refusal, type })));

describe("a create that something between refuses", () => {
  it.each(cases)("is found where it was carried out: $type, $status with $body", async (one) => {
    const { status, body, type } = one;
    bench.spoil("createEndpoint", answers(status, { body, when: "after" }));
    const { id } = await bench.create({ type });
    expect(bench.computes()).toEqual([id]);
    expect(bench.sent("createEndpoint")).toBe(1);
  });

  it.each(types)("is named by the next create where no list shows it in time: %s", async (type) => {
    bench.spoil("createEndpoint", answers(403, { body: page, when: "after" }));
    bench.spoil("listEndpoints", { kind: "stale", after: 1, times: 6 });
    await failureOf(bench.create({ type }));
    const [made] = bench.computes();
    bench.emulator.clearFaults();
    const next = await bench.up(bench.declared({ type })).then(
      () => "",
      (error: unknown) => messageOf(error),
    );
    expect([...bench.said, next].join()).toContain(`adopt: "${made ?? ""}"`);
    expect(bench.computes()).toHaveLength(type === "read_only" ? 2 : 1);
  });

  it.each(cases)(
    "ends with a clear error where it never reached the service, and the next run goes on: $type, $status with $body",
    async ({ status, body, type, says }) => {
      bench.spoil("createEndpoint", answers(status, { body, times: 9 }));
      const begunAtMs = bench.clock.now();
      await expect(bench.create({ type })).rejects.toThrow(
        new RegExp(
          `^creating a compute on branch ${bench.branchId} .*: the service answered ${status}, in a form that is not its own, and no new compute has shown up so far.*\\. ${says}`,
        ),
      );
      expect(bench.clock.now() - begunAtMs).toBeLessThan(20_000);
      expect(bench.sent("createEndpoint")).toBe(1);
      bench.emulator.clearFaults();
      const { id } = await bench.up(bench.declared({ type }));
      expect(bench.said).toEqual([]);
      expect(bench.computes()).toEqual([id]);
    },
  );

  it("names the primary in the way all the same", async () => {
    bench.spoil("createEndpoint", answers(403, { body: page }));
    bench.spoil("listEndpoints", { kind: "stale", times: 1 });
    await expect(bench.create({ branchId: bench.defaultBranchId })).rejects.toThrow(bench.defaultPrimaryId);
    expect(bench.computes()).toEqual([]);
  });

  it("is not tried where the key is refused before anything was sent", async () => {
    bench.emulator.addFault(answers(401, { body: page, times: 99 }));
    await expect(bench.create({ type: "read_only" })).rejects.toThrow("COMPUTE_API_KEY");
    expect(bench.takeRoutes()).toEqual(["listEndpoints"]);
  });
});
