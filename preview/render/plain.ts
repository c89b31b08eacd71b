/**
 * The Markdown for hosts other than GitHub: no HTML, no alerts, nothing that only one of them draws.
 *
 * It starts from the finished comment. That is safe because every tag and every alert in it is the report's own: foreign
 * text is quoted as code, where `escape.ts` leaves no angle bracket and no ampersand, or stands in a fenced block.
 */

const fence = /^(`{3,})text$/;

/** The sign stands for a link that is defined and never used, which all hosts leave out of what they show. */
const marker = /^<!-- (.*) -->$/;

/** @returns the same report, and never a longer one: what fits as a comment fits without HTML. */
export function toPlain(markdown: string): string {
  let open: string | undefined;
  const lines = markdown.split("\n").map((line) => {
    if (open !== undefined) {
      if (line === open) open = undefined;
      return line;
    }
    open = fence.exec(line)?.[1];
    return open === undefined ? plainLine(line) : line;
  });
  return lines.join("\n");
}

function plainLine(line: string): string {
  return line
    .replace(marker, "[_]: # ($1)")
    .replace(/^> \[!(\w)(\w+)\]$/, (_, first: string, rest: string) => `> ${first}${rest.toLowerCase()}:`)
    .replaceAll("<br>", "; ")
    .replaceAll("<wbr>", "")
    .replace(/^<details><summary>(.*)<\/summary>$/, "**$1**")
    .replace(/^<\/details>$/, "")
    .replaceAll(/<\/?sub>/g, "")
    .replaceAll(/<code>(.*?)<\/code>/g, (_, escaped: string) => codeSpan(escaped));
}

/** A longer run of backticks holds those of the text; a bar would end the cell, so it is written out. */
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
