import { readFileSync } from "node:fs";
import { runCommand } from "../../../preview/command";
import { markerLine } from "../../../preview/render/markdown";
import { fixture } from "./previews";

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
    list: () => undefined,
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

describe("--version", () => {
  it("tells the package's, and reads nothing", () => {
    const { code, out, err, files } = run(["--version"]);
    expect({ code, err, files }).toEqual({ code: 0, err: "", files: [] });
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(out).toBe(`pulumi-compute-endpoint ${version}\n`);
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
      "form",
      "failed",
      "errors",
      "computes",
      "branches",
      "refresh",
      "unread",
      "unseenRefreshes",
      "unseenChanges",
      "otherChanges",
      "unchangedResources",
      "cost",
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
      says: '--fail-on takes delete, replace, move, suspend, restart, may, drop, drift, not "reboot"',
    },
    { args: ["--format", "html"], says: "--format takes markdown, json, text" },
    { args: ["--marker", "a-->"], says: "--marker takes" },
    { args: ["--marker", "a--b"], says: "--marker takes" },
    { args: ["--max-length", "10"], says: "--max-length takes a whole number from" },
    { args: ["--fial-on", "may"], says: "--fial-on" },
    { args: ["a", "-"], says: "takes stdin (-) by itself" },
  ])("ends with 2: $args", ({ args, says }) => {
    const { code, out, err, files } = run(args);
    expect({ code, out, files }).toEqual({ code: 2, out: "", files: [] });
    expect(err).toContain(says);
  });
});
