/**
 * Opens the files of this user that outlive a run, and names their owners.
 */
import type { Clock } from "../clock";
import { dynamicType, nativeType } from "../pure/fields";
import type { ProviderConfig } from "../settings/config";
import { hashOf } from "./flushedFile";
import { createJournal, type Journal } from "./journal";
import { noteTakeovers, type Takeovers } from "./takeovers";

/**
 * Distinguishes two stacks with one name; it is the same in every checkout of a stack. Not the API key: a runner may have
 * its own, and keys are replaced. What a key cannot see is not taken over anyway.
 */
interface StackIdentity {
  readonly baseUrl: string;
  readonly backend: string;
}

/** The owner of a create's entry: a hash of the id of a resource or a stack. */
export function ownerOf(id: string, { baseUrl, backend }: StackIdentity): string {
  return hashOf([anyVariant(id), baseUrl, backend]);
}

/** A resource keeps its name if its stack moves between the provider variants, whose URNs differ in the type. */
export function anyVariant(id: string): string {
  const [stack, project, type, ...name] = id.split("::");
  if (type === undefined || !type.endsWith(nativeType)) return id;
  return [stack, project, `${type.slice(0, -nativeType.length)}${dynamicType}`, ...name].join("::");
}

/** The journal of this user, and the entry owners of this program's resources. */
export interface OpenJournal {
  readonly journal: Journal;
  readonly takeovers: Takeovers;
  /** @returns undefined without an id; such a create is not journaled. */
  readonly ownerOf: (id: string | undefined) => string | undefined;
}

/** @throws ConfigurationError if the key or the base URL is missing. */
export function openJournal(config: ProviderConfig, clock: Clock): OpenJournal {
  const { baseUrl } = config.connection();
  const place = { baseUrl, backend: config.backend };
  const owners = new Map<string, string>();
  return {
    journal: createJournal(config.journalFolder, () => clock.now()),
    takeovers: noteTakeovers(config.journalFolder, baseUrl),
    ownerOf: (id) => {
      if (id === undefined) return undefined;
      const owner = owners.get(id) ?? ownerOf(id, place);
      owners.set(id, owner);
      return owner;
    },
  };
}
