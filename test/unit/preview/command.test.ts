/** The command: what it reads, its first lines, its exit codes, and several previews at once. */
import { readFileSync } from "node:fs";
import { renderReport } from "../../../preview/command";
import { failureKinds } from "../../../preview/shape";
import type { Report } from "../../../preview/shape";
import {
  digest,
  failure,
  fixture,
  leaves,
  previewOf,
  reportOn,
  restarts,
  runPreview,
  settles,
  size,
  step,
  type Ran,
  type StepParts,
} from "./previews";

const changes = fixture("changes.json");
const run = (args: readonly string[], input: Parameters<typeof runPreview>[1] = changes): Ran =>
  runPreview(args, input);
/** No file is there, so that whatever is read ends with 3. */
const nothing = {};

describe("what it reads", () => {
  it.each([
    [[], "-"],
    [["-"], "-"],
    [["preview.json"], "preview.json"],
  ])("%j", (args, file) => {
    expect(run(args, { [file]: changes })).toMatchObject({ code: 0, err: "" });
  });

  it("asks for input instead of waiting at a terminal", () => {
    expect(runPreview([], nothing, { isTerminal: true }).code).toBe(2);
  });

  it("says what it could not read", () => {
    expect(run(["gone.json"], nothing)).toMatchObject({ code: 3, out: "" });
    expect(run([], Buffer.alloc(0)).err).toContain("the input is empty");
  });
});

it.each([
  [["--fail-on", "reboot"], `--fail-on takes ${failureKinds.join(", ")}, not "reboot"`],
  [["--format", "html"], "--format takes markdown, json, text"],
  [["--plain", "--format", "json"], "--plain needs --format markdown"],
  [["--details"], "--details"],
  [["--marker", "a-->"], "--marker takes"],
  [["--max-length", "10"], "--max-length takes a whole number from"],
  [["--fial-on", "may"], "--fial-on"],
  [["a", "-"], "takes stdin (-) by itself"],
])("a wrong call ends with 2: %j", (args, says) => {
  const { code, out, err } = run(args, nothing);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(says);
});

it("prints the package's version, or its usage, on request; then it reads nothing", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const out = `pulumi-compute-endpoint ${version}\n`;
  expect(run(["--version"], nothing)).toEqual({ code: 0, out, err: "" });
  const usage = expect.stringMatching(/^Usage: compute-preview/) as string;
  expect(run(["--help"], nothing)).toMatchObject({ code: 0, out: usage });
});

it("prints JSON of a versioned shape, without the secrets of the program", () => {
  const { out } = run(["--format", "json"]);
  const report = JSON.parse(out) as Report;
  expect(report).toMatchObject({ format: "compute-preview", version: 1, project: "shop", stack: "dev" });
  expect(Object.keys(report)).toMatchSnapshot();
  expect({ ...report.computes[4], notice: "" }).toMatchSnapshot();
  expect(out).not.toMatch(/hunter2|correct horse/);
});

it("keeps what is folded in plain Markdown with --details, and no other HTML", () => {
  const { out } = run(["--plain", "--details"]);
  expect(out.match(/^<details><summary>/gm)).toHaveLength(2);
  expect(out.match(/^<\/details>$/gm)).toHaveLength(2);
  expect(out.replaceAll(/<\/?(?:details|summary)>/g, "")).not.toMatch(/<\/?[a-z!]/i);
});

