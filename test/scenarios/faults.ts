/**
 * Words that rows use for what goes wrong.
 *
 * | word                     | the service                            | the answer                           |
 * | ------------------------ | -------------------------------------- | ------------------------------------ |
 * | `answers(status)`        | does nothing                           | this status                          |
 * | `done(status)`           | does what it is asked                  | this status                          |
 * | `cut`                    | does nothing                           | none: the connection is closed       |
 * | `lost`                   | does what it is asked                  | none: the connection is closed       |
 * | `answersBody(body)`      | does what it is asked                  | the usual status, with this body     |
 * | `doesNothing`            | does nothing                           | success, with the compute as it was  |
 * | `stale`                  | does what it is asked                  | as it was when the fault began       |
 * | `unlisted`               | does what it is asked                  | a list without computes              |
 * | `lists(of)`              | does what it is asked                  | a list of these computes instead     |
 * | `operation(action, end)` | ends that operation as the rule says   | the usual one                        |
 *
 * `answers` and `done` take a body and headers too: `done(200, { body: page })`. A fault meets one request of its route: the
 * first that no earlier fault meets. `unlisted` and `lists` meet all requests of a step. `times(3, fault)`, `forAWhile(fault)`,
 * `always(fault)`, `after(2, fault)` and `since("PATCH", fault)` change this. A `stale` list shows the moment at which its fault
 * began. All faults end with their step. `world.ts` names the routes; `emulator/service/faults/rules.ts` has all kinds of faults.
 */
import { createShowsAfterMs, writeShowsAfterMs } from "../../provider/model/timing";
import type { FaultEffect, TimelineRule, WireEndpoint } from "../../emulator";
import type { Fault } from "./row";
import type { Route, World } from "./world";

/** An answer with this status in place of the service's own. */
export function answers(status: number, more: Partial<Extract<FaultEffect, { kind: "status" }>> = {}): Fault {
  return { kind: "status", status, ...more };
}
/** An answer with this status, after the request was carried out. */
export const done = (status: number, more: Parameters<typeof answers>[1] = {}): Fault =>
  answers(status, { ...more, when: "after" });
/** No answer, and nothing was done. */
export const cut: Fault = { kind: "cut" };
/** The answer is lost after the request was carried out. */
export const lost: Fault = { kind: "cut", when: "after" };
export const page = "<html><body>forbidden</body></html>";
/** Lists as they were when the fault began. */
export const stale: Fault = { kind: "stale" };
/** Another body, with the right status. */
export const answersBody = (body: unknown): Fault => ({ kind: "wrongShape", body });
/** Lists that show no compute. */
export const unlisted: Fault = { ...answersBody({ endpoints: [] }), times: 1_000 };
/** Lists show these computes instead of the real one. */
export const lists =
  (endpointsOf: (live: WireEndpoint) => unknown, count = 1_000) =>
  ({ emulator, idOf }: World): Fault =>
    times(count, answersBody({ endpoints: endpointsOf(emulator.endpoint(idOf("db")).endpoint) }));
/** The service answers as if it had accepted the change, and does nothing. */
export const doesNothing = ({ emulator, idOf }: World): Fault =>
  answers(200, { body: { endpoint: emulator.endpoint(idOf("db")).endpoint, operations: [] } });
export const times = (count: number, fault: Fault): Fault => ({ ...fault, times: count });
export const always = (fault: Fault): Fault => times(10_000, fault);
/** The fault lasts longer than the retries of one read, and ends before the step's timeout. */
export const forAWhile = (fault: Fault): Fault => times(6, fault);
export const after = (count: number, fault: Fault): Fault => ({ ...fault, after: count });
/** A fault that begins with the first request of another route. */
export const since = (route: Route, fault: Fault): Fault => ({ ...fault, since: route });

/** How often a create without an answer looks for its compute. `listsOfACreate` is how many lists it reads in all. */
export const looksForACreate = createShowsAfterMs.length;
export const listsOfACreate = 1 + looksForACreate;
/** How often a write looks again for what it has changed. */
export const looksAfterAWrite = writeShowsAfterMs.length;

/** The next operation with this action proceeds as the rule says. */
export const operation = (action: string, more: Omit<TimelineRule, "action">): TimelineRule => ({
  action,
  times: 1,
  ...more,
});
