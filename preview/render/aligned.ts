/** A table for a terminal: each column as wide as its widest cell. @param rows - the headings first. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const [headings = []] = rows;
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
