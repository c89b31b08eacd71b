/** Notices, figures and pictures of the pages, compared with what is printed today. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { reportOf } from "../../../preview/judge/report";
import { readPreview } from "../../../preview/read/preview";
import { stopped } from "../../../provider/lifecycle/update";
import { readConfig } from "../../../provider/settings/config";
import { changeOf, type PlannedChange } from "../../../provider/model/interruption";
import { decideOn } from "../../../provider/model/policy";
import { noticeOf } from "../../../provider/plan/announcement";
import { rowText } from "../../../provider/model/notice";
import { fixedSize } from "../../../provider/model/sizes";
import { expectShown } from "../../support/kept";
import { commentOn } from "../preview/previews";
import { root, textOf } from "./checkout";

const readme = textOf("README.md");

/** A resize of the pages' compute, and what a policy makes of it. */
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
const place = { endpointId: "ep-cool-name-123456", branchId: "br-odd-river-123456" };
const waiting = (running: "active" | "idle"): string => {
  const { change, decision } = resizing(running, { "compute:onInterruption": "defer" });
  return `warning: ${rowText(noticeOf(change, decision)!)}`;
};
const window = { "compute:interruptionWindow": "Sat,Sun 02:00-04:00 Europe/Berlin" };
const { deferral } = resizing("active", { "compute:onInterruption": "defer", ...window }).decision;
const figures = resizing("active").change.interruption!.text;

/** With `GOLDENS=write`, the pages get them. */
it.each<[what: string, page: string, begins: RegExp, line: string]>([
  [
    "a forbidden interruption",
    "docs/interruptions.md",
    /^error: changing compute \S+: restart: .*$/m,
    `error: changing compute ${place.endpointId}: ${forbidden.what}. ${forbidden.fix}.`,
  ],
  [
    "the notice of a restart",
    "docs/interruptions.md",
    /^warning: restart: restartTriggers .*$/m,
    `warning: ${rowText(noticeOf(triggered, {})!)}`,
  ],
  [
    "what stops where a branch has a compute that has not come back",
    "docs/interruptions.md",
    /^error: .* nothing was sent, because .*$/m,
    `error: ${stopped(place, "replica (ep-warm-night-654321)").message}`,
  ],
  ["what waits, of an active one", "docs/interruptions.md", /^warning: deferred .*$/m, waiting("active")],
  ["what waits, of an idle one", "docs/interruptions.md", /^warning: restart: size .*$/m, waiting("idle")],
  [
    "what waits for a window",
    "docs/maintenance-windows.md",
    /^warning: deferred .*$/m,
    `warning: deferred ${deferral!.text}`,
  ],
  ["a preview's property", "README.md", /(?<=\+ interruption +: ").*(?="$)/m, figures],
  [
    "a preview's row",
    "README.md",
    /^warning: restart: .*$/m,
    `warning: ${figures.replace(/;|$/, " (active now, last access under a minute ago)$&")}`,
  ],
])("%s is shown as it is printed, in %s", (...[, page, begins, line]) => {
  expectShown(page, begins, line);
});

/** Behind the header, as tools/pictures/comment.mjs puts it. */
function commentIn(picture: string): string {
  const png = readFileSync(path.join(root, "docs/images", `${picture}.png`));
  expect(png.toString("latin1", 1, 4)).toBe("PNG");
  // Small enough for a page.
  expect(png.length).toBeLessThan(200_000);
  return png.toString("utf8", 33 + 8 + "Comment\0\0\0\0\0".length, 33 + 8 + png.readUInt32BE(33));
}

it("the picture of a comment on a plan of Terraform has the words of today (else: npm run picture -- terraform)", () => {
  const plan = JSON.parse(textOf("test/unit/preview/fixtures/terraform/neon.json")) as {
    resource_changes: { address: string }[];
  };
  const shown = plan.resource_changes.filter(({ address }) => !/^module|moved$|tuned$/.test(address));
  const bytes = Buffer.from(JSON.stringify({ ...plan, resource_changes: shown }));
  const report = reportOf(readPreview(bytes), ["restart"]);
  expect(commentIn("terraform")).toBe(commentOn(report).trim());
  expect(readme).toContain(`![A comment on a plan of Terraform. Refused: ${report.verdict.line}.]`);
});
