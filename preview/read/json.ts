/**
 * Finds the JSON of a preview among the lines that tools print around it, and says what is wrong with a text that has none.
 */
import type { z } from "zod";
import { isMap } from "./values";

export const pulumiAdvice = "Run `pulumi preview --json`, and pass its whole output: a file, or a pipe.";

/** The two commands that make a plan in JSON. */
export function planAdvice(text = ""): string {
  const tool = /tofu/i.test(text) ? "tofu" : "terraform";
  return `Run \`${tool} plan -out plan\`, then \`${tool} show -json plan > plan.json\`, and pass that file.`;
}

/** The input is not a preview: the message says what it is, and what to run. */
export class UnreadableInputError extends Error {
  /** @param reason - what it is instead, as a clause. */
  constructor(
    readonly reason: string,
    readonly advice = pulumiAdvice,
  ) {
    super(`Reading the preview: ${reason}. ${advice}`);
  }
}

/**
 * All documents in a text, whatever lines stand before, between and after them.
 *
 * @throws UnreadableInputError if a part of one is missing: what is left may look harmless.
 */
export function documentsIn(text: string): readonly unknown[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const found: unknown[] = [];
  const begin = /^[[{]/gm;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const end = endOf(text, match.index);
    const json = end === undefined ? undefined : parsed(text.slice(match.index, end));
    if (json !== undefined && end !== undefined && !goesOn.test(text.slice(end))) {
      found.push(json);
      begin.lastIndex = end;
    } else if (json !== undefined || beginsDocument.test(text.slice(match.index))) throw damaged(text, end);
  }
  return found;
}

/** Other lines may begin with a bracket too: `[command]`, or an object that a program prints. */
const beginsDocument = /^(?:\{|\[\s*\{)\s*"(?:[^"\\]|\\[^])*"\s*:/;

/** Behind the last bracket of a document nothing of it follows. */
const goesOn = /^\s*(?:[,\]}]|"(?:[^"\\]|\\[^])*"\s*:)/;

/** @param end - of the part that looks whole; undefined if there is none. */
export function damaged(text: string, end?: number): UnreadableInputError {
  return new UnreadableInputError(
    end === undefined
      ? `it is cut off after ${text.length} characters`
      : `its JSON is broken on line ${text.slice(0, end).split("\n").length} or behind it`,
    adviceFor(text),
  );
}

export function adviceFor(text: string): string {
  return /"(?:format_version|resource_changes)"/.test(text) ? planAdvice(text) : pulumiAdvice;
}

/** Behind the bracket that closes the one at the beginning; undefined if there is none. */
function endOf(text: string, begin: number): number | undefined {
  const tokens = /"(?:[^"\\]|\\[^])*"|[[\]{}]/g;
  tokens.lastIndex = begin;
  let depth = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0].startsWith('"')) continue;
    depth += "[{".includes(token[0]) ? 1 : -1;
    if (depth === 0) return tokens.lastIndex;
  }
  return undefined;
}

/** undefined for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What a text is that has no preview, and what to run in its place. */
export function unreadable(text: string, documents: readonly unknown[]): UnreadableInputError {
  const [json] = documents;
  const other = kinds.find(({ is }) => is({ text, json }));
  if (other !== undefined) return new UnreadableInputError(other.reason, other.advice?.(text));
  if (json !== undefined)
    return new UnreadableInputError(`it is JSON, but of something else (${kindOf(json)})`);
  return new UnreadableInputError("it is no JSON");
}

interface Found {
  readonly text: string;
  /** The first document, if there is one. */
  readonly json: unknown;
}

const has = (json: unknown, ...names: readonly string[]): boolean =>
  isMap(json) && names.every((name) => name in json);

/** What people pass in place of a preview. */
const kinds: readonly {
  readonly is: (found: Found) => boolean;
  readonly reason: string;
  readonly advice?: (text: string) => string;
}[] = [
  {
    is: ({ text }) => text.startsWith("Previewing "),
    reason: "it is text for people: --json was left out",
  },
  {
    is: ({ json }) => has(json, "@level", "@message"),
    reason: "these are the lines that a plan prints with -json, which have no values",
    advice: planAdvice,
  },
  {
    is: ({ json }) =>
      has(json, "lineage", "serial") ||
      has(json, "format_version", "values") ||
      has(json, "format_version", "terraform_version"),
    reason: "it is a state of Terraform, which plans nothing",
    advice: planAdvice,
  },
  {
    is: ({ text }) => text.startsWith("PK\u0003\u0004"),
    reason: "it is a plan file, which is no JSON",
    advice: () => "Run `terraform show -json plan > plan.json` on it (or `tofu show …`), and pass that file.",
  },
  {
    is: ({ text, json }) =>
      json === undefined && /^(?:Terraform|OpenTofu) (?:used|will)|^No changes\. /m.test(text),
    reason: "it is a plan as text for people",
    advice: planAdvice,
  },
  {
    is: ({ text }) => /^[^\n{]*\S[^\n{]*\{"(?:format_version|resource_changes)"/m.test(text),
    reason: "each line has a prefix before its JSON, as terragrunt prints it",
    advice: () =>
      "Run `terragrunt run --tf-forward-stdout -- show -json plan > plan.json`, and pass that file.",
  },
  {
    is: ({ json }) => [json].flat().some((item) => has(item, "address", "change")),
    reason: "it is a list of changes without their plan",
    advice: planAdvice,
  },
  {
    is: ({ json }) => isMap(json) && Array.isArray(json["events"]),
    reason: "these are the events that Pulumi Cloud keeps, which are in a form of their own",
    advice: () => "Run `pulumi preview --json > preview.json` where the program is, and pass that file.",
  },
  { is: ({ json }) => has(json, "deployment"), reason: "it is JSON, but of something else (a stack export)" },
];

/** What other JSON it is. Names of members only: values may be secret. */
function kindOf(json: unknown): string {
  if (!isMap(json)) return Array.isArray(json) ? "a list" : `a ${json === null ? "null" : typeof json}`;
  const names = Object.keys(json).slice(0, 5);
  return names.length === 0 ? "an empty object" : `an object with ${names.join(", ")}`;
}

export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? "unknown" : `${issue.path.join(".")}: ${issue.message}`;
}
