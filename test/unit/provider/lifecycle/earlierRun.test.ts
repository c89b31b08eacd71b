import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { failureOf, urnOf } from "./bench";
import { bench } from "./eachTest";
import { cutOff, exportOf, idsOnDisk, killedAfterAnswer, notesOf } from "./killed";

describe("what a killed run created, and another resource has taken over since", () => {
  it.each([
    { when: "in the same run", isNamed: true },
    { when: "in an earlier run", isNamed: true },
    { when: "in the same run", isNamed: false },
    { when: "in an earlier run", isNamed: false },
  ])(
    "is left to that one, $when: the create makes another compute, and forgets the first; id known: $isNamed",
    async ({ when, isNamed }) => {
      const replica = bench.replica();
      const left = isNamed ? (await bench.create(replica)).id : await cutOff(bench, replica);
      const run = bench.process();
      await run.up(bench.replica("other", { adopt: left }));
      bench.said.length = 0;
      const own = when === "in the same run" ? run : bench.process();
      const { inputs } = await own.handlers.check({}, bench.replica("db", { __dryRun: true }));
      expect(inputs).not.toHaveProperty("__verdict");
      const { id } = await own.create(bench.replica());
      expect(bench.computes()).toEqual([left, id]);
      expect(bench.said.join("\n")).not.toContain("taken over");
      expect(idsOnDisk(bench)).not.toContain("?");
      expect(idsOnDisk(bench)).toContain(id);
    },
  );

  it("is forgotten even where the create is then refused, as a branch's second primary", async () => {
    const { id } = await bench.create();
    await bench.create({ __urn: urnOf("other"), adopt: id });
    expect(idsOnDisk(bench)).toEqual([id]);
    await expect(bench.create()).rejects.toThrow(id);
    expect(idsOnDisk(bench)).toEqual([]);
  });

  it("is left to that one where this run knows it from its diff alone", async () => {
    const { id: left } = await bench.create(bench.replica());
    const declared = bench.replica("other", { adopt: left });
    // On another machine: no note of it is here.
    const elsewhere = bench.process({
      COMPUTE_JOURNAL_FOLDER: path.join(bench.journalFolder, "..", "theirs"),
    });
    const { outs } = await elsewhere.up(declared);
    const run = bench.process();
    await run.handlers.check({ ...declared }, { ...declared });
    await run.handlers.diff(left, { ...outs }, declared);
    const { id } = await run.create(bench.replica());
    expect(bench.computes()).toEqual([left, id]);
  });
});

/** What the state had is not taken from another stack, to which it was moved since. */
describe.each(["read_write", "read_only"])("the note of a compute that Pulumi was told of: %s", (type) => {
  it("names it where the state has it no more, with both ways on; it is neither taken over nor created again", async () => {
    const declared = bench.declared({ type });
    const id = await killedAfterAnswer(bench, declared);
    bench.backend.exported = exportOf({});
    const { message } = await failureOf(bench.up(declared));
    expect(message).toContain(
      `an earlier run created compute ${id} for this resource and told Pulumi so: another stack may have it by now (\`pulumi state move\`). If none has, add the line adopt: "${id}"; if one has, delete `,
    );
    await expect(bench.preview(declared)).resolves.toEqual([message]);
    expect(bench.computes()).toEqual([id]);
    const adopting = { ...declared, adopt: id };
    await expect(bench.create(adopting)).resolves.toMatchObject({ id });
  });

  it("has it taken over where the backend cannot be asked", async () => {
    const declared = bench.declared({ type });
    const id = await killedAfterAnswer(bench, declared);
    bench.backend.exported = "nothing that can be read";
    await expect(bench.preview(declared)).resolves.toEqual([]);
    await expect(bench.up(declared)).resolves.toMatchObject({ id });
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
