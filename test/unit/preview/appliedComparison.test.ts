/** What the report after an update compares: receipts, with what the preview announced. */
import type { Receipt } from "../../../provider/endpoint/receipt";
import { urnOf } from "../../support/variants";
import { digest, previewOf, size, step } from "./previews";
import { announced, events, notShown, preview, quiet, runApplied as run, unannounced } from "./updates";

const earlier: Receipt = { happened: "earlier", operations: "start_compute 0.4 s" };

/** The preview of an adoption that restarts a compute, which was idle. */
function adopting(name: string): string {
  const adopted = { ...size(2), adopt: `ep-${name}` };
  const verdict = { effect: "restart", now: "idle" } as const;
  return previewOf({ name, urn: urnOf("native", name), op: "create", new: adopted, verdict }).toString();
}

/** The preview of restarts that wait. */
function deferring(...names: readonly string[]): string {
  const deferred = { effect: "restart", text: "until Sat 28 Nov 02:00" } as const;
  const verdict = { effect: "none", deferred } as const;
  return digest(names.map((name) => step({ name, urn: urnOf("native", name), verdict }))).toString();
}

type Receipts = Readonly<Record<string, Receipt>>;
/** Without a preview, what the run itself announced counts. */
type Case = [reason: string, receipts: Receipts, before: string | undefined, says: string, code?: number];

const unshown = "no operation shows whether 1 compute was interrupted\n\na not shown\n";
const unsaid: Receipt = { ...announced(800), announced: undefined };

const cases: readonly Case[] = [
  ["it announced it", { a: announced(800) }, preview(["a"]), "1 compute was interrupted, as announced"],
  [
    "it did not announce it, though the run did",
    { a: announced(800) },
    preview([], ["a"]),
    "1 compute was interrupted without an announcement",
    30,
  ],
  [
    "it announced it, though the run did not",
    { a: unannounced },
    preview(["a"]),
    "1 compute was interrupted, as announced",
  ],
  [
    "nothing was announced, and nothing is shown",
    { a: quiet },
    preview([], ["a"]),
    "no operation shows an interruption\n\na none announced, none shown\n",
  ],
  [
    "the update did not reach an announced one",
    {},
    preview(["a"]),
    "1 announced interruption did not come to pass",
  ],
  ["no operation shows what was announced", { a: notShown }, preview(["a"]), unshown],
  [
    "an earlier run did what was not announced",
    { a: earlier },
    preview([], ["a"]),
    `${unshown}  announced  no interruption\n  happened   operations of an earlier run have ended (start_compute 0.4 s)\n`,
  ],
  [
    "an earlier run did it, and nothing says what was announced",
    { a: earlier, b: earlier },
    undefined,
    "no operation shows whether 2 computes were interrupted\n\na not shown\n  announced  nothing\n",
  ],
  [
    "an earlier run did what was announced",
    { a: earlier },
    preview(["a"]),
    `${unshown}  announced  restarts\n`,
  ],
  [
    "of others it is shown",
    { a: announced(800), b: earlier, c: { ...quiet, announced: "restart" }, d: quiet },
    preview(["a", "c"], ["b", "d"]),
    "1 compute was interrupted, as announced; of 2 more no operation shows it\nNot active for at most 0.8 s\n",
  ],
  [
    "it announced the restart of a compute that was idle, and is adopted",
    { a: unsaid },
    adopting("a"),
    "1 compute was interrupted, as announced\n",
  ],
  [
    "it said that the change waits for a window, and the update ran within it",
    { a: unsaid, b: quiet },
    deferring("a", "b"),
    "1 compute was interrupted, as announced\nNot active for at most 0.8 s\n\na as announced\n  announced  waits for its window\n  happened   restarted (apply_config 0.3 s, start_compute 0.6 s): not active for at most 0.8 s\n\nb none announced, none shown\n",
  ],
  [
    "one has no time",
    { a: announced(800), b: announced() },
    preview(["a", "b"]),
    "1 of 2 have a time: not active for at most 0.8 s\n",
  ],
];

it.each(cases)("counts against the preview: %s", (...[, receipts, before, says, code = 0]) => {
  const files = { up: events(receipts), ...(before !== undefined && { preview: before }) };
  const words = ["--applied", ...Object.keys(files), "--format", "text"];
  const ending = run(words, files);
  expect(ending.printed).toContain(says);
  expect(ending.code).toBe(code);
});

const text = ["--applied", "up", "--format", "text"];

it("says that an update failed if its own preview did, so that nothing was changed", () => {
  const up = events({}).replace(
    '"isPreview":false,"result":"succeeded"',
    '"isPreview":true,"result":"failed"',
  );
  const { code, printed } = run([...text, "preview"], { up, preview: preview(["a"]) });
  expect(printed).toMatch(/^app\/dev: the update failed\n/);
  expect(printed).toContain("1 announced interruption did not come to pass");
  expect(code).toBe(4);
});

it.each([{ happened: "none", announced: "restart" }, { happened: "restarted", by: "earlier" }, "?"])(
  "takes a receipt of an earlier version for one that shows nothing: %j",
  (receipt) => {
    const up = events({ a: receipt as unknown as Receipt });
    const { code, printed } = run([...text, "before"], { up, before: preview(["a"]) });
    expect(code).toBe(0);
    expect(printed).toContain("happened   no operation shows whether connections dropped\n");
    expect(printed).not.toMatch(/restarted|no restart/);
  },
);
