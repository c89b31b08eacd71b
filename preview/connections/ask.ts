/**
 * Asks the interrupted computes of a report whose connections they have open.
 */
import { findPreview, readFound } from "../input";
import { isMap, readableText } from "../read/values";
import type { PreviewStep } from "../read/steps";
import type { ComputeReport, Connections, Report, StacksReport } from "../shape";
import { loginOf, unusableUrls, urlsVariable, type Environment } from "./login";
import { askCompute, type Question } from "./question";

/** What asking needs from the process. */
export interface Asking {
  /** undefined if the package is not installed. */
  readonly pg: Question["pg"] | undefined;
  /** Credentials, as libpq reads them, and `COMPUTE_CONNECTION_URLS`. */
  readonly environment: Environment;
  readonly now: () => Date;
  /** Longest time for each compute, in milliseconds (5,000). */
  readonly limitMs?: number;
}

/** A report with its connections, and a complaint for stderr, which may be empty. */
interface Asked {
  readonly report: Report | StacksReport;
  readonly complaint: string;
}

/** @param previews - the previews of the report, by file; stdin is the file "". */
export type AskConnections = (
  report: Report | StacksReport,
  previews: ReadonlyMap<string, Uint8Array>,
) => Promise<Asked>;

/** How many computes are asked at the same time. */
const atOnce = 8;

/** After this time, an active compute may have become idle, and a question would wake it. */
const longestAgeMs = 5 * 60_000;

export function createAsker(asking: Asking): AskConnections {
  return async (report, previews) => {
    const [first = ""] = previews.keys();
    const stacks = report.format === "compute-preview" ? [{ file: first, report }] : report.stacks;
    const answers = new Map<ComputeReport, Connections>();
    const tasks = stacks.flatMap(({ file, report: { computes } }) => {
      const interrupted = computes.filter(({ drops, outcome }) => drops !== "no" && outcome !== "refused");
      const hasActive = interrupted.some(({ now }) => now === "active");
      const facts = hasActive ? factsIn(previews.get(file)) : noFacts;
      return interrupted.map((compute) => async (): Promise<void> => {
        answers.set(compute, await connectionsOf(compute, facts, asking));
      });
    });
    await inTurns(tasks);
    const answered = <One extends Report>(one: One): One => ({
      ...one,
      computes: one.computes.map((compute) => {
        const connections = answers.get(compute);
        return connections === undefined ? compute : { ...compute, connections };
      }),
    });
    const complaint = complaintAbout(asking);
    if (report.format === "compute-preview") return { report: answered(report), complaint };
    const filled = report.stacks.map((stack) => ({ ...stack, report: answered(stack.report) }));
    return { report: { ...report, stacks: filled }, complaint };
  };
}

/** What a preview says that its report does not. */
interface PreviewFacts {
  readonly steps: readonly PreviewStep[];
  /** When it was made; undefined if it does not say. Only events do. */
  readonly madeMs: number | undefined;
}

const noFacts: PreviewFacts = { steps: [], madeMs: undefined };

function factsIn(bytes: Uint8Array | undefined): PreviewFacts {
  if (bytes === undefined) return noFacts;
  const found = findPreview(bytes);
  const seconds = found.events.flatMap((event) => {
    const { timestamp } = isMap(event) ? event : {};
    return typeof timestamp === "number" ? [timestamp] : [];
  });
  const madeMs =
    seconds.length === 0 ? undefined : 1_000 * seconds.reduce((left, right) => Math.max(left, right));
  return { steps: readFound(found).steps, madeMs };
}

async function connectionsOf(
  compute: ComputeReport,
  { steps, madeMs }: PreviewFacts,
  { pg, environment, now, limitMs = 5_000 }: Asking,
): Promise<Connections> {
  if (compute.now !== "active")
    return notAsked("nobody knows whether it is active, and asking would wake an idle compute");
  const at = now();
  if (madeMs !== undefined && at.getTime() - madeMs > longestAgeMs)
    return notAsked("the preview is more than 5 minutes old, and asking would wake an idle compute");
  const step = steps.find(({ urn, before }) => urn === compute.urn && before?.id === compute.id);
  const host = readableText(step?.before?.outputs["host"]);
  const login = loginOf({ endpointId: compute.endpointId, host }, environment);
  if (typeof login === "string") return notAsked(login);
  if (pg === undefined) return notAsked("the package pg is not installed");
  return askCompute({ pg, login, limitMs }, at);
}

function notAsked(reason: string): Connections {
  return { status: "not asked", reason, at: null, open: null, applications: [], hidden: 0 };
}

function complaintAbout({ pg, environment }: Asking): string {
  if (pg === undefined) return "--connections needs the package pg in this folder: run npm install pg";
  return unusableUrls(environment) === 0
    ? ""
    : `${urlsVariable} takes URLs such as postgresql://ROLE:PASSWORD@HOST/DATABASE, separated by spaces: ${unusableUrls(environment)} of its words are none`;
}

/** Runs tasks, some at the same time. */
async function inTurns(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...tasks];
  const work = async (): Promise<void> => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
