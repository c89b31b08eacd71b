/**
 * Comments cite docs/interface.md by its numbers ("interface 3.1"): here these become links to its page.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Comment, CommentDisplayPart, NormalizedPath, ProjectReflection } from "typedoc" with {
  "resolution-mode": "import",
};

import { checkoutFolder } from "../checkout";

const cited = path.join(checkoutFolder, "docs/interface.md");

export function linkCitations(project: ProjectReflection): void {
  const { target } = project.files.registerAbsolute(cited.split(path.sep).join("/") as NormalizedPath);
  const anchors = anchorsByNumber();
  const linked = (parts: CommentDisplayPart[]): CommentDisplayPart[] =>
    parts.flatMap((part) =>
      part.kind !== "text"
        ? [part]
        : piecesOf(part.text).flatMap((piece): CommentDisplayPart[] => {
            // A request has no heading of its own: 4.2 is described in section 4.
            const anchor = anchors.get(piece) ?? anchors.get(piece.replace(/\..*/, ""));
            if (!/^\d+(\.\d+)?$/.test(piece) || anchor === undefined) return [{ kind: "text", text: piece }];
            return [
              { kind: "text", text: `[${piece}](` },
              { kind: "relative-link", text: `docs/interface.md#${anchor}`, target, targetAnchor: anchor },
              { kind: "text", text: ")" },
            ];
          }),
    );
  for (const comment of commentsIn(project)) {
    comment.summary = linked(comment.summary);
    for (const tag of comment.blockTags) tag.content = linked(tag.content);
  }
}

/** Each number that is cited is a piece of its own: "(interface 2.1, 4.3)" has two. */
function piecesOf(text: string): readonly string[] {
  const citation = /\b(?:interface(?: section)?|section) \d+(?:\.\d+)?(?:, (?:section )?\d+(?:\.\d+)?)*/g;
  let end = 0;
  const pieces = [...text.matchAll(citation)].flatMap((found) => {
    const before = text.slice(end, found.index);
    end = found.index + found[0].length;
    return [before, ...found[0].split(/(\d+(?:\.\d+)?)/)];
  });
  return [...pieces, text.slice(end)].filter((piece) => piece !== "");
}

function anchorsByNumber(): ReadonlyMap<string, string> {
  const headings = readFileSync(cited, "utf8").matchAll(/^#+ ((\d+(?:\.\d+)?)\.? .*)$/gm);
  return new Map(
    [...headings].map(([, heading = "", number = ""]) => [
      number,
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, "")
        .replaceAll(/\s/g, "-"),
    ]),
  );
}

function commentsIn(project: ProjectReflection): readonly Comment[] {
  const all = Object.values(project.reflections).map(({ comment }) => comment);
  return [...new Set(all.filter((comment) => comment !== undefined))];
}
