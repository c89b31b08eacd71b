/** A preview that could not ask the service: what was judged without its answers never passes for an all-clear. */
import { previewOf, restarts, runPreview, settles, type Ran, type StepParts } from "./previews";

const unasked = { effect: "restart", certain: true, unasked: true, endpointId: undefined } as const;
const unsure: StepParts = { ...restarts, verdict: unasked };
const isNew: StepParts = { name: "new", op: "create", verdict: { ...unasked, effect: "none" } };

function run(args: readonly string[], ...steps: readonly StepParts[]): Ran {
  return runPreview(args, previewOf(...steps));
}

function rendered(format: "text" | "markdown" | "json", ...steps: readonly StepParts[]): string {
  return run(["--format", format], ...steps).out;
}

describe("a preview that could not ask the service", () => {
  it.each<{ reason: string; args: readonly string[]; steps: readonly StepParts[]; code: number }>([
    { reason: "without --fail-on", args: [], steps: [unsure], code: 5 },
    { reason: "where only a new compute's branch was asked for", args: [], steps: [isNew], code: 5 },
    { reason: "where --fail-on refuses nothing", args: ["--fail-on", "delete"], steps: [unsure], code: 5 },
    {
      reason: "before what --fail-on refuses, of which it may have missed something",
      args: ["--fail-on", "restart"],
      steps: [unsure],
      code: 5,
    },
    { reason: "not where it had nothing to ask", args: ["--fail-on", "restart"], steps: [settles], code: 0 },
  ])("ends with $code $reason", ({ args, steps, code }) => {
    const ran = run(args, ...steps);
    expect(ran.code).toBe(code);
    expect(ran.err).toEqual(
      code === 0
        ? ""
        : expect.stringMatching(
            /^compute-preview: Not known: the service could not be asked about 1 compute[^]*\nA warning of the preview says why: put that right, and preview again\.\n/,
          ),
    );
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

  it("is marked in the JSON, on each compute that it is about", () => {
    const { computes } = JSON.parse(rendered("json", unsure, settles)) as {
      computes: { label: string; unasked?: boolean }[];
    };
    expect(Object.fromEntries(computes.map(({ label, unasked: mark }) => [label, mark]))).toEqual({
      app: true,
      settler: undefined,
    });
  });

  it("is in the headline of several stacks", () => {
    const files = { "a.json": previewOf(unsure), "b.json": previewOf(settles) };
    const { code, out } = runPreview(["a.json", "b.json", "--format", "text"], files);
    expect(code).toBe(5);
    expect(out).toMatch(
      /^Not known: the service could not be asked about 1 compute; 1 compute in 1 of 2 stacks drops its open connections\n/,
    );
  });
});
