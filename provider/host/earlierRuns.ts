/**
 * What earlier runs of the stack have left behind. Each run asks Pulumi's backend once, and shows the answer on rows.
 */
import type { Clock } from "../clock";
import { declaredWithinMs } from "../model/timing";
import type { Resource } from "../run/resource";
import type { CutOffCreate, KnownStack, StackBackend } from "../run/stackBackend";

export interface EarlierRuns {
  /**
   * Asks Pulumi's backend once in a run. If it does not answer, the first row that needs the answer says so.
   *
   * @returns undefined if the backend did not answer: nothing is known about the stack.
   */
  readonly askBackend: (resource: Resource) => Promise<KnownStack | undefined>;
  /**
   * Names the orphans once in a run: cut-off creates that belong to no resource of the program. A refusal may tell the user to
   * make Pulumi forget all cut-off creates, so the orphans are named before that.
   */
  readonly nameOrphans: (resource: Resource, endpointId?: string) => Promise<void>;
  /** Runs a step, and names the orphans when it ends: only then is the step's own compute known. */
  readonly namingOrphans: <T>(of: StepOf, step: () => Promise<T>) => Promise<T>;
}

/** The resource of a step, and its compute if the state has one. */
interface StepOf {
  readonly resource: Resource;
  readonly endpointId?: string;
}

/** @param orphanText - what to say about an orphan; undefined to say nothing. */
export function trackEarlierRuns(
  backend: StackBackend,
  clock: Clock,
  orphanText: (create: CutOffCreate) => Promise<string | undefined>,
): EarlierRuns {
  let hasSaidUnasked = false;
  let named: Promise<void> | undefined;
  const sayOrphans = async (resource: Resource, endpointId?: string): Promise<void> => {
    const { urn, row } = resource;
    if (urn === undefined) return;
    // If the backend does not answer, say nothing here: only a run that needs the answer reports this (`askBackend`). A
    // destroy, for example, does not need it.
    if ((await backend.ask(stackNamesOf(resource))) !== undefined) return;
    // Wait: the engine checks one resource after the other, so it may soon check the resources of some of these creates. The
    // check of a resource that depends on this step's resource comes too late, so the cut-off create of that resource is named
    // here too. The preview has already refused to create that resource again.
    const left = (): readonly CutOffCreate[] => backend.known()?.orphansOf(urn, endpointId) ?? [];
    if (left().length > 0) await clock.sleep(declaredWithinMs);
    for (const create of left()) {
      const text = await orphanText(create);
      if (text !== undefined && left().includes(create)) await row.say("warning", text);
    }
  };
  const nameOrphans: EarlierRuns["nameOrphans"] = (resource, endpointId) =>
    (named ??= sayOrphans(resource, endpointId).catch(() => undefined));
  return {
    askBackend: async (resource) => {
      if (resource.urn === undefined) return backend.known();
      const problem = await backend.ask(stackNamesOf(resource));
      if (problem === undefined || hasSaidUnasked) return backend.known();
      hasSaidUnasked = true;
      await resource.row.say(
        "warning",
        `This stack's state and unfinished creates could not be read from Pulumi's backend (${problem}). If a run of this stack was killed, check at the service which computes that run created, before you create more. Do not adopt a compute that another resource has.`,
      );
      return undefined;
    },
    nameOrphans,
    namingOrphans: async ({ resource, endpointId }, step) => {
      try {
        return await step();
      } finally {
        await nameOrphans(resource, endpointId);
      }
    },
  };
}

/**
 * The names to try for the option `--stack`. A full name works in any folder. Plugins are not told the stack's organisation, so
 * they try `organization`, as in backends without organisations, and then the short name, which works in the program's folder.
 */
function stackNamesOf({ urn = "", organization }: Resource): readonly string[] {
  const [first = "", project = ""] = urn.split("::");
  const name = first.slice(first.lastIndexOf(":") + 1);
  if (organization !== undefined) return [`${organization}/${project}/${name}`];
  return [`organization/${project}/${name}`, name];
}
