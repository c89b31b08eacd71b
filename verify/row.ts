/**
 * What the table and the report show of a change: what was announced, what was seen, and the result. The provider's own rule
 * decides what operations mean.
 */
import { ComputeError, RequestError } from "../provider/model/errors";
import { durationOf, observationOf } from "../provider/service/observation";
import { receiptOf, type Receipt } from "../provider/lifecycle/receipt";
import type { ApiOperation } from "../provider/service/schemas";
import { timeOf } from "../provider/model/timing";
import { ranBefore } from "../provider/service/running";
import { OperationFailedError } from "../provider/service/wait";
import type { Change } from "./changes";
import type { Announced, Step } from "./engine";
import type { SeenAtService, SeenByConnection, VerifiedChange, VerifiedFailure } from "./report";
import { disagreementOf, resultOf } from "./result";
import type { Seen } from "./service";

/** A change that was tried, and all that was seen of it. */
export interface Trial {
  readonly change: Change;
  readonly announced: Announced;
  readonly step: Step & { readonly tookMs: number };
  readonly seen: Seen;
  /** Undefined if no connection was open. */
  readonly connection: SeenByConnection | undefined;
  /** Operations that began after the change was watched, and before the next change of this compute. */
  readonly late: ApiOperation[];
  /** Operations that no answer has named, and that came with the next change: they may be late as well. */
  readonly doubtful: ApiOperation[];
}

/** A change, and the provider's receipt for it. */
export interface Row {
  readonly verified: VerifiedChange;
  readonly receipt: Receipt;
  /** In words, if the service and an open connection show different things. */
  readonly disagreement: string | undefined;
}

/** @param redact - removes secrets from a text. */
export function rowOf(trial: Trial, redact: (text: string) => string): Row {
  const { change, announced, step, connection, late, doubtful } = trial;
  const receipt = receiptFor(trial, late);
  const witness = witnessOf(trial);
  const result = resultOf(announced.verdict, receipt, witness);
  const possible = resultOf(announced.verdict, receiptFor(trial, [...late, ...doubtful]), witness);
  const { effect, certain } = announced.verdict;
  const failure = step.failure && failureOf(step.failure, redact);
  const isUndecided = possible !== result || (failure !== undefined && result !== "missed");
  const verified: VerifiedChange = {
    change: change.title,
    compute: change.compute,
    announced: { effect, certain, ...(announced.notice !== undefined && { notice: announced.notice }) },
    service: serviceSeen(trial, receipt),
    ...(connection && { connection }),
    result: isUndecided ? "cannot tell" : result,
    ...(failure && { failure }),
    requests: countOf(step.requests),
    tookMs: step.tookMs,
  };
  return { verified, receipt, disagreement: disagreementOf(receipt, witness) };
}

/** What the open connection shows of this change; undefined if it may show another change. */
function witnessOf({ connection, seen, late }: Trial): SeenByConnection | undefined {
  const isInterrupted = (operations: readonly ApiOperation[]): boolean =>
    observationOf(operations).happened !== undefined;
  // Something else may have closed the connection, or the connection was watched only before something closed it.
  const mayDiffer = connection?.lost === undefined ? isInterrupted(late) : isInterrupted(seen.earlier);
  return mayDiffer ? undefined : connection;
}

/**
 * Applies the provider's own rule to the operations of the compute, including those that no answer named.
 *
 * @param late - operations that count for the change, although they began after it was watched.
 */
function receiptFor({ announced: { interruption }, seen }: Trial, late: readonly ApiOperation[]): Receipt {
  const { before, after, operations, earlier } = seen;
  const ran = before && ranBefore(before);
  // The compute's times show what an earlier or a later operation did as well.
  const isAlone = earlier.length + late.length === 0;
  return receiptOf(
    { operations: [...operations, ...late], ran, ...(isAlone && { before, after }) },
    interruption,
  );
}

function serviceSeen({ seen, late }: Trial, receipt: Receipt): SeenAtService {
  const [from, to] = [timeOf(seen.before?.started_at), timeOf(seen.after?.started_at)];
  return {
    happened: receipt.happened,
    operations: [...seen.operations, ...late].map((operation) => {
      const tookMs = durationOf(operation);
      return {
        action: operation.action,
        status: operation.status,
        ...(tookMs !== undefined && { tookMs }),
      };
    }),
    ...(!Number.isNaN(to) && { startedAt: from === to ? "same" : "moved" }),
    states: seen.states,
  };
}

function countOf(methods: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const method of methods) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}

/** A failure as data. */
export function failureOf(failure: unknown, redact: (text: string) => string): VerifiedFailure {
  const isOperation = causeOf(failure, OperationFailedError) !== undefined;
  const kind = isOperation ? "operation" : (causeOf(failure, RequestError)?.kind ?? "other");
  const what = failure instanceof ComputeError ? failure.problem.what : String(failure);
  return { kind, what: redact(what) };
}

/** The error or its cause, whichever is of the class; undefined if neither is. */
export function causeOf<Found>(
  failure: unknown,
  Class: abstract new (...args: never[]) => Found,
): Found | undefined {
  const isFound = (error: unknown): error is Found => error instanceof Class;
  return [failure, failure instanceof Error ? failure.cause : undefined].find(isFound);
}
