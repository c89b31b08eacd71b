/**
 * Where a setting is looked for, and in which order: the one rule, for the provider and for stack programs. Pure.
 */
import type { Unreadable } from "../errors";
import { rowOf, settings, type Setting, type SettingName, type SettingValues } from "./table";

/**
 * The first place that sets a value counts: what a program says of one provider, then what is said of the stack, then
 * what the machine says of every stack. So an account that is named in a program or a stack is never another one because
 * of a variable that happens to be exported.
 */
const placesInOrder = ["argument", "stack", "environment"] as const;

export type SettingSource = (typeof placesInOrder)[number];

/** Looks a setting up in one place. */
export type LookUp = (setting: Setting) => string | undefined;

/** The places that there are where this is read. */
export type SettingSources = { readonly [P in SettingSource]?: LookUp };

/** A value that cannot be read, with the place that has it. */
export interface Misread extends Unreadable {
  /** `reading the configuration compute:readSingle`. */
  readonly doing: string;
}

/** What is set, and where. */
export interface Given {
  readonly text: string;
  readonly place: SettingSource;
}

/** @returns undefined where no place sets it; blank is not set. */
export function givenIn(sources: SettingSources, name: SettingName): Given | undefined {
  const given = placesInOrder.flatMap((place) => {
    const text = sources[place]?.(settings[name])?.trim() ?? "";
    return text === "" ? [] : [{ text, place }];
  });
  const { kind, strictestCounts } = rowOf(name);
  return strictestCounts === true && typeof kind === "object" ? strictest(given, kind) : given[0];
}

/** A word that is none of them comes before all: it is refused, wherever it stands. */
function strictest(given: readonly Given[], words: readonly string[]): Given | undefined {
  const strictness = ({ text }: Given): number => (words.includes(text) ? words.indexOf(text) : Infinity);
  return given.reduce<Given | undefined>(
    (chosen, next) => (chosen === undefined || strictness(next) > strictness(chosen) ? next : chosen),
    undefined,
  );
}

/** The value of a setting, or its default; or why what is set cannot be read. */
export function readSetting<Name extends SettingName>(
  sources: SettingSources,
  name: Name,
): { readonly value: SettingValues[Name] } | { readonly misread: Misread } {
  const { kind, otherwise, parse } = rowOf(name);
  const given = givenIn(sources, name);
  if (given === undefined) {
    const value = typeof kind === "object" ? kind[0] : otherwise;
    return { value: value as SettingValues[Name] };
  }
  const read = readers[typeof kind === "object" ? "words" : kind];
  const value = parse?.(given.text) ?? read(given.text, kind);
  if (isUnreadable(value)) return { misread: misreadOf(settings[name], given.place, value) };
  return { value: value as SettingValues[Name] };
}

type Reader = (text: string, kind: ReturnType<typeof rowOf>["kind"]) => unknown;

const asItIs: Reader = (text) => text;

const readers = {
  secret: asItIs,
  text: asItIs,
  count: asItIs,
  flag: (text) => {
    if (text === "true" || text === "false") return text === "true";
    return { what: quoted(text), fix: "Set it to true or false", example: "true" };
  },
  words: (text, kind) => {
    if (typeof kind === "string" || kind.includes(text)) return text;
    const words = kind.join(kind.length === 2 ? " or " : ", ");
    return { what: quoted(text), fix: `Set it to ${words}`, example: kind[0] };
  },
} as const satisfies Record<string, Reader>;

function isUnreadable(value: unknown): value is Unreadable {
  return typeof value === "object" && value !== null && "fix" in value;
}

function quoted(text: string): string {
  return `it is "${text.slice(0, 40)}"`;
}

/** Says where the value stands: setting it elsewhere would change nothing. */
export function misreadOf(
  { name, key, variable }: Setting,
  place: SettingSource,
  { what, fix, example }: Unreadable,
): Misread {
  const shell = /^[\w.-]*$/.test(example ?? "") ? example : `"${example}"`;
  const ways = {
    argument: {
      doing: `reading the provider's argument ${name}`,
      way: `${name}: ${JSON.stringify(example)}`,
    },
    stack: { doing: `reading the configuration ${key}`, way: `pulumi config set ${key} ${shell}` },
    environment: { doing: `reading the environment's ${variable}`, way: `${variable}=${shell}` },
  } as const satisfies Record<SettingSource, { readonly doing: string; readonly way: string }>;
  const { doing, way } = ways[place];
  return { doing, what, fix: example === undefined ? fix : `${fix}: \`${way}\`` };
}
