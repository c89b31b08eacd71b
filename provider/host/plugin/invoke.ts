/**
 * The lookups as functions of the package: programs in every language call them through the engine.
 */
import type { ProviderConfig } from "../../settings/config";
import { ComputeError } from "../../errors";
import type { Lookups } from "../../lookups";
import { toPlain } from "../serialization";
import { configured, type Session } from "../session";
import type { Values } from "../stored";

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
    return toPlain(await callOn(await lookups(), name, args));
  };
}

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(functions, name);
}

/** @param args - the required arguments are set; the others match the function's schema. */
async function callOn(lookups: Lookups, name: FunctionName, args: Values): Promise<Values> {
  const text = (key: string): string => String(args[key]);
  const projectId = text("projectId");
  switch (name) {
    case "getEndpoint":
      return { ...(await lookups.getEndpoint({ projectId, endpointId: text("endpointId") })) };
    case "getPrimary":
      return { ...(await lookups.getPrimary({ projectId, branchId: text("branchId") })) };
    case "listEndpoints": {
      const { branchId } = args as { readonly branchId?: string };
      return { endpoints: await lookups.listEndpoints({ projectId, branchId }) };
    }
    case "getOperation":
      return { ...(await lookups.getOperation({ projectId, operationId: text("operationId") })) };
    case "listOperations": {
      const { pageSize, cursor } = args as { readonly pageSize?: number; readonly cursor?: string };
      return { ...(await lookups.listOperations({ projectId, pageSize, cursor })) };
    }
  }
}

function refusal(token: string, what: string, fix: string): ComputeError {
  return new ComputeError({ doing: `calling ${token}`, what, fix });
}
