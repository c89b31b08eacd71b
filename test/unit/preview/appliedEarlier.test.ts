import { runCommand } from "../../../preview/command";
import type { Receipt } from "../../../provider/endpoint/receipt";
import { urnOf } from "../../support/variants";
import { digest, step } from "./previews";
import { events, preview } from "./updates";

/** The report after an update that saw what an earlier run had begun. */

const announced: Receipt = {
  happened: "restarted",
  action: "start_compute",
  mostMs: 800,
  announced: "restart",
};
const earlier: Receipt = { happened: "restarted", action: "start_compute", mostMs: 700, by: "earlier" };

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
    says: "whether 1 compute was interrupted is not known\n\na not known\n",
  },
  {
    reason: "nothing says what was announced",
    receipts: { a: earlier, b: { ...earlier, happened: "suspended" } },
    says: "whether 2 computes were interrupted is not known\n\n",
  },
  {
    reason: "the preview announced it",
    receipts: { a: earlier },
    before: preview(["a"]),
    says: "1 compute was interrupted, as announced\nNot active for at most 0.7 s\n",
  },
  {
    reason: "the run announced it",
    receipts: { a: { ...announced, by: "earlier" } },
    says: "1 compute was interrupted, as announced\nNot active for at most 0.8 s\n",
  },
  {
    reason: "it was the first start of a compute",
    receipts: { a: { happened: "idle", by: "earlier" } },
    before: preview([], ["a"]),
    says: "no compute was interrupted\n",
  },
  {
    reason: "of others it is known",
    receipts: { a: announced, b: earlier, c: { happened: "unknown" } },
    before: preview(["a"], ["b", "c"]),
    says: "1 compute was interrupted, as announced; of 2 more it is not known\nNot active for at most 0.8 s\n",
  },
  {
    reason: "the preview announced the restart of a compute that was idle, and is adopted",
    receipts: { a: { ...announced, announced: undefined } },
    before: adopting("a"),
    says: "1 compute was interrupted, as announced\n",
  },
  {
    reason: "the preview said that it waits for a window, and the update ran within it",
    receipts: { a: { ...announced, announced: undefined }, b: { happened: "none" } },
    before: deferring("a", "b"),
    says: "1 compute was interrupted, as announced\nNot active for at most 0.8 s\n\na as announced\n  announced  waits for its window\n  happened   restarted: not active for at most 0.8 s (start_compute)\n\nb as announced\n",
  },
  {
    reason: "one has no time",
    receipts: { a: announced, b: { ...earlier, mostMs: undefined } },
    before: preview(["a", "b"]),
    says: "1 of 2 have a time: not active for at most 0.8 s\n",
  },
];

function run(files: Readonly<Record<string, string>>): { readonly code: number; readonly printed: string } {
  let printed = "";
  const code = runCommand(["--applied", ...Object.keys(files), "--format", "text"], {
    read: (file) => Buffer.from(files[file ?? ""] ?? ""),
    list: () => undefined,
    isTerminal: false,
    print: (text) => void (printed += text),
    complain: () => undefined,
  });
  return { code, printed };
}

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
