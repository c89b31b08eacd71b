/** A replica that was made a moment ago and that nobody has: a create of an earlier run may have made it. */
import { bench } from "./eachTest";

const others = (): string => bench.madeByOthers({ type: "read_only" });

describe("a replica that was made a moment ago", () => {
  it("is named by the next create, which goes on", async () => {
    const id = others();
    const { id: own } = await bench.process().up(bench.replica());
    expect(own).not.toBe(id);
    expect(bench.said.join("\n")).toContain(`${id} (`);
    expect(bench.said.join("\n")).toContain("which this stack does not have");
  });

  it("is not named where it is this run's own, old, or where the backend cannot be asked", async () => {
    const run = bench.process();
    await Promise.all(["a", "b", "c"].map((name) => run.up(bench.replica(name))));
    expect(bench.said).toEqual([]);
    others();
    bench.backend.exported = "no json";
    await bench.process().up(bench.replica("d"));
    expect(bench.said.join("\n")).not.toContain("which this stack does not have");
  });
});
