/**
 * The files of this user that outlive a run, and the names of their owners.
 */
import type { Clock } from "../clock";
import type { ProviderConfig } from "../settings/config";
import { hashOf } from "./flushedFile";
import { createJournal, type Journal } from "./journal";
import { noteTakeovers, type Takeovers } from "./takeovers";

/** What tells two stacks of one name apart: wherever a stack is checked out, it is the same. */
export interface StackIdentity {
  readonly baseUrl: string;
  readonly backend: string;
  /** The account, as far as it is known. */
  readonly apiKey: string;
}

/**
 * Names what a create is for, a resource or a stack, by its id.
 *
 * @returns undefined without an id; such a create is not journaled.
 */
export function ownerOf(
  id: string | undefined,
  { baseUrl, backend, apiKey }: StackIdentity,
): string | undefined {
  return id === undefined ? undefined : hashOf([withEitherVariant(id), baseUrl, backend, hashOf([apiKey])]);
}

/** A resource keeps its entry where its stack moves from one variant to the other: its URN tells them apart by its type. */
function withEitherVariant(id: string): string {
  const [stack, project, type, ...name] = id.split("::");
  const [native, dynamic] = ["compute:index:Endpoint", "pulumi-nodejs:dynamic/compute:Endpoint"];
  if (type === undefined || !type.endsWith(native)) return id;
  return [stack, project, `${type.slice(0, -native.length)}${dynamic}`, ...name].join("::");
}

/** The journal of this user, and whose entry a resource of this program has. */
export interface OpenJournal {
  readonly journal: Journal;
  readonly takeovers: Takeovers;
  readonly ownerOf: (id: string | undefined) => string | undefined;
}

/** @throws ConfigurationError where the key or the base URL is missing. */
export function openJournal(config: ProviderConfig, clock: Clock): OpenJournal {
  const { apiKey, baseUrl } = config.connection();
  const place = { baseUrl, backend: config.backend, apiKey };
  return {
    journal: createJournal(config.journalFolder, () => clock.now()),
    takeovers: noteTakeovers(config.journalFolder, baseUrl),
    ownerOf: (id) => ownerOf(id, place),
  };
}
