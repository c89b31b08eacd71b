import type { ApiOperation } from "../../../../provider/service/schemas";
import { durationOf, observationOf, type Observation } from "../../../../provider/model/observation";
import { applies, at, replaces, starts, suspends } from "../../../support/operations";

const restarted = (mostMs: number | undefined): Observation => ({ happened: "restarted", mostMs });
const suspended: Observation = { happened: "suspended" };
const wholeSeconds = { created_at: "2026-01-05T08:00:00Z", updated_at: "2026-01-05T08:00:02Z" };

describe("what the operations of one request show", () => {
  it.each<[reason: string, shows: Observation, ...operations: ApiOperation[]]>([
    ["a size change (interface 3.1)", restarted(1_051), applies(0.3), starts(0.8)],
    ["a restart (interface 4.5)", restarted(2_251), suspends(0.3), starts(2)],
    [
      "a start created later than its stop",
      restarted(3_251),
      suspends(1),
      starts(3, { created_at: at(1.5) }),
    ],
    ["a move, and a compute that becomes disabled", suspended, applies(0.3), suspends(0.8)],
    ["one that wakes for its change and rests again", suspended, starts(1), applies(2), suspends(3)],
    ["an apply_config alone, which proves neither a restart nor its absence", {}, applies(0.3)],
    ["a request without an operation", {}],
    ["equal times: no bound is shorter than what they can show", restarted(251), starts(0)],
    ["whole seconds: the end may be a second later", restarted(3_250), starts(0, wholeSeconds)],
    ["an operation without a time", restarted(undefined), starts(1, { updated_at: null })],
    ["an end before the beginning", restarted(undefined), starts(-1)],
    ["an action that nobody told us of", {}, applies(1), replaces(2)],
    ["an action that nobody told us of, beside one that we know", restarted(2_251), replaces(1), starts(2)],
    ["a start that failed", {}, applies(1), starts(2, { status: "failed" })],
    ["a start that the service skipped", {}, applies(1), starts(2, { status: "skipped" })],
  ])("is right for %s", (_reason, shows, ...operations) => {
    expect(observationOf(operations)).toEqual(shows);
  });
});

it.each([
  { reason: "is from its creation to its end", more: {}, ms: 800 },
  { reason: "is not known without a time", more: { updated_at: null }, ms: undefined },
  { reason: "is not known where it ends before it begins", more: { created_at: at(2) }, ms: undefined },
])("how long an operation took $reason", ({ more, ms }) => {
  expect(durationOf(starts(0.8, more))).toBe(ms);
});
