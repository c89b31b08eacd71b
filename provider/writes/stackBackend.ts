/**
 * What Pulumi's backend knows of the stack of this run: creates that an earlier run began and did not end, and the
 * computes in its state. It knows them on every machine.
 */
import * as z from "zod";
import { dynamicType, nativeType } from "../pure/fields";

/**
 * Prints a stack as `pulumi stack export` does.
 *
 * @param stackNames - ways to name it: the next one is tried where the backend does not know one.
 * @throws an Error whose message says why it could not be had.
 */
export type ExportStack = (stackNames: readonly string[]) => Promise<string>;

/** A resource keeps its name if its stack moves between the provider variants, whose URNs differ in the type. */
function anyVariant(urn: string): string {
  const [stack, project, type, ...name] = urn.split("::");
  if (type === undefined || !type.endsWith(nativeType)) return urn;
  return [stack, project, `${type.slice(0, -nativeType.length)}${dynamicType}`, ...name].join("::");
}

/** Where a create began to make its compute, as far as the backend has it in clear. */
export type BegunAt = Readonly<z.infer<typeof begunForm>>;

export interface StackBackend {
  /**
   * Asks once in a run. Call it before the engine begins the create that asks: from then on the backend has this run's
   * own create as well.
   *
   * @returns why the backend could not be asked, to the first caller only.
   */
  ask(stackNames: readonly string[]): Promise<string | undefined>;
  /**
   * Where earlier runs began to create this resource, in Pulumi's order, which keeps each until a refresh clears it; empty
   * if none did, or the backend was not asked.
   */
  begunAt(urn: string | undefined): readonly BegunAt[];
  /** Whether the backend has answered. */
  isKnown(): boolean;
  /** Whether the stack's state had this id when the backend was asked. */
  holds(id: string): boolean;
  /** The URN of another resource that has a compute in the stack's state, under any provider, and keeps it. */
  otherHolder(stackNames: readonly string[], asked: AskedHolder): Promise<string | undefined>;
}

export interface AskedHolder {
  readonly id: string;
  /** The URN of the resource that asks; at the dynamic provider it may be an earlier one. */
  readonly own: string;
  /** Nothing is adopted in this run, so one answer serves it. Otherwise it serves the deletions that ask at once. */
  readonly isDestroy: boolean;
}

/** @param exportStack - undefined where no engine runs: then nobody is asked, and nothing is known. */
export function openStackBackend(exportStack: ExportStack | undefined): StackBackend {
  let asked: Promise<string | undefined> | undefined;
  let begun: readonly (BegunAt & { readonly urn: string })[] | undefined;
  let ids: ReadonlySet<string> = new Set();
  let holders: Promise<readonly StateHolder[]> | undefined;
  const read = async (stackNames: readonly string[]): Promise<string | undefined> => {
    if (exportStack === undefined) return undefined;
    try {
      const { resources, pending_operations: pending } = readExport(await exportStack(stackNames));
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
    ask: async (stackNames) => {
      if (asked !== undefined) return asked.then(() => undefined);
      asked = read(stackNames);
      return asked;
    },
    begunAt,
    isKnown: () => begun !== undefined,
    holds: (id) => ids.has(id),
    otherHolder: async (stackNames, { id, own, isDestroy }) => {
      if (exportStack === undefined) return undefined;
      holders ??= exportStack(stackNames)
        .then(holdersIn)
        .catch(() => []);
      const held = (await holders).filter((holder) => holder.id === id);
      if (!isDestroy) holders = undefined;
      // The only one is the asker, whatever it is called by now.
      if (held.length < 2) return undefined;
      return held.find(({ urn, keeps }) => keeps && anyVariant(urn) !== anyVariant(own))?.urn;
    },
  };
}

interface StateHolder extends Pick<z.infer<typeof storedForm>, "urn" | "id"> {
  /** False if it was replaced, or is being deleted. */
  readonly keeps: boolean;
}

/** The Endpoints of a state that are the program's own: it may read others. */
function holdersIn(text: string): readonly StateHolder[] {
  const { resources, pending_operations: pending } = readExport(text);
  const leaving = pending.filter(({ type }) => type === "deleting");
  return resources
    .filter(({ urn, external }) => !external && anyVariant(urn).split("::")[2]?.endsWith(dynamicType))
    .map(({ urn, id, delete: isReplaced }) => {
      const leaves = leaving.some(({ resource }) => resource.urn === urn && resource.id === id);
      return { urn, id, keeps: !isReplaced && !leaves };
    });
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
  resource: z.object({ urn: z.string(), id: z.string().optional(), inputs: begunForm.default({}) }),
});

const storedForm = z.object({
  urn: z.string(),
  id: z.string().optional(),
  delete: z.boolean().default(false),
  external: z.boolean().default(false),
});

const exportForm = z.object({
  deployment: z.object({
    resources: z.array(storedForm).default([]),
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
