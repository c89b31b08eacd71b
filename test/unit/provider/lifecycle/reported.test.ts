/**
 * A note of a create that Pulumi was told of, which a killed process has left: what the state had is not taken from
 * another stack, to which it was moved since.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { failureOf, openBench, type Bench } from "./bench";
import { cutOff, exportOf, killedAfterAnswer, notesOf } from "./killed";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});

const types = ["read_write", "read_only"] as const;

/** What the next run is told, in its preview and in its update. */
async function told(declared: Record<string, unknown>): Promise<readonly string[]> {
  return [...(await bench.preview(declared)), (await failureOf(bench.up(declared))).message];
}

describe.each(types)("the note of a compute that Pulumi was told of: %s", (type) => {
  it("names it where the state has it no more, with both ways on; it is neither taken over nor created again", async () => {
    const declared = bench.declared({ type });
    const id = await killedAfterAnswer(bench, declared);
    bench.backend.exported = exportOf({});
    const [previewed, message = ""] = await told(declared);
    expect(message).toContain(
      `an earlier run created compute ${id} for this resource and told Pulumi so: another stack may have it by now (\`pulumi state move\`). If none has, add the line adopt: "${id}"; if one has, delete `,
    );
    expect(previewed).toBe(message);
    expect(bench.computes()).toEqual([id]);
    const adopting = { ...declared, adopt: id };
    await expect(bench.create(adopting)).resolves.toMatchObject({ id });
  });

  it("has it taken over where its create is pending, and where the backend cannot be asked", async () => {
    for (const exported of [undefined, "nothing that can be read"]) {
      bench = await openBench();
      const declared = bench.declared({ type });
      const id = await killedAfterAnswer(bench, declared);
      bench.backend.exported = exported ?? bench.backend.exported;
      const run = bench.process();
      await expect(run.handlers.check({}, declared)).resolves.toMatchObject({ failures: [] });
      await expect(run.create(declared)).resolves.toMatchObject({ id });
    }
  });
});

it("a killed run whose process still lives, and notes its answer now, has its compute named all the same", async () => {
  const left = await cutOff(bench, bench.declared({ type: "read_only" }));
  const [note = ""] = notesOf(bench);
  const entry = JSON.parse(readFileSync(note, "utf8")) as object;
  const run = bench.process();
  bench.spoil("listEndpoints", { kind: "stale", times: 2 });
  const next = failureOf(run.create(bench.declared({ type: "read_only" })));
  bench.takeRoutes();
  await bench.untilSent("listEndpoints");
  writeFileSync(note, JSON.stringify({ ...entry, endpointId: left }), { mode: 0o600 });
  expect((await next).message).toContain(`adopt: "${left}"`);
  expect(bench.computes()).toEqual([left]);
});
