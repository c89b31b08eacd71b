import type { BranchRecord, EndpointRecord, OperationRecord, Project } from "../model/records";
import type { Counters } from "../model/counters";
import { withInitialValues } from "../model/attributes";
import type { Switches } from "../switches";
import type { World } from "../model/store";

/** The world as text: plain JSON, so that a person can read a state file too. */
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
  /** Ids of the operations that have not ended, by what they wait in line for. */
  readonly chains: readonly (readonly [string, readonly string[]])[];
}

export function takeSnapshot(world: World): string {
  const snapshot: Snapshot = {
    version: 1,
    nowMs: world.now(),
    idPosition: world.ids.position,
    projects: [...world.projects.values()].map(toStored),
    truth: world.truth.entries(),
  };
  return JSON.stringify(snapshot);
}

/**
 * Fills an empty world.
 *
 * @returns the time on the clock when the snapshot was taken, in milliseconds.
 * @throws Error where the text is not a snapshot.
 */
export function restoreSnapshot(world: World, text: string): number {
  const snapshot = JSON.parse(text) as Partial<Snapshot> | null;
  if (snapshot?.version !== 1 || !snapshot.projects || !snapshot.truth)
    throw new Error("It is no state of version 1.");
  world.ids.position = snapshot.idPosition ?? 0;
  for (const stored of snapshot.projects) world.projects.set(stored.id, fromStored(stored, world.switches));
  world.truth.restore(snapshot.truth);
  return snapshot.nowMs ?? 0;
}

function toStored(project: Project): StoredProject {
  const { id, name, regionId, createdAtMs, defaultBranchId } = project;
  return {
    ...{ id, name, regionId, createdAtMs, defaultBranchId },
    branches: [...project.branches.values()],
    endpoints: [...project.endpoints.values()],
    operations: project.operations,
    chains: [...project.chains].map(([key, chain]) => [key, chain.map((operation) => operation.id)]),
  };
}

function fromStored(stored: StoredProject, switches: Switches): Project {
  const operations = [...stored.operations];
  const operationsById = byId(operations);
  const chainOf = (ids: readonly string[]): OperationRecord[] =>
    ids.flatMap((id) => operationsById.get(id) ?? []);
  return {
    ...stored,
    branches: byId(stored.branches),
    endpoints: byId(stored.endpoints.map((endpoint) => withEveryAttribute(endpoint, switches))),
    operations,
    operationsById,
    chains: new Map(stored.chains.map(([key, ids]) => [key, chainOf(ids)])),
    dueMs: 0,
  };
}

/** An attribute that is newer than the file has the value of a new endpoint. */
function withEveryAttribute(stored: EndpointRecord, switches: Switches): EndpointRecord {
  return { ...withInitialValues(stored, switches), ...stored };
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}
