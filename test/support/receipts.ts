/**
 * The receipt that the provider would give for requests that a test itself sends to a control plane.
 */
import { shownBy } from "../../provider/lifecycle/settle";
import type { WriteAnswer } from "../../provider/lifecycle/settle";
import type { PlannedChange } from "../../provider/model/interruption";
import {
  isUnannounced,
  receiptNotice,
  receiptOf,
  wasInterrupted,
  type Shown,
  type Receipt,
} from "../../provider/lifecycle/receipt";

/** A service's answer to a PATCH or a restart whose operations take no time. */
export interface Request {
  readonly answer: object;
  /** The compute as lists show it before and after, if the service shows when it was started. */
  readonly before?: object;
  readonly after?: object;
}

/** Two requests of one update. */
export function both(first: Request, second: Request): Request {
  const operations = [first, second].flatMap(
    ({ answer }) => (answer as { readonly operations: readonly object[] }).operations,
  );
  return { ...second, answer: { ...second.answer, operations } };
}

export function receiptFor(
  request: Request | undefined,
  { interruption }: PlannedChange,
): Receipt | undefined {
  if (request === undefined) return undefined;
  const { answer, before, after } = request;
  const outcome = answer as WriteAnswer;
  const ended = outcome.operations?.map((operation) => ({ ...operation, status: "finished" as const }));
  const shown = { before, ...shownBy(outcome, {}), operations: ended, after } as Shown;
  return receiptOf({ ...shown, before: shown.before ?? (before as Shown["before"]) }, interruption);
}

/** Services whose operations show the restart of a change, and services whose operations do not. */
export const restartedBy = ["start_compute", "apply_config"] as const;

/** The services, and the ways in which a new size takes effect. Only on Neon can it take effect without a restart. */
export const worlds = [
  ...restartedBy.map((by) => ({ service: "interface", by, resize: "restarts" }) as const),
  ...restartedBy.map((by) => ({ service: "neon", by, resize: "restarts" }) as const),
  { service: "neon", by: "apply_config", resize: "live" } as const,
];

/**
 * Whether a receipt matches the control plane's counters, and does not call an interruption unannounced. A receipt must show
 * each interruption or, on a service that hides restarts, say that no operation shows it.
 */
export function agrees(
  receipt: Receipt | undefined,
  interrupted: boolean,
  by: (typeof restartedBy)[number] = "start_compute",
): boolean {
  if (receipt !== undefined && isUnannounced(receipt)) return false;
  if (receipt !== undefined && wasInterrupted(receipt)) return interrupted;
  return !interrupted || (by === "apply_config" && isCalledNotShown(receipt));
}

function isCalledNotShown(receipt: Receipt | undefined): boolean {
  const said = receipt && receiptNotice(receipt)?.text;
  const words = "no operation shows whether connections dropped (apply_config ";
  return receipt?.happened === "not shown" && said?.startsWith(words) === true;
}

/** Whether a receipt is true on a service that shows when a compute was started, and says whether an announcement came true. */
export function agreesWithTimes(receipt: Receipt | undefined, interrupted: boolean): boolean {
  if (receipt === undefined) return !interrupted;
  if (isUnannounced(receipt) || wasInterrupted(receipt) !== interrupted) return false;
  return receipt.announced === undefined || receipt.happened !== "not shown";
}
