/**
 * What the sources say of a type's members, comments included: the one text that editors show to TypeScript programs,
 * so that programs in other languages read the same.
 *
 * Reads one file at a time and resolves nothing, which takes milliseconds where a whole program takes seconds.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

import { checkoutFolder } from "../checkout";

/** An argument, an output or a fact as its declaration has it. */
export interface Member {
  /** Its comment, a line per paragraph; empty where it has none. */
  readonly comment: readonly string[];
  readonly isOptional: boolean;
  /** What stands after the colon, without `Input<…>`, `Output<…>` and `| undefined`. */
  readonly type: string;
}

/** One interface, class or function, or a constant that holds a function. */
export interface Declaration {
  readonly comment: readonly string[];
  readonly members: ReadonlyMap<string, Member>;
}

/** What one file declares, by name; of anything but interfaces and classes only what it says of itself. */
export function declarationsOf(file: string): ReadonlyMap<string, Declaration> {
  const text = readFileSync(path.join(checkoutFolder, file), "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const all = source.statements.map((statement): readonly [string, Declaration] => [
    nameOf(statement),
    { comment: commentOf(statement), members: membersOf(statement) },
  ]);
  return new Map(all.filter(([name]) => name !== ""));
}

function nameOf(statement: ts.Statement): string {
  const named = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement;
  return (named as { name?: ts.Node } | undefined)?.name?.getText() ?? "";
}

function membersOf(node: ts.Statement): ReadonlyMap<string, Member> {
  if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node)) return new Map();
  const properties = [...node.members].filter(
    (member) => ts.isPropertySignature(member) || ts.isPropertyDeclaration(member),
  );
  return new Map(properties.map((property) => [property.name.getText(), memberOf(property)]));
}

function memberOf(property: ts.PropertySignature | ts.PropertyDeclaration): Member {
  const written = property.type?.getText() ?? "unknown";
  const type = (/^pulumi\.(?:Input|Output)<(.*)>$/s.exec(written)?.[1] ?? written).trim();
  return {
    comment: commentOf(property),
    isOptional: property.questionToken !== undefined || type.endsWith("| undefined"),
    type: type.replace(/\s*\| undefined$/, ""),
  };
}

/** The paragraphs of a comment, without its tags and its examples: those are in TypeScript. */
function commentOf(node: ts.Node): readonly string[] {
  const last = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(last?.comment) ?? "";
  return text
    .replaceAll(/```.*?```/gs, "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "");
}
