/** The command `compute-preview`: what it reads, its first lines, its exit codes, and several previews at once. */
import { readFileSync } from "node:fs";
import { failureKinds } from "../../../preview/shape";
import {
  failure,
  fixture,
  leaves,
  moves,
  previewOf,
  restarts,
  runPreview,
  settles,
  size,
  stackOf,
  type Ran,
  type StepParts,
} from "./previews";

const changes = fixture("changes.json");
const run = (args: readonly string[], input: Parameters<typeof runPreview>[1] = changes): Ran =>
  runPreview(args, input);
const failing = (): readonly string[] => {
  throw new Error("disk is gone");
};
/** No file exists, so a read would end with 3. */
const nothing = {};

describe("the input", () => {
  it.each([
    [[], "-"],
    [["-"], "-"],
    [["preview.json"], "preview.json"],
  ])("is the standard input or the named file: %j", (args, file) => {
    expect(run(args, { [file]: changes })).toMatchObject({ code: 0, err: "" });
  });

  it("is not waited for at a terminal: the call is refused", () => {
    expect(runPreview([], nothing, { isTerminal: true }).code).toBe(2);
  });

  it("that cannot be read is named", () => {
    expect(run(["gone.json"], nothing)).toMatchObject({ code: 3, out: "" });
    for (const text of ["", " \n"]) expect(run([], Buffer.from(text)).err).toContain("it is empty");
  });
});

it.each([
  [["--fail-on", "reboot"], `--fail-on takes ${failureKinds.join(", ")}, not "reboot"`],
  [["--fail-on", ""], 'not ""'],
  [["--format", "html"], "--format takes markdown, json, text"],
  [["--plain", "--format", "json"], "--plain needs --format markdown"],
  [["--details"], "--details"],
  [["--marker", "a-->"], "--marker takes"],
  [["--max-length", "10"], "--max-length takes a whole number of at least"],
  [["--fial-on", "may"], "--fial-on"],
  [["a", "-"], "reads either stdin (-) or files"],
])("invalid arguments end with 2: %j", (args, says) => {
  const { code, out, err } = run(args, nothing);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(says);
});

it("an unexpected error ends with 1, and its message is printed", () => {
  const broken = new Proxy({}, { ownKeys: () => ["previews/a.json", ...failing()] });
  expect(run(["previews"], broken)).toMatchObject({ code: 1, err: "compute-preview: disk is gone\n" });
});

it("with --version or --help, the command prints only that, and reads nothing", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const out = `pulumi-compute-endpoint ${version}\n`;
  expect(run(["--version"], nothing)).toEqual({ code: 0, out, err: "" });
  const usage = expect.stringMatching(/^Usage: compute-preview/) as string;
  expect(run(["--help"], nothing)).toMatchObject({ code: 0, out: usage });
});

it("--details keeps folded parts in plain Markdown, but no other HTML", () => {
  const { out } = run(["--plain", "--details"]);
  expect(out.match(/^<details><summary>/gm)).toHaveLength(2);
  expect(out.match(/^<\/details>$/gm)).toHaveLength(2);
  expect(out.replaceAll(/<\/?(?:details|summary)>/g, "")).not.toMatch(/<\/?[a-z!]/i);
});

