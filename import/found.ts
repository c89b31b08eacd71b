/**
 * Sorts a project's computes into those to import, with what a program declares of them, and those to leave out, with
 * the reason.
 */
import { importableNames, undeclarable } from "../provider/model/inputs";
import type { EndpointFacts } from "../provider/facts";
import type { ProviderConfig } from "../provider/settings/config";
import type { ImportOptions } from "./commandLine";
import type { HeldByStack } from "./exportedStack";
import { importNamesOf } from "./names";

/** A compute to import. */
export interface FoundCompute {
  readonly name: string;
  readonly facts: EndpointFacts;
  /** What a program declares of it: the service's own values. */
  readonly declared: Partial<EndpointFacts>;
  /** Values that stay the service's, each with the reason. */
  readonly unmanaged: readonly string[];
}

/** A compute that is not imported. */
interface LeftOut {
  readonly facts: EndpointFacts;
  readonly reason: string;
}

export interface SortedComputes {
  readonly computes: readonly FoundCompute[];
  readonly leftOut: readonly LeftOut[];
  /** Why the other computes of the list cannot be read: one text each. */
  readonly unreadable: readonly string[];
}

/** A project's list: the computes that can be read, and why each of the others cannot. */
interface ListedComputes extends Pick<SortedComputes, "unreadable"> {
  readonly readable: readonly EndpointFacts[];
}

/** What decides about a compute. */
export interface ImportRules {
  readonly options: Pick<ImportOptions, "variant" | "branchIds" | "branchNames">;
  readonly config: Pick<ProviderConfig, "service">;
  readonly stack: HeldByStack;
}

/** @param listed - in any order: the result is sorted by branch and type, so that it stays the same. */
export function sortOut({ readable, unreadable }: ListedComputes, rules: ImportRules): SortedComputes {
  const { options, stack } = rules;
  const reasons = readable.map((facts) => ({ facts, reason: reasonToLeaveOut(facts, rules) }));
  const leftOut = reasons.filter((each): each is LeftOut => each.reason !== undefined);
  const wanted = reasons.filter(({ reason }) => reason === undefined).map(({ facts }) => facts);
  const computes = inOrder(wanted);
  const names = importNamesOf(computes, { branchNames: options.branchNames, taken: stack.names });
  return {
    computes: computes.map((facts, index) => foundCompute(facts, { name: names[index] ?? "", rules })),
    leftOut: leftOut.sort((left, right) => compare(sortingKey(left.facts), sortingKey(right.facts))),
    unreadable,
  };
}

/** @returns undefined for a compute to import. */
function reasonToLeaveOut(
  { endpointId, branchId, projectId, type }: EndpointFacts,
  { options, stack, config: { service } }: ImportRules,
): string | undefined {
  const holder = stack.holders.get(endpointId);
  if (holder !== undefined) return `the stack has it: ${holder}`;
  if (options.branchIds.length > 0 && !options.branchIds.includes(branchId))
    return "its branch is not one of --branch";
  // What names the compute must be declared: a program without it could not hold the compute. The plugin imports by an id
  // that the program does not have.
  const adopt = options.variant === "dynamic" ? { adopt: endpointId } : {};
  return undeclarable({ projectId, branchId, type, ...adopt }, { service })[0]?.reason;
}

function foundCompute(
  facts: EndpointFacts,
  { name, rules: { options, config } }: { readonly name: string; readonly rules: ImportRules },
): FoundCompute {
  const { service } = config;
  const values = Object.fromEntries(
    importableNames(service).flatMap((argument) =>
      facts[argument] === undefined ? [] : [[argument, facts[argument]]],
    ),
  );
  // The plugin's import accepts every size that a compute has; a program that adopts declares a new one.
  const stored = options.variant === "dynamic" ? undefined : values;
  const failures = undeclarable(values, { service, stored });
  const refused = new Set(failures.map(({ property }) => property));
  const settings = Object.keys(facts.settings?.pgSettings ?? {});
  return {
    name,
    facts,
    declared: Object.fromEntries(Object.entries(values).filter(([argument]) => !refused.has(argument))),
    unmanaged: [
      ...failures.map(({ reason }) => reason),
      ...(settings.length === 0
        ? []
        : [`Postgres settings (${settings.join(", ")}): declare the ones to manage`]),
    ],
  };
}

function inOrder(computes: readonly EndpointFacts[]): readonly EndpointFacts[] {
  return [...computes].sort((left, right) => compare(sortingKey(left), sortingKey(right)));
}

/** The primary of a branch before its replicas. */
function sortingKey({ branchId, type, endpointId }: EndpointFacts): string {
  return `${branchId} ${type === "read_write" ? 0 : 1} ${endpointId}`;
}

/** By code units: the same order on every machine. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
