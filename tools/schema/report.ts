/**
 * The JSON Schema of compute-preview's reports, from their types: programs in TypeScript have the types,
 * others have the schema, with the comments.
 */
import path from "node:path";
import ts from "typescript";

import { checkoutFolder } from "../checkout";

export type Schema = Readonly<Record<string, unknown>>;

/** What `--format json` prints, of one stack or of several. */
const printed = ["Report", "StacksReport"] as const;
const shape = "preview/judge/shape.ts";

export function reportSchema(): Schema {
  const file = path.join(checkoutFolder, shape);
  const program = ts.createProgram([file], {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    noEmit: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const types = [...(source?.statements ?? []).filter(ts.isInterfaceDeclaration), ...importedInto(source)]
    .map((node) => checker.getTypeAtLocation(node))
    .filter((type) => type.isClassOrInterface());
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What compute-preview --format json prints",
    oneOf: printed.map(reference),
    // Members are added without a new version: none that is unknown is refused.
    $defs: Object.fromEntries(types.map((type) => [type.symbol.name, objectOf(type, checker)])),
  };
}

/** Names that the shape takes from elsewhere, such as a figure from the provider's sizes. */
function importedInto(source: ts.SourceFile | undefined): readonly ts.ImportSpecifier[] {
  return (source?.statements ?? []).flatMap((node) => {
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : undefined;
    return bindings !== undefined && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
  });
}

function reference(name: string): Schema {
  return { $ref: `#/$defs/${name}` };
}

function objectOf(type: ts.Type, checker: ts.TypeChecker): Schema {
  const members = checker.getPropertiesOfType(type);
  const isOptional = (member: ts.Symbol): boolean => (member.flags & ts.SymbolFlags.Optional) !== 0;
  return {
    type: "object",
    ...descriptionOf(type.symbol, checker),
    properties: Object.fromEntries(
      members.map((member) => [
        member.name,
        { ...schemaOf(checker.getTypeOfSymbol(member), checker), ...descriptionOf(member, checker) },
      ]),
    ),
    required: members.filter((member) => !isOptional(member)).map(({ name }) => name),
  };
}

function descriptionOf(symbol: ts.Symbol, checker: ts.TypeChecker): Schema {
  const text = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replaceAll(/\s+/g, " ")
    .trim();
  return text === "" ? {} : { description: text };
}

/** @throws where a shape has a type that JSON has not, or that nobody has needed yet. */
function schemaOf(type: ts.Type, checker: ts.TypeChecker): Schema {
  if (type.flags & ts.TypeFlags.Boolean) return { type: "boolean" };
  if (type.isUnion()) return unionOf(type.types, checker);
  if (type.isLiteral()) return { const: type.value };
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return { type: "array", items: item === undefined ? {} : schemaOf(item, checker) };
  }
  if (type.flags & ts.TypeFlags.Object) return reference(type.symbol.name);
  const name = checker.typeToString(type);
  if (!["string", "number", "null", "true", "false"].includes(name))
    throw new Error(`No JSON Schema for ${name}.`);
  return name === "true" || name === "false" ? { const: name === "true" } : { type: name };
}

/** Texts to choose from are one enumeration, and the two halves of a boolean one type. */
function unionOf(all: readonly ts.Type[], checker: ts.TypeChecker): Schema {
  const types = all.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
  const isBoolean = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.BooleanLiteral) !== 0;
  const texts = types.flatMap((type) => (type.isStringLiteral() ? [type.value] : []));
  const others = types.filter((type) => !type.isStringLiteral() && !isBoolean(type));
  const options = [
    ...(texts.length === 0 ? [] : [{ type: "string", enum: texts }]),
    ...(types.some(isBoolean) ? [{ type: "boolean" }] : []),
    ...others.map((type) => schemaOf(type, checker)),
  ];
  const [only] = options;
  return options.length === 1 && only !== undefined ? only : { anyOf: options };
}
