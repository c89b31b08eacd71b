/**
 * What Pulumi's backend knows about the stack of this run: the computes in the stack's state, and the creates that an earlier
 * run began and did not finish, on whatever machine. It is the only memory across runs.
 */
import * as z from "zod";
import { anyVariant, isEndpoint, isProvider, isSameResource } from "./resource";

/**
 * Prints a stack as `pulumi stack export` does.
 *
 * @param stackNames - ways to name the stack. If the export fails with one of them, the next one is tried.
 * @throws an Error whose message says why the export failed.
 */
export type ExportStack = (stackNames: readonly string[]) => Promise<string>;

/**
 * A create that an earlier run began and did not finish, with its project, branch and type if the backend stores them
 * unencrypted.
 */
export interface CutOffCreate extends Readonly<z.infer<typeof begunForm>> {
  readonly urn: string;
  /** Whether the state has a compute of this resource: from a later run, or because the create was part of a replacement. */
  readonly isInState: boolean;
}

/** The beginning of a message about a cut-off create. */
export const wasCutOff = "an earlier run was cut off while creating";
/**
 * The beginning of such a message in a check. The check may be part of a preview, which takes no lock, so the earlier run may
 * still be going on.
 */
export const hasNotFinished = "an earlier run has not finished creating";
/** What the user does first about such a create, in a check. */
export const waitForThatRun =
  "If another run of this stack is still active: wait until it ends, then run the same command again.";

export interface StackBackend {
  /**
   * Asks the backend once in a run. Call it before the engine begins the create that needs the answer: from then on the backend
   * also lists this run's own create.
   *
   * @returns why the backend could not be asked.
   */
  ask(stackNames: readonly string[]): Promise<string | undefined>;
  /** Notes that the program of this run declares this resource. */
  declare(urn: string): void;
  /** What the backend has answered; undefined before it is asked, or if it could not be asked. */
  known(): KnownStack | undefined;
}

/** The stack as earlier runs have left it. */
export interface KnownStack {
  /**
   * Creates that earlier runs began and did not finish, in Pulumi's order. Pulumi keeps them until a refresh clears all of
   * them.
   */
  readonly cutOff: readonly CutOffCreate[];
  /**
   * Cut-off creates that may have made the compute of a new resource: the resource's own creates. If the resource has no create
   * of its own and is not in the state, it may have been renamed, and the engine passes no former names to providers. In that
   * case the result is every create that no resource in the state or in the program claims. In a stack with several provider
   * instances, only the resource's own creates count.
   */
  cutOffFor(urn: string | undefined): readonly CutOffCreate[];
  /**
   * The orphans: cut-off creates of resources that this run has not declared, or that have a compute in the state. With several
   * provider instances, only the creates of one of them count: of the provider that has this resource in the state.
   *
   * @param endpointId - the resource's compute. Its entry in the state may have another URN: after a renaming, the dynamic
   * provider knows the new name only once the resource changes.
   */
  orphansOf(urn: string, endpointId?: string): readonly CutOffCreate[];
  /** False if another provider instance of the stack may create computes in this run as well. */
  readonly hasOneProvider: boolean;
  /** Whether the stack's state had this id when the backend was asked. */
  holds(id: string): boolean;
  /** The URN of the Endpoint that has a compute in the stack's state, under any provider. */
  holderOf(id: string): string | undefined;
}

/** @param exportStack - undefined where no engine runs: in that case nothing is asked, and nothing is known. */
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

/** @param isDeclared - whether the program of this run has declared a resource so far. */
function knownFrom({ resources, cutOff }: Export, isDeclared: (urn: string) => boolean): KnownStack {
  const isInState = (urn: string): boolean => resources.some((one) => isSameResource(one.urn, urn));
  // With several provider instances, creates that another instance began in this run may be pending as well.
  const hasOneProvider = resources.filter(({ urn }) => isProvider(urn)).length < 2;
  return {
    cutOff,
    cutOffFor: (urn = "") => {
      const own = cutOff.filter((create) => isSameResource(create.urn, urn));
      if (own.length > 0 || isInState(urn) || !hasOneProvider) return own;
      return cutOff.filter((create) => !create.isInState && !isDeclared(create.urn));
    },
    orphansOf: (urn, endpointId) => {
      const own =
        resources.find((one) => isSameResource(one.urn, urn)) ??
        resources.find((one) => endpointId !== undefined && one.id === endpointId && isEndpoint(one.urn));
      const provider = own?.provider;
      return cutOff.filter(
        (create) =>
          (create.isInState || !isDeclared(create.urn)) && (hasOneProvider || create.provider === provider),
      );
    },
    hasOneProvider,
    holds: (id) => resources.some((one) => one.id === id),
    holderOf: (id) => resources.find((one) => one.id === id && !one.external && isEndpoint(one.urn))?.urn,
  };
}

/** A secret is not a text, but an object with its ciphertext. */
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

/** @throws an Error that quotes nothing of the text, which may contain secrets. */
function readExport(text: string): Export {
  const read = exportForm.safeParse(parsed(text));
  if (!read.success)
    throw new Error("`pulumi stack export` printed a format that this version does not support");
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
