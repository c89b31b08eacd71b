/**
 * What Pulumi's backend knows of the stack of this run, on every machine: the computes in its state, and the creates that
 * an earlier run began and did not end. It is the only memory across runs.
 */
import * as z from "zod";
import { anyVariant, isEndpoint, isProvider, isSameResource } from "./resource";

/**
 * Prints a stack as `pulumi stack export` does.
 *
 * @param stackNames - ways to name it: the next one is tried where the backend does not know one.
 * @throws an Error whose message says why it could not be had.
 */
export type ExportStack = (stackNames: readonly string[]) => Promise<string>;

/** A create that an earlier run began and did not end: where, as far as the backend has it in clear. */
export interface CutOffCreate extends Readonly<z.infer<typeof begunForm>> {
  readonly urn: string;
  /** Whether the state has a compute of this resource: a later run made it, or the create was of a replacement. */
  readonly isInState: boolean;
}

/** Begins what is said of a create that was cut off. */
export const wasCutOff = "an earlier run was cut off while creating";
/** The same in a check, which may be that of a preview. A preview takes no lock, so that run may still be going on. */
export const hasNotFinished = "an earlier run has not finished creating";
/** What to do about it first, in a check. */
export const waitForThatRun =
  "If another run of this stack is going on now: wait until it has ended, and run the same command again.";

export interface StackBackend {
  /**
   * Asks once in a run. Call it before the engine begins the create that asks: from then on the backend has this run's
   * own create as well.
   *
   * @returns why the backend could not be asked.
   */
  ask(stackNames: readonly string[]): Promise<string | undefined>;
  /** The program of this run declares this resource. */
  declare(urn: string): void;
  /** What it has answered; undefined as long as it was not asked, or if it could not be. */
  known(): KnownStack | undefined;
}

/** The stack as an earlier run has left it. */
export interface KnownStack {
  /** The creates that earlier runs began and did not end, in Pulumi's order, which keeps each until a refresh clears all. */
  readonly cutOff: readonly CutOffCreate[];
  /**
   * Cut-off creates that may have made the compute of a new resource: its own ones. If it has none and is not in the state,
   * those that no resource claims, in the state or in the program: one of them may be this resource's under its former
   * name, which the engine passes to no provider. In a stack with several provider instances, only its own ones.
   */
  cutOffFor(urn: string | undefined): readonly CutOffCreate[];
  /** The orphans: creates that no resource of this run answers for, as far as the provider of `urn` began them. */
  orphansOf(urn: string): readonly CutOffCreate[];
  /** Whether the stack's state had this id when the backend was asked. */
  holds(id: string): boolean;
  /** The URN of the Endpoint that has a compute in the stack's state, under any provider. */
  holderOf(id: string): string | undefined;
}

/** @param exportStack - undefined where no engine runs: then nobody is asked, and nothing is known. */
export function openStackBackend(exportStack: ExportStack | undefined): StackBackend {
  let asked: Promise<string | undefined> | undefined;
  let known: KnownStack | undefined;
  const declared = new Set<string>();
  const read = async (stackNames: readonly string[]): Promise<string | undefined> => {
    if (exportStack === undefined) return undefined;
    try {
      known = knownFrom(readExport(await exportStack(stackNames)), (urn) => declared.has(anyVariant(urn)));
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return {
    ask: (stackNames) => (asked ??= read(stackNames)),
    declare: (urn) => declared.add(anyVariant(urn)),
    known: () => known,
  };
}

/** @param isDeclared - whether the program of this run declares a resource, so far. */
function knownFrom({ resources, cutOff }: Export, isDeclared: (urn: string) => boolean): KnownStack {
  const isInState = (urn: string): boolean => resources.some((one) => isSameResource(one.urn, urn));
  // What another instance's process creates in this very run may be pending as well.
  const hasOneProvider = resources.filter(({ urn }) => isProvider(urn)).length < 2;
  return {
    cutOff,
    cutOffFor: (urn = "") => {
      const own = cutOff.filter((create) => isSameResource(create.urn, urn));
      if (own.length > 0 || isInState(urn) || !hasOneProvider) return own;
      return cutOff.filter((create) => !create.isInState && !isDeclared(create.urn));
    },
    orphansOf: (urn) => {
      const provider = resources.find((one) => isSameResource(one.urn, urn))?.provider;
      return cutOff.filter(
        (create) =>
          (create.isInState || !isDeclared(create.urn)) && (hasOneProvider || create.provider === provider),
      );
    },
    holds: (id) => resources.some((one) => one.id === id),
    holderOf: (id) => resources.find((one) => one.id === id && !one.external && isEndpoint(one.urn))?.urn,
  };
}

/** A secret is no text, but an object with its ciphertext. */
const clear = z.string().optional().catch(undefined);

const begunForm = z.object({
  projectId: clear,
  branchId: clear,
  type: z.enum(["read_write", "read_only"]).optional().catch(undefined),
});

const resourceForm = z.object({
  urn: z.string(),
  id: z.string().optional(),
  /** The resource of the provider instance. */
  provider: z.string().optional(),
  external: z.boolean().default(false),
});

const pendingForm = z.object({
  type: z.string(),
  resource: resourceForm.extend({ inputs: begunForm.default({}) }),
});

const exportForm = z.object({
  deployment: z.object({
    resources: z.array(resourceForm).default([]),
    pending_operations: z.array(pendingForm).default([]),
  }),
});

interface Export {
  readonly resources: readonly z.infer<typeof resourceForm>[];
  readonly cutOff: readonly (CutOffCreate & Pick<z.infer<typeof resourceForm>, "provider">)[];
}

/** @throws an Error that quotes nothing of the text: it may have secrets. */
function readExport(text: string): Export {
  const read = exportForm.safeParse(parsed(text));
  if (!read.success)
    throw new Error("`pulumi stack export` answered in a form that this version does not know");
  const { resources, pending_operations: pending } = read.data.deployment;
  const creates = pending.filter(({ type, resource }) => type === "creating" && isEndpoint(resource.urn));
  const cutOff = creates.map(({ resource: { urn, provider, inputs } }) => {
    return { ...inputs, urn, provider, isInState: resources.some((one) => isSameResource(one.urn, urn)) };
  });
  return { resources, cutOff };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
