/** What the examples in other languages need to run on this machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { preparedBy } from "../preparing";

export const languages = ["python", "go", "yaml"] as const;

export type Language = (typeof languages)[number];

export interface Prepared {
  /** The folder of the generated SDKs. */
  readonly sdks: string;
  /** For its host: `runtime.options` of Pulumi.yaml. */
  readonly options: Readonly<Record<string, string>>;
  readonly environment: NodeJS.ProcessEnv;
  /** The command of its host; absent if the engine brings its own. */
  readonly host?: readonly string[];
}

/** What each language runs with, or why it cannot run here. The first time takes minutes, later ones a second. */
export function prepareLanguages(): Readonly<Record<Language, Prepared | { readonly missing: string }>> {
  return preparedBy(path.join(__dirname, "prepare.ts")) as ReturnType<typeof prepareLanguages>;
}

/** The variables of a run: with them the engine finds the language's host in the stack's folder. */
export function environmentFor(
  language: Language,
  { host, environment }: Prepared,
  stack: { readonly folder: string; readonly path: string },
): NodeJS.ProcessEnv {
  if (host === undefined) return environment;
  const bin = path.join(stack.folder, "bin");
  const words = host.map((word) => `'${word}'`).join(" ");
  mkdirSync(bin);
  const script = path.join(bin, `pulumi-language-${language}`);
  writeFileSync(script, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
  return { ...environment, PATH: [bin, stack.path].join(path.delimiter) };
}
