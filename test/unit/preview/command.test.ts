import { readFileSync } from "node:fs";
import { fixture, runPreview, type Ran } from "./previews";

const run = (
  args: readonly string[],
  input: Parameters<typeof runPreview>[1] = fixture("changes.json"),
): Ran => runPreview(args, input);
/** No file is there, so that whatever is read ends with 3. */
const nothing = {};

describe("what it reads", () => {
  it.each([
    { args: [], file: "-" },
    { args: ["-"], file: "-" },
    { args: ["preview.json"], file: "preview.json" },
  ])("$args", ({ args, file }) => {
    expect(run(args, { [file]: fixture("changes.json") })).toMatchObject({ code: 0, err: "" });
  });

  it("asks for input instead of waiting at a terminal", () => {
    expect(runPreview([], nothing, true).code).toBe(2);
  });

  it("says what it could not read", () => {
    expect(run(["gone.json"], nothing)).toMatchObject({ code: 3, out: "" });
    expect(run([], Buffer.alloc(0)).err).toContain("the input is empty");
  });
});

it("tells the package's version, and reads nothing", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const out = `pulumi-compute-endpoint ${version}\n`;
  expect(run(["--version"], nothing)).toEqual({ code: 0, out, err: "" });
});

describe("what it prints", () => {
  it("is JSON of a versioned shape", () => {
    const report = JSON.parse(run(["--format", "json"]).out) as Record<string, unknown>;
    expect(report).toMatchObject({ format: "compute-preview", version: 1, project: "shop", stack: "dev" });
    expect((report["computes"] as object[])[4]).toMatchSnapshot();
    expect(Object.keys(report)).toMatchSnapshot();
  });

  it("is its usage on request", () => {
    const { code, out } = run(["--help"], nothing);
    expect(code).toBe(0);
    expect(out).toContain("Usage: compute-preview");
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
    const { code, out, err } = run(args, nothing);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(says);
  });
});
