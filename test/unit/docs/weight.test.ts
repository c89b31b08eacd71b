/**
 * How much a reader of the provider has to know. The numbers are only ever lowered: a feature that needs another concept
 * says which one goes for it. Lines have room of a tenth, since a mend must not have to look for lines elsewhere.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { root } from "./checkout";

const most = {
  concepts: 12,
  callsToTheRequest: 5,
  types: 223,
  functions: 530,
  linesOfCode: 9_200,
  filesReachedBy: { create: 21, update: 28, check: 22, diff: 15 },
} as const;

const provider = path.join(root, "provider");
const files = readdirSync(provider, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => path.join(provider, name));
const sources = new Map(
  files.map((file) => [
    file,
    ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true),
  ]),
);

/** Every node of a file, but for the comments. */
function nodesOf(source: ts.SourceFile): readonly ts.Node[] {
  const below = (node: ts.Node): ts.Node[] =>
    ts.isJSDoc(node) ? [] : [node, ...node.getChildren(source).flatMap(below)];
  return below(source);
}

const nodes = [...sources.values()].flatMap(nodesOf);

function linesOfCode(source: ts.SourceFile): number {
  const lines = new Set<number>();
  for (const node of nodesOf(source)) {
    if (node.getChildCount(source) > 0 || node.getWidth(source) === 0) continue;
    const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
    for (let line = lineAt(node.getStart(source)); line <= lineAt(node.end); line += 1) lines.add(line);
  }
  return lines.size;
}

/** Files that come with a file when it is loaded; types cost a reader nothing there. */
function reachedFrom(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const statement of sources.get(file)?.statements ?? []) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    const named = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : undefined;
    const isOfTypes =
      statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
      named?.every(({ isTypeOnly }) => isTypeOnly) === true;
    const target = path.join(path.dirname(file), `${statement.moduleSpecifier.text}.ts`);
    if (!isOfTypes && existsSync(target)) reachedFrom(target, seen);
  }
  return seen;
}

describe("a reader of the provider", () => {
  const page = readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8");

  it("meets twelve concepts, and each is in a file by that name", () => {
    const [, section = ""] = page.split("### Twelve concepts");
    const rows = section.split("\n###")[0]!.matchAll(/^\| (\w[\w ]*?) +\|.*\| (`.*`) *\|$/gm);
    const concepts = [...rows].map(([, name = "", where = ""]) => ({ name, where }));
    expect(concepts).toHaveLength(most.concepts);
    for (const { where } of concepts) {
      const places = [...where.matchAll(/`([^`]+)`/g)].map(([, place = ""]) => place);
      const found = places.map((place) => existsSync(path.join(provider, place)));
      expect({ where, found }).toEqual({ where, found: places.map(() => true) });
    }
  });

  it("follows a create to its request in five calls, as the page says", () => {
    const calls = [
      { in: "lifecycle/create.ts", call: "await post(step," },
      { in: "lifecycle/post.ts", call: "writeOnce<EndpointChange>({" },
      { in: "lifecycle/post.ts", call: "api.createEndpoint(" },
      { in: "service/client.ts", call: "send(parts, request," },
      { in: "service/request.ts", call: "transport.send(request," },
    ];
    expect(calls).toHaveLength(most.callsToTheRequest);
    for (const { in: file, call } of calls)
      expect(readFileSync(path.join(provider, file), "utf8")).toContain(call);
    const [, line = ""] = /^.*3\. the POST, once +──►(.*)$/m.exec(page) ?? [];
    expect(line.split("──►").map((each) => path.basename(each.trim()))).toEqual([
      "post.ts",
      "writeOnce.ts",
      "client.ts",
      "request.ts",
      "transport.ts",
    ]);
  });

  it.each(Object.entries(most.filesReachedBy))("finds what %s does in at most %i files", (verb, limit) => {
    const folder = ["check", "diff"].includes(verb) ? "plan" : "lifecycle";
    const reached = reachedFrom(path.join(provider, folder, `${verb}.ts`)).size;
    expect({ verb, files: Math.max(reached, limit) }).toEqual({ verb, files: limit });
  });

  it.each([
    {
      what: "types",
      limit: most.types,
      is: (node: ts.Node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node),
    },
    { what: "functions", limit: most.functions, is: ts.isFunctionDeclaration },
  ])("meets at most $limit $what", ({ what, limit, is }) => {
    const count = nodes.filter(is).length;
    expect({ what, count: Math.max(count, limit) }).toEqual({ what, count: limit });
  });

  it("reads at most so many lines of code, with room of a tenth", () => {
    const count = [...sources.values()].reduce((sum, source) => sum + linesOfCode(source), 0);
    expect(count).toBeLessThanOrEqual(most.linesOfCode);
  });
});
