/**
 * The lookups as functions of the package: programs of every language call them through the engine.
 */
import { ComputeError } from "../errors";
import type { Lookups } from "../lookups";
import { toPlain } from "./serialization";
import { configured, type Session } from "./session";

type Values = Record<string, unknown>;
type Args = Readonly<Record<string, string>>;

/** Loaded with the first lookup. */
export type LoadLookups = () => Promise<typeof import("../lookups.js")>;

/** By the name in its token. What must be there stands in the schema, and is asked for here once more. */
const functions: Readonly<
  Record<string, { readonly required: readonly string[]; run(lookups: Lookups, args: Args): Promise<Values> }>
> = {
  getEndpoint: {
    required: ["projectId", "endpointId"],
    run: async (lookups, args) => ({ ...(await lookups.getEndpoint(args as never)) }),
  },
  listEndpoints: {
    required: ["projectId"],
    run: async (lookups, args) => ({ endpoints: await lookups.listEndpoints(args as never) }),
  },
  getOperation: {
    required: ["projectId", "operationId"],
    run: async (lookups, args) => ({ ...(await lookups.getOperation(args as never)) }),
  },
  listOperations: {
    required: ["projectId"],
    run: async (lookups, args) => ({ ...(await lookups.listOperationsPage(args as never)) }),
  },
};

export function invokeLookup(
  session: Session,
  load: LoadLookups,
): (token: string, args: Values) => Promise<Values> {
  let lookups: Promise<Lookups> | undefined;
  return async (token, args) => {
    const name = token.split(":").at(-1) ?? "";
    const called = functions[name];
    if (called === undefined) throw refusal(token, "there is no such function", Object.keys(functions));
    const missing = called.required.filter((argument) => typeof args[argument] !== "string");
    if (missing.length > 0) throw refusal(token, `${missing.join(" and ")} must be given`, called.required);
    lookups ??= load().then(({ lookupsWith }) => lookupsWith(configured(session)));
    return toPlain(await called.run(await lookups, args as Args));
  };
}

function refusal(token: string, what: string, names: readonly string[]): ComputeError {
  return new ComputeError({ doing: `calling ${token}`, what, fix: `Use ${names.join(", ")}` });
}
