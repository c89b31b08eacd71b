/**
 * Defects that the provider had, each as a text of today's source and what stood in its place.
 */
import { lateLists, otherClocks, plainWorlds, worldsOfAllAnswers } from "./settings";
import type { PutBack } from "./load";
import type { Setting } from "./smallWorld";

export interface OldDefect extends PutBack {
  readonly defect: string;
  /** Where it shows. */
  readonly settings: readonly Setting[];
  /** What the first order that shows it ends with. */
  readonly shows: RegExp;
}

const applying = "provider/endpoint/applying";

function one(file: string, from: string, to: string): PutBack {
  return { file, texts: [{ from, to }] };
}

const replicas = plainWorlds.filter(({ type }) => type === "read_only");
const primaries = plainWorlds.filter(({ type }) => type === "read_write");

export const oldDefects: readonly OldDefect[] = [
  {
    defect: "a compute that contradicts what was sent counts as ours",
    ...one(
      `${applying}/attempt.ts`,
      "|| contradicts(endpoint, sent)) return",
      "|| (contradicts(endpoint, sent) && false)) return",
    ),
    settings: replicas,
    shows: /did not make/,
  },
  {
    defect: "a request lasts as long as the whole create may",
    ...one(
      "provider/timing.ts",
      "export const longestRequestMs = minuteMs;",
      "export const longestRequestMs = 10 * minuteMs;",
    ),
    settings: replicas,
    shows: /did not make/,
  },
  {
    defect: "a backend is the text of its address",
    ...one(
      "provider/settings/backend.ts",
      "return address.startsWith(folderPrefix)",
      'return address.startsWith("never")',
    ),
    settings: replicas,
    shows: /did not make/,
  },
  {
    defect: "what was made at any time is in doubt",
    ...one(
      `${applying}/attempt.ts`,
      "madeAtMs < fromMs || madeAtMs > toMs + createdWithinMs",
      "madeAtMs < fromMs && madeAtMs > toMs",
    ),
    settings: replicas,
    shows: /nothing is wrong any more, and it fails/,
  },
  {
    defect: "the clocks of a service never differ",
    ...one(
      "provider/timing.ts",
      "export const serviceClocksDifferMs = 3 * secondMs;",
      "export const serviceClocksDifferMs = 0;",
    ),
    settings: otherClocks,
    shows: /it makes ep-ours-1 and ep-ours-2/,
  },
  {
    defect: "after a 503 two looks are enough",
    ...one(
      `${applying}/recover.ts`,
      "for (const waitMs of createShowsAfterMs) {",
      'for (const waitMs of error.kind === "busy" ? createShowsAfterMs.slice(0, 2) : createShowsAfterMs) {',
    ),
    settings: lateLists,
    shows: /it makes ep-ours-1 and ep-ours-2/,
  },
  {
    defect: "a young compute is gone by a late list",
    ...one(
      `${applying}/find.ts`,
      'return ageMs === undefined ? { kind: "gone" } : { kind: "notYet", ageMs };',
      'return { kind: "gone", ...(ageMs === undefined ? {} : {}) };',
    ),
    settings: lateLists,
    shows: /it forgets/,
  },
  ...["408", "425"].map((status) => ({
    defect: `${status} is a refusal`,
    ...one("provider/api/statuses.ts", `${status}: mayBeDone,`, `${status}: refused("refused"),`),
    settings: worldsOfAllAnswers,
    shows: /it makes ep-ours-1 and ep-ours-2/,
  })),
  {
    defect: "a POST that was refused counts as one without an answer",
    ...one(
      `${applying}/attempt.ts`,
      "if (!hasMadeNothing) unanswered.push(windowOf(step, sentAtMs, clock.now()));",
      "unanswered.push(windowOf(step, intent.intentAtMs, clock.now()));",
    ),
    settings: primaries,
    shows: /did not make/,
  },
  {
    defect: "nobody waits for the POST of a killed run",
    ...one(
      `${applying}/attempt.ts`,
      'if (window === undefined || endpointId !== undefined || type === "read_write")',
      "if (window !== null)",
    ),
    settings: replicas,
    shows: /it makes ep-ours-1 and ep-ours-2/,
  },
];