describe("the report as text", () => {
  it.each(["verdicts.json", "edges.json"])("has at most 100 columns: %s", (name) => {
    const { out } = run(["--format=text", "--fail-on=delete,restart,may"], fixture(name));
    expect(out.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });
});

const replica: StepParts = { name: "replica", op: "replace", old: size(1), new: { type: "read_only" } };
it.each<[failOn: string, says: string, ...parts: readonly StepParts[]]>([
  ["restart", "0 ✅ Passed: no compute drops its open connections", settles],
  ["move", "0 🟠 1 compute drops its open connections (not refused: --fail-on covers move only)", restarts],
  ["", "0 🔴 1 compute is deleted, 1 drops its open connections", leaves, restarts],
  ["move", "0 🔴 1 compute is deleted (not refused: --fail-on covers move only)", leaves],
  ["", "0 🔴 1 compute is deleted", { ...leaves, old: { disabled: true } }],
  ["delete", "20 ⛔ Refused: 1 compute is deleted, 1 is replaced", replica, leaves],
  ["", "0 🟠 1 compute may drop its open connections", { new: { poolerEnabled: true } }],
])("with --fail-on '%s', the exit code and the first line are %s", (failOn, says, ...parts) => {
  const { out, code } = run(failOn === "" ? [] : [`--fail-on=${failOn}`], previewOf(...parts));
  expect(`${code} ${/^### (.*)$/m.exec(out)![1]}`).toBe(says);
});

/** steps.test.ts says which kinds refuse which change. */
describe("--fail-on", () => {
  // These previews did not read the computes first, so `drift` refuses each of them.
  const every = failureKinds.filter((kind) => kind !== "drift");
  const codes = { delete: 20, replace: 21, move: 22, suspend: 23, restart: 24, may: 25, drop: 26 };
  it("counts a refused compute once, by its most serious kind", () => {
    const { out } = run(["--fail-on=drop,replace"], previewOf(replica));
    expect(out).toContain("This change replaces 1 compute, which");
  });

  it.each([
    ...every.map((kind) => [kind, codes[kind]] as const),
    ["drop,restart", 24],
    ["may,restart, replace", 21],
    ["restart --fail-on move", 22],
  ] as const)("%s ends with %d, and the report is still printed", (failOn, code) => {
    const ran = run(["--fail-on", ...failOn.split(/ (?=--)|(?<=on) /)]);
    expect(ran.code).toBe(code);
    expect(ran.out.split("\n| Compute")[1]).toBe(run([]).out.split("\n| Compute")[1]);
    expect(ran.out).toMatch(
      /^### ⛔ Refused: 1 compute is deleted, 1 is replaced, 3 drop [^]*\n\nThis change .* does not allow \(--fail-on /m,
    );
    expect(ran.err).toContain("--fail-on");
  });

  it("counts a compute with several rows once, and refuses it because of any of the rows", () => {
    const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/compute:Endpoint::again";
    const input = previewOf({ new: { branchId: "br-b" } }, { ...restarts, urn });
    const { out, code } = run(["--fail-on=restart", "--format=text"], input);
    expect(code).toBe(24);
    expect(out).toMatch(
      /^Refused: 1 compute drops its open connections\nThis change restarts 1 compute, which this check does not allow \(--fail-on restart\)\./,
    );
  });

  it("prints the verdict on stderr too, unless the report is text and both streams share a screen", () => {
    const onScreen = (...args: readonly string[]): Ran =>
      runPreview(["--fail-on=restart", ...args], changes, { isOneScreen: true });
    expect(onScreen("--format=text")).toMatchObject({ code: 24, err: "" });
    expect(onScreen("--format=json").err).toContain("This change restarts 1 compute, ");
    expect(run(["--fail-on=restart", "--format=text"]).err).toContain("This change restarts 1 compute, ");
  });
});

describe("several previews", () => {
  const prod = stackOf("prod", [leaves, moves]);
  const stacks = {
    ...{ "dev.json": stackOf("dev", [settles]), "calm.json": stackOf("calm", []), "prod.json": prod },
    "broken.json": stackOf("broken", [moves], failure("error: forbidden", "mover")),
    ...{ "torn.json": prod.subarray(0, 300), "other.json": stackOf("other", [moves]) },
  };
  it.each([
    [0, "no stack has a change that is refused", "dev.json calm.json --fail-on delete,move"],
    [22, "the second stack has a refused change", "calm.json prod.json --fail-on move"],
    [
      20,
      "two stacks have a refused change: the most serious kind counts",
      "other.json prod.json --fail-on move,delete",
    ],
    [
      4,
      "one preview failed, which takes precedence over a refusal",
      "prod.json broken.json --fail-on delete",
    ],
    [
      3,
      "one preview cannot be read, which takes precedence over a failure",
      "broken.json torn.json --fail-on delete",
    ],
  ])("end with %s where %s", (code, _reason, args) => {
    expect(run(args.split(" "), stacks).code).toBe(code);
  });
});
