/**
 * Sorts a project's computes into those to import, with the arguments to declare for each, and those to leave out, with
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
  /** The arguments to declare, with the service's own values. */
  readonly declared: Partial<EndpointFacts>;
  /** Why some values stay unmanaged: one reason each. */
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

/** A project's list: the computes that can be read, and the reason for each that cannot. */
interface ListedComputes extends Pick<SortedComputes, "unreadable"> {
  readonly readable: readonly EndpointFacts[];
}

/** What decides whether a compute is imported. */
export interface ImportRules {
  readonly options: Pick<ImportOptions, "variant" | "branchIds" | "branchNames">;
  readonly config: Pick<ProviderConfig, "service">;
  readonly stack: HeldByStack;
}

/** @param listed - in any order. The result is sorted by branch and type, so that it is always the same. */
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
  if (holder !== undefined) return `the stack already has it as ${holder}`;
  if (options.branchIds.length > 0 && !options.branchIds.includes(branchId))
    return "its branch is not selected by --branch";
  // These arguments must be declared: without them no program could hold the compute. A program for the dynamic
  // provider also declares the id to adopt; for the plugin's import, the id is not part of the program.
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
  // The plugin's import accepts any size that a compute has. In a program that adopts, the size is checked like that of
  // a new compute.
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
        : [`Postgres settings (${settings.join(", ")}). To manage a setting, declare it`]),
    ],
  };
}

function inOrder(computes: readonly EndpointFacts[]): readonly EndpointFacts[] {
  return [...computes].sort((left, right) => compare(sortingKey(left), sortingKey(right)));
}

/** Sorts the primary of a branch before its replicas. */
function sortingKey({ branchId, type, endpointId }: EndpointFacts): string {
  return `${branchId} ${type === "read_write" ? 0 : 1} ${endpointId}`;
}

/** Compares code units, so that the order is the same on every machine. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
