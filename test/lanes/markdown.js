"use strict";

/** A table in Markdown, of its heading and its rows. */
function tableOf(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

module.exports = { tableOf };
