/**
 * Reads a type's members and their comments from the sources. Editors show these comments to TypeScript programs, so
 * programs in other languages get the same text.
 *
 * It reads one file at a time and resolves nothing. This takes milliseconds; compiling a whole program takes seconds.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

import { checkoutFolder } from "../checkout";

/** An argument, an output or a fact, as it is declared. */
export interface Member {
  /** Its comment, one line per paragraph; empty if it has none. */
  readonly comment: readonly string[];
  readonly isOptional: boolean;
  /** The text after the colon, without `Input<…>`, `Output<…>` and `| undefined`. */
  readonly type: string;
}

/** One interface, class or function, or a constant that holds a function. */
export interface Declaration {
  readonly comment: readonly string[];
  readonly members: ReadonlyMap<string, Member>;
}

/** The declarations of one file, by name. Only interfaces and classes have members. */
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

/** The paragraphs of a comment, without its tags and its examples, which are in TypeScript. */
function commentOf(node: ts.Node): readonly string[] {
  const last = ts.getJSDocCommentsAndTags(node).findLast(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(last?.comment) ?? "";
  return text
    .replaceAll(/```.*?```/gs, "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "");
}
