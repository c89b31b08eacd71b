/** Something that happened: pulumi's output is on the left, what the connection saw on the right. */
export interface Happening {
  readonly atMs: number;
  readonly side: "pulumi" | "connection";
  readonly text: string;
}

/** What one step of the demo did to the open connection. */
export interface StepResult {
  readonly step: string;
  readonly foretold: string;
  readonly seen: string;
}

const columnWidth = 52;

/** As wide as every line may be. */
export const timelineWidth: number = 10 + 2 * (columnWidth + 3) - 1;

export function timelineHead(): string[] {
  return [rowOf("time", "what pulumi said", "what the connection saw"), "─".repeat(timelineWidth)];
}

/** The lines of one row: its time stands on the first. */
export function timelineRows({ atMs, side, text }: Happening): string[] {
  return wrap(text, columnWidth).map((line, index) => {
    const time = index === 0 ? `${(atMs / 1000).toFixed(3)} s` : "";
    return side === "pulumi" ? rowOf(time, line, "") : rowOf(time, "", line);
  });
}

/** A table with columns as wide as what is in them. */
export function summaryTable(results: readonly StepResult[]): string[] {
  const rows = [
    ["step", "the preview", "the connection"],
    ...results.map(({ step, foretold, seen }) => [step, foretold, seen]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(" │ ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "─".repeat(width)).join("─┼─");
  return [...lines.slice(0, 1), rule, ...lines.slice(1)];
}

/** Breaks between words; a word that is longer than a line is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const pieces = word.match(new RegExp(`.{1,${width}}`, "gu")) ?? [];
    for (const piece of pieces) {
      const longer = line === "" ? piece : `${line} ${piece}`;
      if (longer.length <= width) line = longer;
      else {
        lines.push(line);
        line = piece;
      }
    }
  }
  return [...lines, line];
}

function rowOf(time: string, left: string, right: string): string {
  return `${time.padStart(9)} │ ${left.padEnd(columnWidth)} │ ${right}`.trimEnd();
}
