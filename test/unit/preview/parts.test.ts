/** What the report says of a change that does several things, or of which a part is not known yet. */
import { commentLength, toMarkdown } from "../../../preview/render/markdown";
import { toText } from "../../../preview/render/text";
import type { Report } from "../../../preview/judge/shape";
import type { Verdict } from "../../../provider/pure/interruption";
import { reportOn, size, step, unknownId } from "./previews";

const comment = (report: Report): string => toMarkdown(report, { maxLength: commentLength });

describe("a change of several parts", () => {
  const both = step({ old: size(1), new: { ...size(2), branchId: "br-b" } });
  const unknownBranch = step({ old: size(1), new: { ...size(2), branchId: unknownId } });
  const unknownRegion = step({
    old: { ...size(1), regionId: "r1" },
    new: { ...size(2), regionId: unknownId },
  });

  it.each([
    ["all are certain", both, "moves to another branch and restarts"],
    ["one is not", unknownBranch, "restarts and may move to another branch"],
    ["a replacement would take its place", unknownRegion, "restarts or may be replaced"],
  ])("names each of them, where %s", (_reason, part, says) => {
    const report = reportOn([part]);
    expect(comment(report)).toContain(`| \`app\` | 🟠 ${says} |`);
    expect(comment(report)).toContain(`- \`app\` (\`ep-app\`) ${says}\n`);
    expect(toText(report)).toContain(`app ${says}\n`);
  });

  it("says of a value that only the update knows what it may do", () => {
    const details = comment(reportOn([unknownBranch]));
    expect(details).toContain("`branchId`: `br-a` → known during the update (may move)");
  });

  it.each([
    {
      parts: { op: "replace", old: { regionId: "r1" }, new: { regionId: unknownId } },
      says: "| Open connections may drop; its host may go away (`ep-app.example`) |",
    },
    {
      parts: { new: { branchId: unknownId } },
      says: "| Open connections may drop; the same host may then serve another branch |",
    },
  ])("is as unsure of its host: $says", ({ parts, says }) => {
    expect(comment(reportOn([step(parts)]))).toContain(says);
  });

  it("leaves out a part that this version does not know", () => {
    const also = [{ effect: "reboot", certain: true }] as unknown as Verdict["also"];
    const report = reportOn([step({ new: { branchId: "br-b" }, verdict: { effect: "move", also } })]);
    expect(comment(report)).toContain("| 🟠 moves to another branch |");
  });
});
