import { changeOf } from "../../../provider/pure/plan";
import { unknownValue } from "../../../provider/pure/unknown";
import { fixedSize } from "../../../provider/pure/sizes";
import { commentLength, toMarkdown } from "../../../preview/render/markdown";
import { toText } from "../../../preview/render/text";
import { failure, reportOn, step } from "./previews";

describe("a change that is not made", () => {
  const base = { projectId: "p", branchId: "br-a", type: "read_only", ...fixedSize(1) };
  const notices = [
    { change: fixedSize(2), says: "size 1 → 2 CU" },
    { change: { ...fixedSize(2), disabled: true }, says: "size 1 → 2 CU and disabling it" },
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
      expect(toMarkdown(report, { maxLength: commentLength })).toContain(`| \`${says}\` (waits) |`);
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
      const markdown = toMarkdown(report, { maxLength: commentLength });
      expect(markdown).toContain(`| \`${says}\` | The preview stopped here |`);
      expect(markdown.match(/is forbidden here/g)).toHaveLength(1);
      expect(toText(report)).toContain(`  change   ${says}\n`);
    },
  );

  it("has one line for what stops several computes, and none where the provider names no change", () => {
    const diagnostics = ["a", "b"].flatMap((name) => failure("no API key is set", name).diagnostics);
    const report = reportOn([], { diagnostics });
    expect(report.computes.map((compute) => "heldBack" in compute)).toEqual([false, false]);
    const markdown = toMarkdown(report, { maxLength: commentLength });
    expect(markdown).toContain("\n- `a`, `b`: `no API key is set`\n");
    expect(markdown).toContain("| `a` | ⛔ refused | — | The preview stopped here |");
  });
});
