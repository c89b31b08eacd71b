import { runCommand } from "../../../preview/command";
import { digest, fixture, step, type StepParts } from "./previews";

const frame = (sourcePosition: string): object => ({ sourcePosition });
const size = (cu: number): object => ({ autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu });

/** A step whose compute the program declares at this place. */
function declaredAt(parts: StepParts, ...positions: readonly string[]): object {
  const made = step(parts) as { newState?: object };
  return { ...made, newState: { ...made.newState, stackTrace: positions.map(frame) } };
}

function run(args: readonly string[], bytes: Uint8Array): { code: number; out: string; err: string } {
  const [out, err]: [string[], string[]] = [[], []];
  const code = runCommand(args, {
    read: () => bytes,
    list: () => undefined,
    isTerminal: false,
    print: (text) => out.push(text),
    complain: (text) => err.push(text),
  });
  return { code, out: out.join(""), err: err.join("") };
}

const restart = { old: { ...size(1) }, new: { ...size(2) } };
const line = "project:///examples/quick,start/index.ts#12,13";
const library = "project:///node_modules/parts/index.js#3,4";

it("is a workflow command at the line of the program, below the project's folder", () => {
  const steps = [
    declaredAt({ name: "app", ...restart }, library, line),
    declaredAt({ name: "pooled", new: { poolerEnabled: true } }, "project:///b.ts#7,1"),
    declaredAt({ name: "calm", new: { suspendTimeoutSeconds: 60 } }, "project:///c.ts#1,1"),
    step({ name: "leaver", op: "delete" }),
  ];
  const { out, code } = run(
    ["--annotations", "github", "--folder", "infra", "--fail-on", "restart"],
    digest(steps),
  );
  expect(code).toBe(24);
  expect(out.split("\n")).toEqual([
    "::error::leaver is deleted in dev: open connections drop; its host goes away (ep-leaver.example)",
    expect.stringMatching(
      /^::warning file=infra\/examples\/quick%2Cstart\/index\.ts,line=12::app restarts in dev: open connections drop; /,
    ),
    "::notice file=infra/b.ts,line=7::pooled may be interrupted in dev: open connections may drop; the interface does not say",
    "",
  ]);
});

it("is at most ten of a kind, the last of which counts the rest", () => {
  const steps = Array.from({ length: 25 }, (_, index) => declaredAt({ name: `r${index}`, ...restart }, line));
  const lines = run(["--annotations", "github"], digest(steps)).out.trim().split("\n");
  expect(lines).toHaveLength(10);
  expect(lines[9]).toBe("::warning::16 more computes: the report has them");
});

it("is an issue of GitLab's code quality report", () => {
  const steps = [declaredAt({ name: "app", ...restart }, line), step({ name: "leaver", op: "delete" })];
  expect(JSON.parse(run(["--annotations", "gitlab"], digest(steps)).out)).toEqual([
    {
      description: expect.stringContaining("app restarts in dev") as string,
      check_name: "compute-preview",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      severity: "major",
      location: { path: "examples/quick,start/index.ts", lines: { begin: 12 } },
    },
  ]);
});

it("begins no command by a name, and no file outside the repository", () => {
  const steps = [declaredAt({ name: "a\n::error::b", ...restart }, "project:///../../etc/passwd#1,1")];
  const { out } = run(["--annotations", "github"], digest(steps));
  expect(out).toMatch(/^::warning::a\\n::error::b restarts/);
  expect(out.trim().split("\n")).toHaveLength(1);
});

it("says that the events have no lines", () => {
  const { err } = run(["--annotations", "github"], fixture("changes.ndjson"));
  expect(err).toContain("the events have no lines");
});
