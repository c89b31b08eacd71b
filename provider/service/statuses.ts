/**
 * What each HTTP status means for a retry, and for the rest of the provider. Interface 7 gives no codes, so these are
 * the standard meanings.
 *
 * The most important question is whether a write may have been carried out. Many answers come not from the service
 * but from a gateway in front of it, which had passed the request on before it gave up. Such an answer is not a
 * refusal.
 */
import type { RequestErrorKind } from "../model/errors";

/**
 * What an outcome means for a retry.
 *
 * - `done`: an answer that ends the call, success or refusal.
 * - `throttled`: the service did nothing and may do it later (429): a retry is safe for every method.
 * - `busy`: the service says that it did nothing (503), but a gateway says the same after it passed a request on: a
 *   retry is safe for all methods but POST, for which the caller checks the result first.
 * - `locked`: another operation of the project is running (423): a retry is safe, but only useful later.
 * - `unsent`: the request was not sent: a retry is safe for every method.
 * - `unknown`: it may have been carried out: a retry is safe only for reads.
 */
export type RetryClass = "done" | "throttled" | "busy" | "locked" | "unsent" | "unknown";

interface Meaning {
  readonly retryClass: Exclude<RetryClass, "unsent">;
  readonly kind: RequestErrorKind;
}

const refused = (kind: RequestErrorKind): Meaning => ({ retryClass: "done", kind });
const mayBeDone: Meaning = { retryClass: "unknown", kind: "broken" };

/** Statuses whose meaning differs from their class (4xx, 5xx). */
const statusMeanings: Readonly<Record<number, Meaning>> = {
  303: mayBeDone, // the answer to a write that was done is to be read elsewhere
  400: refused("badInput"),
  404: refused("notFound"),
  408: mayBeDone, // a gateway waited too long for the service, which may still be at work
  409: refused("conflict"),
  410: refused("notFound"),
  412: refused("conflict"), // it is not as the request expects it
  413: refused("badInput"), // the body is too large
  414: refused("badInput"), // the path is too long
  422: refused("badInput"),
  423: { retryClass: "locked", kind: "locked" },
  425: mayBeDone, // a gateway that sent the request early cannot say whether the service took it
  429: { retryClass: "throttled", kind: "throttled" },
  460: mayBeDone, // a load balancer lost the connection while the service was at work
  499: mayBeDone, // a gateway lost the connection to its client while the service was at work
  503: { retryClass: "busy", kind: "busy" },
};

/**
 * Whether a gateway may say this no after it passed a request on. A conflict is not a gateway's to see, and the
 * statuses that end no call have a meaning of their own, whoever says them.
 */
export function isGatewaysToo(status: number): boolean {
  const { retryClass, kind } = meaningOf(status);
  return status >= 400 && retryClass === "done" && kind !== "conflict";
}

/**
 * The other 5xx come from the service or from a gateway (502, 504, 520 to 527, 529, 598, 599). They include the statuses
 * for "no connection", since a gateway may have tried more than once.
 *
 * @param status - of an answer that is not a success.
 */
export function meaningOf(status: number): Meaning {
  return statusMeanings[status] ?? (status >= 500 ? mayBeDone : refused("refused"));
}
