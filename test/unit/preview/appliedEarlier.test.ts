import type { Receipt } from "../../../provider/endpoint/receipt";
import { urnOf } from "../../support/variants";
import { digest, step } from "./previews";
import { events, preview, runApplied, type Ending } from "./updates";

/** The report after an update that saw what an earlier run had begun. */

const announced: Receipt = {
  happened: "restarted",
  operations: "start_compute 0.5 s",
  mostMs: 800,
  announced: "restart",
};
const earlier: Receipt = { happened: "earlier", operations: "start_compute 0.4 s" };
const quiet: Receipt = { happened: "not shown", operations: "apply_config 0.2 s" };

/** The preview of an adoption that restarts a compute, which was idle. */
function adopting(name: string): string {
  const size = { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 };
  const adopted = { ...size, adopt: `ep-${name}` };
  const verdict = { effect: "restart", now: "idle" } as const;
  return digest([step({ name, urn: urnOf("native", name), op: "create", new: adopted, verdict })]).toString();
}

/** The preview of restarts that wait. */
function deferring(...names: readonly string[]): string {
  const verdict = {
    effect: "none",
    deferred: { effect: "restart", text: "until Sat 28 Nov 02:00" },
  } as const;
  return digest(names.map((name) => step({ name, urn: urnOf("native", name), verdict }))).toString();
}

interface Case {
  readonly reason: string;
  readonly receipts: Readonly<Record<string, Receipt>>;
  /** Absent: what the run itself announced counts. */
  readonly before?: string;
  readonly says: string;
}

const cases: readonly Case[] = [
  {
    reason: "the preview did not announce it",
    receipts: { a: earlier },
    before: preview([], ["a"]),
    says: "no operation shows whether 1 compute was interrupted\n\na not shown\n  announced  no interruption\n  happened   operations of an earlier run have ended (start_compute 0.4 s)\n",
  },
  {
    reason: "nothing says what was announced",
    receipts: { a: earlier, b: earlier },
    says: "no operation shows whether 2 computes were interrupted\n\na not shown\n  announced  nothing\n",
  },
  {
    reason: "the preview announced it",
    receipts: { a: earlier },
    before: preview(["a"]),
    says: "no operation shows whether 1 compute was interrupted\n\na not shown\n  announced  restarts\n",
  },
  {
    reason: "of others it is shown",
    receipts: { a: announced, b: earlier, c: { ...quiet, announced: "restart" }, d: quiet },
    before: preview(["a", "c"], ["b", "d"]),
    says: "1 compute was interrupted, as announced; of 2 more no operation shows it\nNot active for at most 0.8 s\n",
  },
  {
    reason: "the preview announced the restart of a compute that was idle, and is adopted",
    receipts: { a: { ...announced, announced: undefined } },
    before: adopting("a"),
    says: "1 compute was interrupted, as announced\n",
  },
  {
    reason: "the preview said that it waits for a window, and the update ran within it",
    receipts: { a: { ...announced, announced: undefined }, b: quiet },
    before: deferring("a", "b"),
    says: "1 compute was interrupted, as announced\nNot active for at most 0.8 s\n\na as announced\n  announced  waits for its window\n  happened   restarted (start_compute 0.5 s): not active for at most 0.8 s\n\nb none announced, none shown\n",
  },
  {
    reason: "one has no time",
    receipts: { a: announced, b: { ...announced, mostMs: undefined } },
    before: preview(["a", "b"]),
    says: "1 of 2 have a time: not active for at most 0.8 s\n",
  },
];

const run = (files: Readonly<Record<string, string>>): Ending =>
  runApplied(["--applied", ...Object.keys(files), "--format", "text"], files);

it.each(cases)("says what an earlier run did: $reason", ({ receipts, before, says }) => {
  const files: Readonly<Record<string, string>> = {
    up: events(receipts),
    ...(before === undefined ? {} : { preview: before }),
  };
  const { code, printed } = run(files);
  expect(printed).toContain(says);
  expect(code).toBe(0);
});

it("says that an update failed if its own preview did, so that nothing was changed", () => {
  const up = events({}).replace(
    '"isPreview":false,"result":"succeeded"',
    '"isPreview":true,"result":"failed"',
  );
  const { code, printed } = run({ up, preview: preview(["a"]) });
  expect(printed).toMatch(/^app\/dev: the update failed\n/);
  expect(printed).toContain("1 announced interruption did not come to pass");
  expect(code).toBe(4);
});

it.each([{ happened: "none", announced: "restart" }, { happened: "restarted", by: "earlier" }, "?"])(
  "takes a receipt of an earlier version for one that shows nothing: %j",
  (receipt) => {
    const up = events({ a: receipt as unknown as Receipt });
    const { code, printed } = run({ up, before: preview(["a"]) });
    expect(code).toBe(0);
    expect(printed).toContain("happened   no operation shows whether connections dropped\n");
    expect(printed).not.toMatch(/restarted|no restart/);
  },
);
