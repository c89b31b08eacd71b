/**
 * Compiles the examples of comments, as programs that import the entry they stand in.
 */
import path from "node:path";
import ts from "typescript";
import type { Comment, ProjectReflection, Reflection } from "typedoc" with { "resolution-mode": "import" };

import { checkoutFolder } from "../checkout";

/** What an example may use without saying where it comes from. */
const known: Readonly<Record<string, string>> = {
  projectId: "string",
  branchId: "string",
  operationId: "string",
  baseUrl: "string",
  config: "pulumi.Config",
  app: 'import("pulumi-compute-endpoint").Endpoint',
  emulator: 'import("pulumi-compute-endpoint/emulator").Emulator',
};

interface Example {
  /** Whose comment it stands in. */
  readonly name: string;
  readonly entry: string;
  readonly code: string;
}

export interface Uncompiled {
  readonly name: string;
  readonly what: string;
}

export interface ExampleCheck {
  readonly examples: number;
  readonly uncompiled: readonly Uncompiled[];
}

export function checkExamples(project: ProjectReflection): ExampleCheck {
  const examples = examplesIn(project);
  const programs = new Map(
    examples.map((example, at) => [fileOf(at), { example, text: programOf(example, project) }]),
  );
  const texts = new Map([...programs].map(([file, { text }]) => [file, text]));
  const uncompiled = problemsIn(texts).map(({ file, what }) => ({
    name: programs.get(file)?.example.name ?? file,
    what,
  }));
  return { examples: examples.length, uncompiled };
}

/** Below the checkout, where the package finds itself by its own name. Nothing is written there. */
function fileOf(at: number): string {
  return path.join(checkoutFolder, "build", `example-${at}.mts`).split(path.sep).join("/");
}

function examplesIn(project: ProjectReflection): readonly Example[] {
  const all = Object.values(project.reflections).flatMap((reflection) =>
    codeIn(reflection.comment).map((code) => ({
      name: reflection.getFriendlyFullName(),
      entry: entryOf(reflection),
      code,
    })),
  );
  // A member that is inherited has the comment of the one it comes from.
  return [...new Map(all.map((example) => [`${example.entry} ${example.code}`, example])).values()];
}

function codeIn(comment: Comment | undefined): readonly string[] {
  const parts = (comment?.blockTags ?? [])
    .filter(({ tag }) => tag === "@example")
    .flatMap(({ content }) => content);
  return parts.flatMap(({ text }) => /^```ts\n(.*)\n```$/s.exec(text)?.[1] ?? []);
}

function entryOf(reflection: Reflection): string {
  const { parent } = reflection;
  return parent === undefined || parent.isProject() ? reflection.name : entryOf(parent);
}

/** Examples are short: what they leave out is put before them, unless they say it themselves. */
function programOf({ entry, code }: Example, project: ProjectReflection): string {
  const own = namesIn(code);
  const exported = project.children?.find(({ name }) => name === entry)?.children ?? [];
  const names = exported.map(({ name }) => name).filter((name) => !own.has(name));
  const declarations = Object.entries(known)
    .filter(([name]) => !own.has(name))
    .map(([name, type]) => `declare const ${name}: ${type};`);
  const pulumi = own.has("pulumi") ? [] : ['import * as pulumi from "@pulumi/pulumi";'];
  return [...pulumi, `import { ${names.join(", ")} } from "${entry}";`, ...declarations, code].join("\n");
}

/** What an example imports or declares at its top. */
function namesIn(code: string): ReadonlySet<string> {
  const declared = code.matchAll(/^(?:export )?(?:const|class|function) (?:\{([^}]*)\}|(\w+))/gm);
  const imported = code.matchAll(/^import (?:\* as (\w+)|\{([^}]*)\})/gm);
  const lists = [...declared, ...imported].flatMap(([, one = "", two = ""]) => `${one},${two}`.split(","));
  return new Set(lists.map((name) => name.replace(/^\s*type /, "").trim()));
}

function problemsIn(
  texts: ReadonlyMap<string, string>,
): readonly { readonly file: string; readonly what: string }[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    getCurrentDirectory: () => checkoutFolder,
    fileExists: (file) => texts.has(file) || disk.fileExists(file),
    readFile: (file) => texts.get(file) ?? disk.readFile(file),
    getSourceFile: (file, language, onError) => {
      const text = texts.get(file);
      return text === undefined
        ? disk.getSourceFile(file, language, onError)
        : ts.createSourceFile(file, text, language);
    },
  };
  const program = ts.createProgram({ rootNames: [...texts.keys()], options, host });
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line;
    const text = file?.text.split("\n")[line]?.trim() ?? "";
    return {
      file: file?.fileName ?? "",
      what: `\`${text}\`: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    };
  });
}
