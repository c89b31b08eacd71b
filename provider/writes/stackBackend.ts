/**
 * What Pulumi's backend knows of the stack of this run: creates that an earlier run began and did not end, and the
 * computes in its state. It knows them on every machine.
 */
import * as z from "zod";
import { anyVariant } from "./openJournal";

/** Prints a stack as `pulumi stack export` does. @throws an Error whose message says why it could not be had. */
export type ExportStack = (stackName: string) => Promise<string>;

/** Where a create began to make its compute, as far as the backend has it in clear. */
export type BegunAt = Readonly<z.infer<typeof begunForm>>;

export interface StackBackend {
  /**
   * Asks once in a run. Call it before the engine begins the create that asks: from then on the backend has this run's
   * own create as well.
   *
   * @returns why the backend could not be asked, to the first caller only.
   */
  ask(stackName: string): Promise<string | undefined>;
  /**
   * Where earlier runs began to create this resource, in Pulumi's order, which keeps each until a refresh clears it; empty
   * if none did, or the backend was not asked.
   */
  begunAt(urn: string | undefined): readonly BegunAt[];
  /** Whether the backend knows of no create of this resource that has not ended. */
  hasEnded(urn: string | undefined): boolean;
  /** Whether the stack's state had this id when the backend was asked. */
  holds(id: string): boolean;
}

/** @param exportStack - undefined where no engine runs: then nobody is asked, and nothing is known. */
export function openStackBackend(exportStack: ExportStack | undefined): StackBackend {
  let asked: Promise<string | undefined> | undefined;
  let begun: readonly (BegunAt & { readonly urn: string })[] | undefined;
  let ids: ReadonlySet<string> = new Set();
  const read = async (stackName: string): Promise<string | undefined> => {
    if (exportStack === undefined) return undefined;
    try {
      const { resources, pending_operations: pending } = readExport(await exportStack(stackName));
      ids = new Set(resources.flatMap(({ id }) => id ?? []));
      const creates = pending.filter(({ type }) => type === "creating");
      begun = creates.map(({ resource: { urn, inputs } }) => ({ ...inputs, urn: anyVariant(urn) }));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const begunAt = (urn: string | undefined): readonly BegunAt[] =>
    begun?.filter((create) => create.urn === anyVariant(urn ?? "")) ?? [];
  return {
    ask: async (stackName) => {
      if (asked !== undefined) return asked.then(() => undefined);
      asked = read(stackName);
      return asked;
    },
    begunAt,
    hasEnded: (urn) => begun !== undefined && begunAt(urn).length === 0,
    holds: (id) => ids.has(id),
  };
}

/** A secret is no text, but an object with its ciphertext. */
const clear = z.string().optional().catch(undefined);

const begunForm = z.object({
  projectId: clear,
  branchId: clear,
  type: z.enum(["read_write", "read_only"]).optional().catch(undefined),
});

const pendingForm = z.object({
  type: z.string(),
  resource: z.object({ urn: z.string(), inputs: begunForm.default({}) }),
});

const exportForm = z.object({
  deployment: z.object({
    resources: z.array(z.object({ id: z.string().optional() })).default([]),
    pending_operations: z.array(pendingForm).default([]),
  }),
});

/** @throws an Error that quotes nothing of the text: it may have secrets. */
function readExport(text: string): z.infer<typeof exportForm>["deployment"] {
  try {
    return exportForm.parse(JSON.parse(text)).deployment;
  } catch {
    throw new Error("`pulumi stack export` answered in a form that this version does not know");
  }
}
