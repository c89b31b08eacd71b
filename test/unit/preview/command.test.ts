import { readFileSync } from "node:fs";
import { runCommand } from "../../../preview/command";
import { failureKinds } from "../../../preview/judge/failureKinds";
import { markerLine } from "../../../preview/render/markdown";
import { versionsHere } from "../../../preview/versions";
import { digest, fixture, step, urnOf, type StepParts } from "./previews";

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
    versions: versionsHere,
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
  it("tells what an issue asks for, and reads nothing", () => {
    const { code, out, err, files } = run(["--version"]);
    expect({ code, err, files }).toEqual({ code: 0, err: "", files: [] });
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(out.split("\n")).toEqual([
      `pulumi-compute-endpoint ${version}`,
      `node ${process.versions.node}, ${process.platform} ${process.arch}`,
      "@pulumi/pulumi 3.246.0",
      expect.stringMatching(/^pulumi (\d+\.\d+\.\d+\S*|not on PATH)$/),
      "",
    ]);
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
      says: '--fail-on takes delete, replace, move, suspend, restart, may, drop, drift, cost>N, not "reboot"',
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

describe("--fail-on", () => {
  const every = failureKinds.join(",");
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const moved = (now: "active" | "idle"): StepParts => ({
    new: { branchId: "br-b" },
    verdict: { effect: "move", now },
  });
  it.each([
    { failOn: "delete", code: 20 },
    { failOn: "replace", code: 21 },
    { failOn: "move", code: 22 },
    { failOn: "suspend", code: 23 },
    { failOn: "restart", code: 24 },
    { failOn: "may", code: 25 },
    { failOn: "drop", code: 26 },
    { failOn: "drop,restart", code: 24 },
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
    { reason: "nothing interrupts", parts: { new: { suspendTimeoutSeconds: 60 } }, failOn: every, code: 0 },
    { reason: "it only may", parts: { new: { branchId: unknown } }, failOn: "move,drop", code: 0 },
    { reason: "it may", parts: { new: { branchId: unknown } }, failOn: "move,may", code: 25 },
    { reason: "it is certain", parts: { new: { branchId: "br-b" } }, failOn: "may", code: 0 },
    { reason: "it is idle", parts: moved("idle"), failOn: "drop", code: 0 },
    { reason: "an idle one moves all the same", parts: moved("idle"), failOn: "move", code: 22 },
    { reason: "it is active", parts: moved("active"), failOn: "drop", code: 26 },
    {
      reason: "it is disabled",
      parts: { old: { disabled: true }, new: { branchId: "br-b" } },
      failOn: every,
      code: 0,
    },
    { reason: "the new one has no clients", parts: { op: "create" }, failOn: every, code: 0 },
    { reason: "it is deleted", parts: { op: "delete" }, failOn: "drop", code: 26 },
  ])("ends with $code where $reason", ({ parts, failOn, code }) => {
    expect(run(["--fail-on", failOn], digest([step(parts)])).code).toBe(code);
  });

  it.each(["refresh.json", "refreshEvents.ndjson"])(
    "is about what changed outside for drift alone: %s",
    (name) => {
      const others = failureKinds.filter((kind) => kind !== "drift").join(",");
      expect(run(["--fail-on", others], fixture(name)).code).toBe(0);
      expect(run(["--fail-on", "drift"], fixture(name)).code).toBe(27);
    },
  );

  it("is not about a compute that is handed over", () => {
    const steps = [
      step({ name: "heir", op: "create", new: { adopt: "ep-app" }, verdict: { endpointId: "ep-app" } }),
      step({ op: "delete" }),
    ];
    expect(run(["--fail-on", every], digest(steps)).code).toBe(0);
  });

  it("comes after a failed preview, which may have stopped before it", () => {
    const diagnostics = [{ urn: urnOf("app"), severity: "error", message: "error: forbidden" }];
    const input = digest([step({ op: "delete" })], { diagnostics });
    expect(run(["--fail-on", "delete"], input)).toMatchObject({ code: 4 });
    expect(run([], input).err).toContain("the preview itself failed");
  });
});
