/**
 * What earlier runs of the stack have left behind. Pulumi's backend is asked once in each run, and rows show the answer.
 */
import type { Clock } from "../clock";
import { declaredWithinMs } from "../model/timing";
import type { Resource } from "../run/resource";
import type { CutOffCreate, KnownStack, StackBackend } from "../run/stackBackend";

export interface EarlierRuns {
  /**
   * Asks once in a run. If no answer could be had, the first row that needs one says so.
   *
   * @returns undefined if it could not be had: then nothing is known of the stack.
   */
  readonly askBackend: (resource: Resource) => Promise<KnownStack | undefined>;
  /**
   * Names the orphans once in a run: creates that were cut off, and that no resource of the program answers for. A refusal
   * may tell the user to make Pulumi forget all cut-off creates, so the other ones are named first.
   */
  readonly nameOrphans: (resource: Resource) => Promise<void>;
  /** Runs a step, and names the orphans when it ends: only then is the step's own compute known. */
  readonly namingOrphans: <T>(resource: Resource, step: () => Promise<T>) => Promise<T>;
}

/** @param orphanText - what to say of an orphan; undefined for nothing. */
export function trackEarlierRuns(
  backend: StackBackend,
  clock: Clock,
  orphanText: (create: CutOffCreate) => Promise<string | undefined>,
): EarlierRuns {
  let hasSaidUnasked = false;
  let named: Promise<void> | undefined;
  const sayOrphans = async (resource: Resource): Promise<void> => {
    const { urn, row } = resource;
    if (urn === undefined) return;
    // A run that needs the answer says why it could not be had; another one, such as a destroy, says nothing.
    if ((await backend.ask(stackNamesOf(resource))) !== undefined) return;
    // The engine checks one resource after the other: it may check some of these in a moment. One that depends on the resource
    // of this step comes later still, and is named here; but a preview has refused its create before.
    const left = (): readonly CutOffCreate[] => backend.known()?.orphansOf(urn) ?? [];
    if (left().length > 0) await clock.sleep(declaredWithinMs);
    for (const create of left()) {
      const text = await orphanText(create);
      if (text !== undefined && left().includes(create)) await row.say("warning", text);
    }
  };
  const nameOrphans = (resource: Resource): Promise<void> =>
    (named ??= sayOrphans(resource).catch(() => undefined));
  return {
    askBackend: async (resource) => {
      if (resource.urn === undefined) return backend.known();
      const problem = await backend.ask(stackNamesOf(resource));
      if (problem === undefined || hasSaidUnasked) return backend.known();
      hasSaidUnasked = true;
      await resource.row.say(
        "warning",
        `Pulumi's backend could not be asked for this stack's state and its unfinished creates (${problem}). If a run of this stack was killed, check at the service what it made before you create more computes. Do not adopt a compute that another resource has.`,
      );
      return undefined;
    },
    nameOrphans,
    namingOrphans: async (resource, step) => {
      try {
        return await step();
      } finally {
        await nameOrphans(resource);
      }
    },
  };
}

/**
 * The names of the stack for the option `--stack`. The full one is understood in any folder. Plugins are not told the
 * stack's organisation: the short name is understood in the program's folder, and backends without organisations have one
 * of a fixed name.
 */
function stackNamesOf({ urn = "", organization }: Resource): readonly string[] {
  const [first = "", project = ""] = urn.split("::");
  const name = first.slice(first.lastIndexOf(":") + 1);
  if (organization !== undefined) return [`${organization}/${project}/${name}`];
  return [`organization/${project}/${name}`, name];
}
