import type { Report, StacksReport } from "../../../preview/judge/shape";
import {
  digest,
  leaves,
  moves,
  previewOf,
  restarts,
  runPreview,
  size,
  step,
  unknownId,
  urnOf,
  type Ran,
  type StepParts,
} from "./previews";

function run(args: readonly string[], files: Readonly<Record<string, Uint8Array>>): Ran {
  return runPreview([...Object.keys(files), ...args], files);
}

const idles: StepParts = { ...restarts, verdict: { effect: "restart", now: "idle" } };
const both: StepParts = { old: size(1), new: { ...size(2), branchId: "br-b" } };
const adopts: StepParts = {
  op: "create",
  new: { ...size(2), adopt: "ep-app" },
  verdict: { effect: "restart", now: "active" },
};
const mayMove: StepParts = { new: { branchId: unknownId } };

type Row = [
  code: number,
  reason: string,
  steps: readonly StepParts[],
  failOn: string,
  allowed: readonly string[],
];

const rows: readonly Row[] = [
  [0, "the kind is allowed", [restarts], "restart", ["alice=restart"]],
  [24, "nobody allowed it", [restarts], "restart", []],
  [24, "another kind is allowed", [restarts], "restart", ["alice=move"]],
  [22, "one of two kinds is allowed", [restarts, moves], "restart,move", ["alice=restart"]],
  [0, "two people allow one kind each", [restarts, moves], "restart,move", ["alice=restart", "bob=move"]],
  [0, "a restart is allowed, and connections drop with it", [restarts], "drop", ["alice=restart"]],
  [26, "those of another drop as well", [restarts, moves], "drop", ["alice=restart"]],
  [0, "a restart of an adopted one is allowed", [adopts], "drop,restart", ["alice=restart"]],
  [24, "the move is allowed, and the restart beside it is not", [both], "move,restart", ["alice=move"]],
  [26, "the restart is allowed, and the move that drops is not", [both], "drop", ["alice=restart"]],
  [20, "a drop is no deletion", [leaves], "delete", ["alice=drop"]],
  [25, "what only may happen is not certain", [mayMove], "may", ["a=move"]],
];

describe("what somebody allowed", () => {
  it.each(rows)("ends with %d where %s", (...[code, , steps, failOn, allowed]) => {
    const options = allowed.flatMap((one) => ["--allowed-by", one]);
    expect(run(["--fail-on", failOn, ...options], { "a.json": previewOf(...steps) }).code).toBe(code);
  });

  it.each(["restart", "alice", "=restart", "alice=", "alice=reboot", " =restart"])(
    "is not guessed from %p",
    (text) => {
      const ran = run(["--allowed-by", text], { "a.json": previewOf(restarts) });
      expect(ran).toMatchObject({ code: 2, out: "" });
      expect(ran.err).toMatch(/--allowed-by takes (a name and what it allows|delete, replace)/);
    },
  );
});

describe("the report", () => {
  const options = ["--fail-on", "restart", "--allowed-by", "a=b@c=restart"];

  it("says who allowed what, in every form", () => {
    const files = { "a.json": previewOf(restarts, moves) };
    const { out, err } = run(options, files);
    expect(out).toContain("\n\nAllowed by `a=b@c`: restart of `app`.\n\n");
    expect(err).toBe("");
    expect(run([...options, "--format", "text"], files).out).toContain(
      "\nAllowed by a=b@c: restart of app.\n",
    );
    const report = JSON.parse(run([...options, "--format", "json"], files).out) as Report;
    expect(report.allowed).toEqual([{ by: "a=b@c", kind: "restart", computes: [urnOf("app")] }]);
  });

  it("names nobody whose word was not needed", () => {
    const files = { "a.json": previewOf(moves) };
    expect(run(options, files)).toEqual({ ...run([], files), err: "" });
    // An idle compute has no connections, so that nothing had to be allowed.
    const idle = ["--fail-on", "drop", "--allowed-by", "alice=restart"];
    expect(run(idle, { "a.json": previewOf(idles) })).toMatchObject({ code: 0, err: "" });
  });

  it("is named once where its resource has a compute that an earlier replacement left over", () => {
    const leftOver = step({ op: "delete-replaced", oldState: { id: "ep-old" } });
    const words = ["--fail-on", "delete", "--allowed-by", "alice=delete", "--format", "text"];
    const { code, out } = run(words, { "a.json": digest([step(restarts), leftOver]) });
    expect(code).toBe(0);
    expect(out).toContain("Allowed by alice: deletion of app.");
  });

  it("quotes a name, so that it mentions nobody and is no Markdown", () => {
    const words = ["--fail-on", "restart", "--allowed-by", "<b>|`@team=restart"];
    const { out } = run(words, { "a.json": previewOf(restarts) });
    expect(out).toMatch(/Allowed by <code>[^<|`@]*&#64;<wbr>team<\/code>: restart of/);
  });

  it("of several stacks names in each section", () => {
    const files = {
      "a.json": previewOf(restarts),
      "b.json": previewOf({ ...restarts, name: "second" }, moves),
    };
    const { code, out } = run([...options, "--allowed-by", "bob=move"], files);
    expect(code).toBe(0);
    expect(out.split("\n").filter((line) => line.startsWith("Allowed"))).toEqual([
      "Allowed by `a=b@c`: restart of `second`.",
      "Allowed by `a=b@c`: restart of `app`.",
    ]);
    const report = JSON.parse(run([...options, "--format", "json"], files).out) as StacksReport;
    expect(report.stacks.map((stack) => stack.report.allowed?.length)).toEqual([1, 1]);
  });
});
