/**
 * The lookups as functions of the package: programs in every language call them through the engine.
 */
import type { ProviderConfig } from "../../settings/config";
import { ComputeError } from "../../model/errors";
import type { Lookups } from "../../lookups";
import type { Session } from "../session";
import { toPlain } from "../values";
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

/** @returns a function that calls a lookup by its token, `compute:index:getEndpoint`. */
export function createInvoke(
  session: Pick<Session, "config">,
  load: LoadLookups,
): (token: string, args: Values) => Promise<Values> {
  let lookups: Promise<Lookups> | undefined;
  const open = (): Promise<Lookups> =>
    (lookups ??= load().then(({ lookupsWith }) => lookupsWith(session.config())));
  return async (token, args) => {
    const name = token.split(":").at(-1) ?? "";
    if (!isFunction(name))
      throw refusal(
        token,
        "there is no such function",
        `The functions are ${Object.keys(functions).join(", ")}`,
      );
    const missing = functions[name].filter((argument) => typeof args[argument] !== "string");
    if (missing.length > 0)
      throw refusal(token, `arguments are missing: ${missing.join(", ")}`, "Pass a string for each");
    const calls: Readonly<Record<keyof typeof functions, (given: never) => Promise<object>>> = await open();
    const answer = await calls[name](args as never);
    return toPlain(Array.isArray(answer) ? { endpoints: answer } : { ...answer });
  };
}

function isFunction(name: string): name is keyof typeof functions {
  return Object.hasOwn(functions, name);
}

function refusal(token: string, what: string, fix: string): ComputeError {
  return new ComputeError({ doing: `calling ${token}`, what, fix });
}
