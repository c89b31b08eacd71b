import { runCommand } from "../../../preview/command";
import { markerLine } from "../../../preview/markdown";
import { digest, fixture, step, urnOf } from "./previews";

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly files: readonly (string | undefined)[];
}

function run(
  args: readonly string[],
  input: Uint8Array | Error = fixture("changes.json"),
  isTerminal = false,
): Ran {
  const [out, err]: [string[], string[]] = [[], []];
  const files: (string | undefined)[] = [];
  const code = runCommand(args, {
    read: (file) => {
      files.push(file);
      if (input instanceof Error) throw input;
      return input;
    },
    isTerminal,
    print: (text) => out.push(text),
    complain: (text) => err.push(text),
  });
  return { code, out: out.join(""), err: err.join(""), files };
}

describe("what it reads", () => {
  it.each([
    { args: [], file: undefined },
    { args: ["-"], file: undefined },
    { args: ["preview.json"], file: "preview.json" },
  ])("$args", ({ args, file }) => {
    expect(run(args)).toMatchObject({ code: 0, err: "", files: [file] });
  });

  it("asks for input instead of waiting at a terminal", () => {
    expect(run([], Buffer.alloc(0), true)).toMatchObject({ code: 2, files: [] });
  });

  it("says what it could not read", () => {
    expect(run(["gone.json"], new Error("ENOENT: no such file"))).toMatchObject({ code: 3, out: "" });
    expect(run([], Buffer.alloc(0)).err).toContain("the input is empty");
  });
});

describe("what it prints", () => {
  it("is Markdown unless told otherwise", () => {
    expect(run([]).out.startsWith(markerLine())).toBe(true);
    expect(run(["--marker", "shop/dev"]).out.startsWith(markerLine("shop/dev"))).toBe(true);
  });

  it("is JSON of a versioned shape", () => {
    const report = JSON.parse(run(["--format", "json"]).out) as Record<string, unknown>;
    expect(Object.keys(report)).toEqual([
      "format",
      "version",
      "project",
      "stack",
      "failed",
      "errors",
      "computes",
      "otherChanges",
      "unchangedResources",
      "summary",
    ]);
    expect(report).toMatchObject({ format: "compute-preview", version: 1, project: "shop", stack: "dev" });
    expect((report["computes"] as object[])[4]).toMatchSnapshot();
  });

  it("is text for a terminal", () => {
    expect(run(["--format", "text"]).out).toContain(
      "orders restarts\n  change   autoscalingLimitMinCu: 0.25 → 1\n",
    );
  });

  it("is its usage on request", () => {
    expect(run(["--help"])).toMatchObject({ code: 0, files: [] });
    expect(run(["--help"]).out).toContain("Usage: compute-preview");
  });
});

describe("a wrong call", () => {
  it.each([
    {
      args: ["--fail-on", "reboot"],
      says: '--fail-on takes delete, replace, move, suspend, restart, may, not "reboot"',
    },
    { args: ["--format", "html"], says: "--format takes markdown, json, text" },
    { args: ["--marker", "a-->"], says: "--marker takes" },
    { args: ["--marker", "a--b"], says: "--marker takes" },
    { args: ["--max-length", "10"], says: "--max-length takes a whole number from" },
    { args: ["--fial-on", "may"], says: "--fial-on" },
    { args: ["a", "b"], says: "takes one file, not 2" },
  ])("ends with 2: $args", ({ args, says }) => {
    const { code, out, err, files } = run(args);
    expect({ code, out, files }).toEqual({ code: 2, out: "", files: [] });
    expect(err).toContain(says);
  });
});

describe("--fail-on", () => {
  it.each([
    { failOn: "delete", code: 20 },
    { failOn: "replace", code: 21 },
    { failOn: "move", code: 22 },
    { failOn: "suspend", code: 23 },
    { failOn: "restart", code: 24 },
    { failOn: "may", code: 25 },
    { failOn: "may,restart, replace", code: 21 },
  ])("ends with $code for $failOn, and prints all the same", ({ failOn, code }) => {
    const ran = run(["--fail-on", failOn]);
    expect(ran.code).toBe(code);
    expect(ran.out).toBe(run([]).out);
    expect(ran.err).toContain("--fail-on");
  });

  it("may be given several times", () => {
    expect(run(["--fail-on", "restart", "--fail-on", "move"]).code).toBe(22);
  });

  it.each([
    {
      reason: "nothing interrupts",
      next: { suspendTimeoutSeconds: 60 },
      failOn: "delete,replace,move,suspend,restart,may",
      code: 0,
    },
    { reason: "it only may", next: { interruption: "may restart: size" }, failOn: "restart", code: 0 },
    { reason: "it may", next: { interruption: "may restart: size" }, failOn: "restart,may", code: 25 },
    { reason: "it is certain", next: { interruption: "restart: size" }, failOn: "may", code: 0 },
  ])("ends with $code where $reason", ({ next, failOn, code }) => {
    expect(run(["--fail-on", failOn], digest([step({ new: next })])).code).toBe(code);
  });

  it("comes after a failed preview, which may have stopped before it", () => {
    const diagnostics = [{ urn: urnOf("app"), severity: "error", message: "error: forbidden" }];
    const input = digest([step({ op: "delete" })], { diagnostics });
    expect(run(["--fail-on", "delete"], input)).toMatchObject({ code: 4 });
    expect(run([], input).err).toContain("the preview itself failed");
  });
});
