import { changeOf } from "../../../provider/model/plan";
import { unknownValue } from "../../../provider/model/unknown";
import { toText } from "../../../preview/render/text";
import { commentOn, computeOn, failure, reportOn, size, step, warning, type StepParts } from "./previews";

describe("a change that is not made", () => {
  const base = { projectId: "p", branchId: "br-a", type: "read_only", ...size(1) };
  const notices = [
    { change: size(2), says: "size 1 → 2 CU" },
    { change: { ...size(2), disabled: true }, says: "size 1 → 2 CU and disabling it" },
    { change: { disabled: true }, says: "disabling it" },
    { change: { branchId: unknownValue }, says: "branchId, known only during the update" },
    { change: { type: "read_write" }, says: "type read_only → read_write" },
    { change: { settings: { pgSettings: { a: "b" } } }, says: "settings.pgSettings (a)" },
  ].map(({ change, says }) => ({ says, text: changeOf(base, { ...base, ...change }).interruption!.text }));

  it.each(notices)(
    "that waits is named by what it changes, with its notice below: $says",
    ({ says, text }) => {
      const verdict = { effect: "none", deferred: { effect: "restart", text: "until it is idle" } } as const;
      const report = reportOn([step({ new: { deferred: `until it is idle: ${text}` }, verdict })]);
      expect(report.computes).toMatchObject([
        { heldBack: says, notice: `deferred until it is idle: ${text}` },
      ]);
      expect(commentOn(report)).toContain(`| \`${says}\` (waits) |`);
      expect(toText(report)).toContain(`  change   ${says} (waits)\n`);
    },
  );

  it.each(notices)(
    "that is refused is named so too, with its reason below, once: $says",
    ({ says, text }) => {
      const reason = `${text}. This is forbidden here`;
      const message = `error: compute:index:Endpoint resource 'app' has a problem: ${reason}\n`;
      const report = reportOn([], failure(message, "app"));
      expect(report.computes).toMatchObject([{ outcome: "refused", heldBack: says, errors: [reason] }]);
      expect(commentOn(report)).toContain(`| \`${says}\` | The preview stopped here |`);
      expect(commentOn(report).match(/is forbidden here/g)).toHaveLength(1);
      expect(toText(report)).toContain(`  change   ${says}\n`);
    },
  );

  it("has one line for what stops several computes, and none where the provider names no change", () => {
    const diagnostics = ["a", "b"].flatMap((name) => failure("no API key is set", name).diagnostics);
    const report = reportOn([], { diagnostics });
    expect(report.computes.map((compute) => "heldBack" in compute)).toEqual([false, false]);
    expect(commentOn(report)).toContain("\n- `a`, `b`: `no API key is set`\n");
    expect(commentOn(report)).toContain("| `a` | ⛔ refused | — | The preview stopped here |");
  });
});

/**
 * A policy pack may change a declaration after the dynamic provider's check, which has written a verdict and a sentence
 * into it by then. The row comes from the diff: it counts.
 */
describe("a policy pack", () => {
  const interruption = "restart: size 1 → 4 CU drops open connections";
  const verdict = { effect: "restart", certain: true, now: "active", lastAccess: "5 min ago" } as const;
  /** What the check has written about 4 CU, and what the pack makes of it. */
  const grows = (cu: number, more: object = {}): StepParts => ({
    old: size(1),
    new: { ...size(cu), interruption, ...more },
    verdict,
  });
  const now = "(active now, last access 5 min ago)";
  const smaller = `restart: size 1 → 2 CU drops open connections ${now}`;
  const waiting = {
    old: size(1),
    new: { ...size(4), deferred: `until it is idle: ${interruption}` },
    verdict: { effect: "none", deferred: { effect: "restart", text: "until it is idle" } },
  } as const;
  const deferred = { effect: "restart", until: null };
  const heldBack = "size 1 → 4 CU";

  it.each<[does: string, parts: StepParts, row: string | undefined, is: string, expected: object]>([
    [
      "changes nothing",
      grows(4),
      `${interruption} ${now}`,
      "restart yes",
      { now: "active", notice: interruption },
    ],
    ["makes another size of it", grows(2), smaller, "restart yes", { notice: smaller }],
    ["keeps the size", grows(1, { suspendTimeoutSeconds: 600 }), undefined, "none no", { notice: null }],
    [
      "lets it wait",
      grows(4),
      `deferred until it is idle: ${interruption} (active now)`,
      "deferred no",
      { deferred, heldBack },
    ],
    ["does not let it wait", waiting, interruption, "restart yes", { deferred: null }],
  ])("that %s is reported as it is sent", (...[, parts, row, is, expected]) => {
    const compute = computeOn(parts, { diagnostics: row === undefined ? [] : [warning("app", row)] });
    expect(`${compute.outcome} ${compute.drops}`).toBe(is);
    expect(compute).toMatchObject(expected);
  });
});