describe("text", () => {
  it("says each fact once, with what the comment says", () => {
    const verdict = {
      now: "active",
      lastAccess: "5 min ago",
      effect: "restart",
      service: "interface",
    } as const;
    const interruption = "restart: size 1 → 2 CU drops; max_connections 450 to 901";
    const report = reportOn([step({ ...restarts, new: { ...size(2), interruption }, verdict })]);
    expect(renderReport(report, { format: "text", maxLength: 0 })).toContain(
      "app restarts (active now, 5 min ago)\n" +
        "  change   size: 1 → 2 CU\n" +
        "  clients  open connections drop; max_connections 450 → 901; RAM 4 → 8 GB; file cache 3.2 → 6.4 GB\n",
    );
  });

  it.each(["verdicts.json", "edges.json"])("has at most 100 columns: %s", (name) => {
    const { out } = run(["--format=text", "--fail-on=delete,restart,may"], fixture(name));
    expect(out.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });
});

const replica: StepParts = { name: "replica", op: "replace", old: size(1), new: { type: "read_only" } };
it.each<[failOn: string, says: string, ...parts: readonly StepParts[]]>([
  ["restart", "0 ✅ Passed: no compute drops its open connections", settles],
  ["", "0 🟢 No compute drops its open connections", settles],
  ["", "0 🟠 1 compute drops its open connections", restarts],
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

/** Which kinds refuse a change is in steps.test.ts. */
describe("--fail-on", () => {
  // These previews did not read first: `drift` refuses each of them.
  const every = failureKinds.filter((kind) => kind !== "drift");
  const codes = { delete: 20, replace: 21, move: 22, suspend: 23, restart: 24, may: 25, drop: 26 };
  it.each([
    ...every.map((kind) => [kind, codes[kind]] as const),
    ["drop,restart", 24],
    ["may,restart, replace", 21],
    ["restart --fail-on move", 22],
  ] as const)("%s ends with %d, and prints all the same", (failOn, code) => {
    const ran = run(["--fail-on", ...failOn.split(/ (?=--)|(?<=on) /)]);
    expect(ran.code).toBe(code);
    expect(ran.out.split("\n| Compute")[1]).toBe(run([]).out.split("\n| Compute")[1]);
    expect(ran.out).toMatch(
      /^### ⛔ Refused: 1 compute is deleted, 1 is replaced, 3 drop [^]*\n\nThis change .* does not allow \(--fail-on /m,
    );
    expect(ran.err).toContain("--fail-on");
  });

  it.each(["refresh.json", "refreshEvents.ndjson"])(
    "drift alone is about what changed outside: %s",
    (name) => {
      expect(run(["--fail-on", every.join()], fixture(name)).code).toBe(0);
      expect(run(["--fail-on", "drift"], fixture(name)).code).toBe(27);
    },
  );

  it("comes after a failed preview, which may have stopped before it", () => {
    const input = digest([step({ op: "delete" })], failure("error: forbidden", "app"));
    expect(run(["--fail-on", "delete"], input).code).toBe(4);
    expect(run([], input).err).toContain("Failed: the preview failed");
  });

  it("counts a compute once, however many rows speak of it, and refuses what each of them does", () => {
    const urn = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/compute:Endpoint::again";
    const input = previewOf({ new: { branchId: "br-b" } }, { ...restarts, urn });
    const { out, code } = run(["--fail-on=restart", "--format=text"], input);
    expect(code).toBe(24);
    expect(out).toMatch(
      /^Refused: 1 compute drops its open connections\nThis change restarts 1 compute, which this check does not allow \(--fail-on restart\)\./,
    );
  });

  it("says the verdict once where both streams are one screen, and to a pipe and in JSON as ever", () => {
    const onScreen = (...args: readonly string[]): Ran =>
      runPreview(["--fail-on=restart", ...args], changes, { isOneScreen: true });
    expect(onScreen("--format=text")).toMatchObject({ code: 24, err: "" });
    expect(onScreen("--format=json").err).toContain("This change restarts 1 compute, ");
    expect(run(["--fail-on=restart", "--format=text"]).err).toContain("This change restarts 1 compute, ");
  });
});

/** What was judged without the service's answers never passes for an all-clear. */
describe("a preview that could not ask the service", () => {
  const unasked = { effect: "restart", certain: true, unasked: true, endpointId: undefined } as const;
  const unsure: StepParts = { ...restarts, verdict: unasked };
  const isNew: StepParts = { name: "new", op: "create", verdict: { ...unasked, effect: "none" } };
  const rendered = (format: string, ...steps: readonly StepParts[]): string =>
    run(["--format", format], previewOf(...steps)).out;

  it.each<[reason: string, args: readonly string[], parts: StepParts]>([
    ["without --fail-on", [], unsure],
    ["where only a new compute's branch was asked for", [], isNew],
    ["where --fail-on refuses nothing", ["--fail-on=delete"], unsure],
    ["before what --fail-on refuses, of which it may have missed something", ["--fail-on=restart"], unsure],
  ])("ends with 5 %s", (_reason, args, parts) => {
    const ran = run(args, previewOf(parts));
    expect(ran.code).toBe(5);
    expect(ran.err).toMatch(/^compute-preview: Not known: the service could not be asked about 1 compute/);
    expect(ran.err).toContain("\nA warning in the preview says why. Fix that, and preview again.\n");
  });

  it("says so first, beside what is known without asking", () => {
    expect(rendered("text", unsure, isNew)).toMatch(
      /^Not known: the service could not be asked about 2 computes; 1 compute drops its open connections\n/,
    );
    const markdown = rendered("markdown", isNew, settles);
    expect(markdown).toContain("### ⚠️ Not known: the service could not be asked about 1 compute\n");
    // Its row is not folded away with what needs no reviewer.
    expect(markdown.split("<details>")[0]).toContain("| `new` |");
    expect(markdown).toContain("Its host is known after the update; the service could not be asked");
    expect(markdown).not.toContain("no compute drops");
  });

  it("is in the headline of several stacks", () => {
    const files = { "a.json": previewOf(unsure), "b.json": previewOf(settles) };
    const { code, out } = run(["a.json", "b.json", "--format", "text"], files);
    expect(code).toBe(5);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(
      /^Not known: the service could not be asked about 1 compute; 1 compute in 1 of 2 stacks drops its open connections /,
    );
  });
});
