/**
 * Converts the Markdown for hosts other than GitHub: no HTML, no alerts, nothing that only one host renders.
 *
 * It converts the finished comment. That is safe because every tag and every alert comes from the report itself.
 * Foreign text is either in a fenced block or quoted as code, in which `escape.ts` allows no angle bracket and no
 * ampersand.
 */

const fence = /^(`{3,})text$/;

/** Becomes an unused link definition, which no host shows. */
const marker = /^<!-- (.*) -->$/;

/**
 * @param details - whether the host renders folded sections.
 *
 * @returns the report without HTML other than these sections, never longer than before.
 */
export function toPlain(markdown: string, { details = false } = {}): string {
  let open: string | undefined;
  const lines = markdown.split("\n").map((line) => {
    if (open !== undefined) {
      if (line === open) open = undefined;
      return line;
    }
    open = fence.exec(line)?.[1];
    if (open !== undefined || (details && /^<\/?details>/.test(line))) return line;
    return plainLine(line);
  });
  return lines.join("\n");
}

function plainLine(line: string): string {
  return line
    .replace(marker, "[_]: # ($1)")
    .replace(/^> \[!(\w)(\w+)\]$/, (_, first: string, rest: string) => `> ${first}${rest.toLowerCase()}:`)
    .replaceAll("<br>", "; ")
    .replaceAll("<wbr>", "")
    .replaceAll(/<details><summary>([^<]*)<\/summary>(.+?)<\/details>/g, "$1: $2")
    .replace(/^<details><summary>(.*)<\/summary>$/, "**$1**")
    .replace(/^<\/details>$/, "")
    .replaceAll(/<\/?sub>/g, "")
    .replaceAll(/<code>(.*?)<\/code>/g, (_, escaped: string) => codeSpan(escaped));
}

/** If the text contains backticks, a longer run of backticks encloses it. A bar would end the cell, so it is written out. */
function codeSpan(escaped: string): string {
  if (escaped === "") return "(empty)";
  const text = escaped
    .replaceAll(/&#(\d+);/g, (_, point: string) => String.fromCodePoint(Number(point)))
    .replaceAll("|", "\\u{7c}")
    .replaceAll(/^ | $/g, "\\u{20}");
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  if (runs.length === 0) return `\`${text}\``;
  const ticks = "`".repeat(Math.max(...runs) + 1);
  return `${ticks} ${text} ${ticks}`;
}
