/**
 * The table for people, and what the changes show about the service.
 */
import { aligned } from "../preview/render/aligned";
import { secondsText } from "../provider/lifecycle/receipt";
import { oneLine } from "../provider/model/errors";
import type { Row } from "./row";
import { changeResults, type SeenByConnection, type Verification, type VerifiedChange } from "./report";

const headings = ["change", "announced", "at the service", "connection", "result"] as const;

/** @param rows - the changes that were tried. */
export function tableOf(rows: readonly Row[], { counts, service }: Verification): string {
  const cells = rows.map(({ verified, receipt, disagreement }) => [
    `${verified.change} (${verified.compute})`,
    announcedText(verified),
    seenText(receipt.happened, receipt.operations),
    connectionText(verified.connection),
    resultText(verified, disagreement),
  ]);
  const failures = rows.flatMap(({ verified: { change, failure } }) =>
    failure === undefined
      ? []
      : [`The change "${change}" was not made or not completed: ${oneLine(failure.what)}`],
  );
  const isHelped =
    counts["cannot tell"] > 0 && rows.every(({ verified }) => verified.connection === undefined);
  const summary = changeResults.map((result) => `${counts[result]} ${result}`).join(", ");
  return [
    ...aligned([[...headings], ...cells]).map(oneLine),
    "",
    ...failures,
    ...serviceLines(
      rows.map(({ verified }) => verified),
      service,
    ),
    `${summary}.`,
    ...(isHelped ? ["To see more, hold a connection open with --role and --database."] : []),
    "",
  ].join("\n");
}

function announcedText({ announced: { effect, certain } }: VerifiedChange): string {
  if (effect === "none") return "nothing";
  const verb = effect === "unstated" ? "interrupt" : effect;
  return certain ? verb : `may ${verb}`;
}

function resultText({ result }: VerifiedChange, disagreement: string | undefined): string {
  const word = result === "missed" ? "MISSED" : result;
  return disagreement === undefined ? word : `${word}: ${disagreement}`;
}

function seenText(happened: string, operations: string): string {
  const words = happened === "idle" ? "did not run" : happened;
  return operations === "" ? words : `${words} (${operations})`;
}

function connectionText(connection: SeenByConnection | undefined): string {
  if (connection === undefined) return "none";
  const { lost, awayMs } = connection;
  if (lost === undefined) return "survived";
  return awayMs === undefined ? `${lost}, still away` : `${lost}, back after ${secondsText(awayMs)}`;
}

/** How the service behaves where its documentation leaves it open. */
function serviceLines(changes: readonly VerifiedChange[], service: string): readonly string[] {
  const seen = changes.flatMap((change) => change.service ?? []);
  const all = (values: readonly string[]): string => [...new Set(values)].sort().join(", ") || "none";
  const requests = changes.map((change) => Object.values(change.requests).reduce((sum, n) => sum + n, 0));
  const tookMs = changes.map((change) => change.tookMs);
  const range = (values: readonly number[]): string =>
    values.length === 0 ? "none" : `${Math.min(...values)} to ${Math.max(...values)}`;
  const showsStart = seen.some(({ startedAt }) => startedAt !== undefined);
  return [
    `Service: ${service} (compute:service). It ${showsStart ? "shows" : "does not show"} when a compute was started.`,
    `Operations: ${all(seen.flatMap(({ operations }) => operations.map(({ action }) => action)))}. States: ${all(seen.flatMap(({ states }) => states))}.`,
    `For each change: ${range(requests)} requests, ${range(tookMs)} ms.`,
  ].map(oneLine);
}
