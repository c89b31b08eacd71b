/**
 * Turns the whole store into text for the state file, and back.
 */
import { withInitialValues } from "../model/attributes";
import type { Counters } from "../model/counters";
import type { BranchRecord, EndpointRecord, OperationRecord, Project } from "../model/records";
import type { Store } from "../model/store";
import type { Switches } from "../switches";

/** The store as plain JSON. State files on users' machines have these names: do not change them. */
interface Snapshot {
  readonly version: 1;
  readonly nowMs: number;
  readonly idPosition: number;
  readonly projects: readonly StoredProject[];
  readonly truth: readonly (readonly [string, Counters])[];
}

interface StoredProject {
  readonly id: string;
  readonly name: string;
  readonly regionId: string;
  readonly createdAtMs: number;
  readonly defaultBranchId: string;
  readonly branches: readonly BranchRecord[];
  readonly endpoints: readonly EndpointRecord[];
  readonly operations: readonly OperationRecord[];
  /** Queues: ids of the operations that have not ended, by the id of their endpoint or branch. */
  readonly chains: readonly (readonly [string, readonly string[]])[];
}

export function takeSnapshot(store: Store): string {
  const snapshot: Snapshot = {
    version: 1,
    nowMs: store.now(),
    idPosition: store.ids.position,
    projects: [...store.projects.values()].map(toStored),
    truth: store.counters.entries(),
  };
  return JSON.stringify(snapshot);
}

/**
 * Fills an empty store.
 *
 * @returns the clock's time when the snapshot was taken, in milliseconds.
 * @throws Error if the text is not a snapshot.
 */
export function restoreSnapshot(store: Store, text: string): number {
  const snapshot = JSON.parse(text) as Partial<Snapshot> | null;
  if (snapshot?.version !== 1 || !snapshot.projects || !snapshot.truth)
    throw new Error("It is not a state of version 1.");
  store.ids.position = snapshot.idPosition ?? 0;
  for (const stored of snapshot.projects) store.projects.set(stored.id, fromStored(stored, store.switches));
  store.counters.restore(snapshot.truth);
  return snapshot.nowMs ?? 0;
}

function toStored(project: Project): StoredProject {
  const { id, name, regionId, createdAtMs, defaultBranchId } = project;
  return {
    ...{ id, name, regionId, createdAtMs, defaultBranchId },
    branches: [...project.branches.values()],
    endpoints: [...project.endpoints.values()],
    operations: project.operations,
    chains: [...project.queues].map(([key, queue]) => [key, queue.map((operation) => operation.id)]),
  };
}

function fromStored({ chains, ...stored }: StoredProject, switches: Switches): Project {
  const operationsById = byId(stored.operations);
  const operationsOf = (ids: readonly string[]): OperationRecord[] =>
    ids.flatMap((id) => operationsById.get(id) ?? []);
  return {
    ...stored,
    branches: byId(stored.branches),
    endpoints: byId(stored.endpoints.map((endpoint) => withEveryAttribute(endpoint, switches))),
    operations: [...stored.operations],
    operationsById,
    queues: new Map(chains.map(([key, ids]) => [key, operationsOf(ids)])),
    dueMs: 0,
  };
}

/** Adds the attributes that are newer than the file, with their initial values. */
function withEveryAttribute(stored: EndpointRecord, switches: Switches): EndpointRecord {
  return { ...withInitialValues(stored, switches), ...stored };
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}
