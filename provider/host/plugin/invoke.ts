/**
 * The lookups as functions of the package: programs in every language call them through the engine.
 */
import type { ProviderConfig } from "../../settings/config";
import { ComputeError } from "../../model/errors";
import type { Lookups } from "../../lookups";
import { toPlain } from "../serialization";
import { configured, type Session } from "../session";
import type { Values } from "../../model/stored";

/** Loaded with the first lookup. */
export type LoadLookups = () => Promise<{ readonly lookupsWith: (config: ProviderConfig) => Lookups }>;

/** The required arguments of each function. */
const functions = {
  getEndpoint: ["projectId", "endpointId"],
  getPrimary: ["projectId", "branchId"],
  listEndpoints: ["projectId"],
  getOperation: ["projectId", "operationId"],
  listOperations: ["projectId"],
} as const satisfies Record<string, readonly string[]>;

type FunctionName = keyof typeof functions;

/** The lookups of a process, loaded once. */
export type OpenLookups = () => Promise<Lookups>;

export function openLookups(session: Session, load: LoadLookups): OpenLookups {
  let lookups: Promise<Lookups> | undefined;
  return () => {
    lookups ??= load().then(({ lookupsWith }) => lookupsWith(configured(session)));
    // The next call reports a wrong configuration again.
    lookups.catch(() => {
      lookups = undefined;
    });
    return lookups;
  };
}

/** @returns a function that calls a lookup by its token, `compute:index:getEndpoint`. */
export function invokeLookup(lookups: OpenLookups): (token: string, args: Values) => Promise<Values> {
  return async (token, args) => {
    const name = token.split(":").at(-1) ?? "";
    if (!isFunction(name))
      throw refusal(token, "there is no such function", `Call ${Object.keys(functions).join(", ")}`);
    const missing = functions[name].filter((argument) => typeof args[argument] !== "string");
    if (missing.length > 0) throw refusal(token, `${missing.join(" and ")} is missing`, "Pass a text for it");
    const calls: { readonly [Name in FunctionName]: (given: never) => Promise<object> } = await lookups();
    const answer = await calls[name](args as never);
    return toPlain(Array.isArray(answer) ? { endpoints: answer } : { ...answer });
  };
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}

function refusal(token: string, what: string, fix: string): ComputeError {
  return new ComputeError({ doing: `calling ${token}`, what, fix });
}
