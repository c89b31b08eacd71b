import { failureOf, urn } from "./bench";
import { bench } from "./eachTest";
import { cutOff } from "./killed";

/** A create of a process that knows a compute of the resource in the state; its id where a diff came before. */
async function replace(more: object, storedId?: string): Promise<{ readonly id: string }> {
  const process = bench.process();
  const stored = bench.declared({ type: "read_only" });
  const { inputs } = await process.handlers.check(stored, stored);
  if (storedId !== undefined)
    await process.handlers.diff(storedId, { ...stored, endpointId: storedId, __managed: [] }, inputs);
  return process.create(bench.declared({ type: "read_only", ...more }));
}

describe("a replacement that the engine makes without a diff", () => {
  it("never adopts the compute that is deleted next", async () => {
    const { id } = await bench.create();
    expect((await failureOf(replace({ type: "read_write", adopt: id }))).message).toContain(
      "a compute cannot replace itself",
    );
    expect(bench.computes()).toEqual([id]);
  });

  it("never takes over what the state may hold, and says how to settle it", async () => {
    const { id } = await replace({});
    const error = await failureOf(replace({}));
    expect(error.message).toContain(`compute ${id}, which an earlier run created for this resource`);
    expect(error.message).toContain("Run `pulumi up` once without --replace");
    expect(bench.computes()).toEqual([id]);
  });

  it("takes over what was cut off, once a diff has named another compute as the stored one", async () => {
    const { id } = await replace({});
    expect((await replace({}, "ep-old")).id).toBe(id);
    expect(bench.computes()).toEqual([id]);
  });
});

describe("a replacement beside a create that was cut off", () => {
  it.each(["the same branch, as with replaceOnChanges", "another branch"])(
    "makes a new compute though the journal keeps the old one's entry for that create: on %s",
    async (place) => {
      const { id } = await bench.create({ type: "read_only" });
      const other = { type: "read_only", __urn: `${urn}2` };
      const left = await cutOff(bench, bench.declared(other));
      const branchId = place === "another branch" ? bench.emptyBranch() : bench.branchId;
      const made = await replace({ branchId }, id);
      expect(bench.computes()).toEqual([id, left, made.id]);
      const { message } = await failureOf(bench.create(other));
      expect(message).toContain(left);
      expect(message).not.toContain(made.id);
    },
  );
});
