import { summaryTable, timelineHead, timelineRows, timelineWidth, wrap } from "../../../tools/demo/timeline";

const cellsOf = (line: string): string[] => line.split("│").map((cell) => cell.trim());

describe("the timeline of the demo", () => {
  it("puts what pulumi said on the left, and what the connection saw on the right", () => {
    const [left = ""] = timelineRows({ atMs: 1_234, side: "pulumi", text: "pulumi up …" });
    const [right = ""] = timelineRows({ atMs: 62_005, side: "connection", text: "57P01" });
    expect(cellsOf(left)).toEqual(["1.234 s", "pulumi up …", ""]);
    expect(cellsOf(right)).toEqual(["62.005 s", "", "57P01"]);
  });

  it("has its columns at the same places in every line, and the time on the first line of a text", () => {
    const text = "words that fill more than one line of a column ".repeat(4);
    const lines = (["pulumi", "connection"] as const).flatMap((side) =>
      timelineRows({ atMs: 5, side, text }),
    );
    const places = [...timelineHead().slice(0, 1), ...lines].map((line) => [
      line.indexOf("│"),
      line.lastIndexOf("│"),
    ]);
    expect(new Set(places.map(String)).size).toBe(1);
    expect(lines.filter((line) => line.includes("0.005 s"))).toHaveLength(2);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(timelineWidth);
  });
});

describe("wrap", () => {
  it.each([
    { text: "", lines: [""], reason: "nothing is one empty line" },
    { text: "ab cd ef", lines: ["ab cd", "ef"], reason: "lines break between words" },
    { text: "abcdefg hi", lines: ["abcde", "fg hi"], reason: "a longer word is cut" },
  ])("gives $lines: $reason", ({ text, lines }) => {
    expect(wrap(text, 5)).toEqual(lines);
  });
});

describe("the summary of the demo", () => {
  it("has a row for each step, with columns as wide as what is in them", () => {
    expect(
      summaryTable([
        { step: "resize", foretold: "restart", seen: "57P01" },
        { step: "timeout", foretold: "no interruption", seen: "stood" },
      ]),
    ).toEqual([
      "step    │ the preview     │ the connection",
      "────────┼─────────────────┼───────────────",
      "resize  │ restart         │ 57P01",
      "timeout │ no interruption │ stood",
    ]);
  });
});
