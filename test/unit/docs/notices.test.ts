/** Compares the notices in pages with what is printed today. */
import { readConfig } from "../../../provider/settings/config";
import { changeOf, type PlannedChange } from "../../../provider/model/interruption";
import { decideOn } from "../../../provider/model/policy";
import { rowOn } from "../../../provider/plan/said";
import { fixedSize } from "../../../provider/model/sizes";
import { expectShown } from "../../support/kept";

/** A resize of the pages' compute, and what the policy decides. */
function resizing(
  running: "active" | "idle",
  stack: Readonly<Record<string, string>> = {},
): { readonly change: PlannedChange; readonly decision: ReturnType<typeof decideOn> } {
  const now = { running };
  const change = changeOf({ ...fixedSize(0.25) }, { ...fixedSize(1) }, { service: "interface", now });
  const nowMs = Date.parse("2026-11-23T12:00:00Z");
  return { change, decision: decideOn(change, { config: readConfig((key) => stack[key], {}), nowMs }) };
}

const forbidden = resizing("idle", { "compute:onInterruption": "forbid" }).decision.refusal!;
const triggers = (release: string): object => ({ restartTriggers: { release } });
const triggered = changeOf(triggers("2026-48"), triggers("2026-49"), { now: { running: "active" } });
const waiting = (running: "active" | "idle"): string => {
  const { change, decision } = resizing(running, { "compute:onInterruption": "defer" });
  return `warning: ${rowOn({ change, ...decision } as never)!}`;
};
const window = { "compute:interruptionWindow": "Sat,Sun 02:00-04:00 Europe/Berlin" };
const { deferral } = resizing("active", { "compute:onInterruption": "defer", ...window }).decision;
const figures = resizing("active").change.interruption!.text;

/** `GOLDENS=write` writes the lines into the pages. */
it.each<[what: string, page: string, begins: RegExp, line: string]>([
  [
    "a forbidden interruption",
    "docs/interruptions.md",
    /^error: changing compute \S+: restart: .*$/m,
    `error: changing compute ep-cool-name-123456: ${forbidden.what}. ${forbidden.fix}.`,
  ],
  [
    "the notice of a restart",
    "docs/interruptions.md",
    /^warning: restart: restartTriggers .*$/m,
    `warning: ${rowOn({ change: triggered } as never)!}`,
  ],
  [
    "a deferred change of an active compute",
    "docs/interruptions.md",
    /^warning: restart, deferred until an update finds the compute idle: .*$/m,
    waiting("active"),
  ],
  [
    "a deferrable change of an idle compute",
    "docs/interruptions.md",
    /^warning: restart: size .*$/m,
    waiting("idle"),
  ],
  [
    "a change deferred to a window",
    "docs/interruptions.md",
    /^warning: restart, deferred until an update finds the compute idle or .*$/m,
    `warning: ${deferral!.text}`,
  ],
  ["the property `interruption` in a preview", "README.md", /(?<=\+ interruption +: ").*(?="$)/m, figures],
  [
    "the row of a preview",
    "README.md",
    /^warning: restart: .*$/m,
    `warning: ${figures.replace(/;|$/, " (compute active now, last access under a minute ago)$&")}`,
  ],
])("%s is shown as printed, in %s", (...[, page, begins, line]) => {
  expectShown(page, begins, line);
});
