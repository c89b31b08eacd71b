import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** A new argument touches four places of the product, and the compiler names each of them that was left out. */

const root = path.join(__dirname, "..", "..");

interface Place {
  readonly file: string;
  readonly what: string;
  /** Stands in the file once; the new lines go above it. */
  readonly above: string;
  readonly lines: string;
}

const places: readonly Place[] = [
  {
    what: "the row in the table of arguments",
    file: "provider/fields.ts",
    above: "  restartTriggers: { ",
    lines: '  computeClass: { effect: "restart", wire: "compute_class", kind: "string", sent: "change" },\n',
  },
  {
    what: "its validation",
    file: "provider/endpoint/planning/inputs.ts",
    above: "    adopt: endpointId.optional(),",
    lines: '    computeClass: z.string(must("the name of a class")).optional(),\n',
  },
  {
    what: "its documented field",
    file: "sdk/endpoint.ts",
    above: "  /**\n   * Takes over the compute with this id instead of creating one",
    lines:
      "  /**\n   * The class of machine.\n   *\n   * Changing it restarts the compute and drops open connections.\n   */\n" +
      "  computeClass?: pulumi.Input<string>;\n\n",
  },
  {
    what: "its output",
    file: "sdk/endpoint.ts",
    above: "  declare readonly poolerEnabled: ",
    lines: "  declare readonly computeClass: pulumi.Output<string | undefined>;\n",
  },
];

/** The compiler over the files on disk, but for those that a test edits. */
function createCompiler(): (edits: readonly Place[]) => readonly string[] {
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const { options, errors } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  expect(errors).toEqual([]);
  // The product's own: see tsconfig.build.json.
  const own = { ...options, types: ["node"] };
  const host = ts.createCompilerHost(own);
  const fromDisk = host.getSourceFile.bind(host);
  const unedited = new Map<string, ts.SourceFile | undefined>();
  let edited: ReadonlyMap<string, string> = new Map();
  host.getSourceFile = (file, target) => {
    const text = edited.get(path.resolve(file));
    if (text !== undefined) return ts.createSourceFile(file, text, target);
    if (!unedited.has(file)) unedited.set(file, fromDisk(file, target));
    return unedited.get(file);
  };
  const roots = ["sdk/index.ts", "provider/index.ts"].map((file) => path.join(root, file));
  let program: ts.Program | undefined;
  return (edits) => {
    edited = textsOf(edits);
    program = ts.createProgram(roots, own, host, program);
    return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
      const at = file === undefined ? "" : path.relative(root, file.fileName);
      return `${at}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  };
}

function textsOf(edits: readonly Place[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { file, above, lines } of edits) {
    const full = path.join(root, file);
    const parts = (texts.get(full) ?? readFileSync(full, "utf8")).split(above);
    // Once, or the test would edit another place than it names.
    expect([file, above, parts.length]).toEqual([file, above, 2]);
    texts.set(full, parts.join(lines + above));
  }
  return texts;
}

describe("a new argument", () => {
  let compile: ReturnType<typeof createCompiler>;

  beforeAll(() => {
    compile = createCompiler();
  });

  it("compiles with its four places, and none besides", () => {
    expect(compile(places)).toEqual([]);
  });

  it.each(places.map((place) => ({ ...place, rest: places.filter((other) => other !== place) })))(
    "does not compile without $what",
    ({ rest }) => {
      const errors = compile(rest);
      expect(errors).not.toEqual([]);
      expect(errors.join("\n")).toContain("computeClass");
    },
  );
});
