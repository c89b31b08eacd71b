/**
 * Two teams that share a project: where each keeps its states and its clock, and which provider processes
 * it runs.
 */
import {
  createMiniEngine,
  type MiniEngine,
  type MiniEngineOptions,
  type RunOptions,
  type RunResult,
} from "../../support/miniEngine";
import type { Variant } from "../../support/variants";
import type { Ingredient, Met } from "./ingredients";
import { openNetwork, type Network } from "./network";
import { apiKey, openWorld, type Side, type Surroundings, type World } from "./programWorld";
import type { TeamLife } from "./teamCommands";
import { isTwin } from "./twins";

/** One provider process of a team, with the resources that are its own. */
export interface Process extends Side {
  /** By which the network knows it. */
  readonly key: string;
  readonly team: 0 | 1;
  /** Opens the engine of the same stack under another name. */
  readonly openAs: (stackName: string) => MiniEngine;
}

export interface Teams extends World {
  readonly sides: readonly Process[];
  readonly network: Network;
  readonly met: Met;
  /** Which process's create made a compute; a compute of the console's has none. */
  readonly makers: Map<string, string>;
  /** Computes on which the console has set a setting that no program declares. */
  readonly settingsByHand: Set<string>;
  /** Broken promises that were seen in the middle of a run. */
  readonly broken: string[];
}

export async function openTeams(life: TeamLife, met: Met): Promise<Teams> {
  let network: Network | undefined;
  const makers: Teams["makers"] = new Map();
  const world = await openWorld({
    openSides: (surroundings) => {
      network = openNetwork({ ...surroundings, met });
      return processesOf(life, { ...surroundings, clock: network.clock }, network);
    },
    listsLateMs: () => network!.listsLateMs(),
    isTwin: (id) => isTwin(world, network!.sent, id),
    isOthers: (id, side) => makers.get(id)?.startsWith(`team ${(side as Process).team}`) === false,
    onHeal: () => {
      network!.heal();
    },
    // Services of both kinds.
    switches: { restartedBy: life.isPlugin ? "apply_config" : "start_compute" },
  });
  const teams: Teams = {
    ...world,
    sides: world.sides as readonly Process[],
    network: network!,
    met,
    makers,
    settingsByHand: new Set(),
    broken: [],
    close: async () => {
      network!.close();
      await world.close();
    },
  };
  met.count(life.place);
  return teams;
}

function processesOf(life: TeamLife, surroundings: Surroundings, network: Network): readonly Process[] {
  const own: Variant = life.isPlugin ? "native" : "dynamic";
  const first: Readonly<Record<TeamLife["processes"], readonly Variant[]>> = {
    dynamic: ["dynamic"],
    plugin: ["native"],
    "dynamic and plugin at once": ["dynamic", "native"],
    "two explicit providers at once": [own, own],
  };
  const { branch } = surroundings;
  return ([first[life.processes], [own]] as const).flatMap((variants, index) => {
    const team = index as 0 | 1;
    const branchIds = [branch(), branch(), branch()] as const;
    const processes = variants.map((variant, number): Process => {
      const key = `team ${team} process ${number}`;
      const exportStack = (): string => exportOf(processes);
      const openAs = (stackName: string): MiniEngine =>
        withinNetwork(
          network,
          key,
          openEngine(life, surroundings, { variant, team, stackName, exportStack }),
        );
      const engine = openAs(team === 0 || life.place !== "teams in one backend" ? "dev" : "prod");
      return { key, team, variant, engine, openAs, branchIds, parts: {}, failed: {} };
    });
    return processes;
  });
}

/** One state has the resources of all provider processes. */
function exportOf(processes: readonly Process[]): string {
  const all = processes.map(
    ({ engine }) => JSON.parse(engine.exported()) as { deployment: Record<string, readonly unknown[]> },
  );
  // Each process is a provider instance, of which the state keeps the name beside each resource.
  const of = (provider: number, members: readonly unknown[]): readonly unknown[] =>
    members.map((member) => ({ ...(member as object), provider: String(provider) }));
  const resourcesOf = (name: string): readonly unknown[] =>
    all.flatMap(({ deployment }, index) => of(index, deployment[name] ?? []));
  const pending = all.flatMap(({ deployment }, index) =>
    (deployment["pending_operations"] ?? []).map((one) => {
      const { type, resource } = one as { readonly type: string; readonly resource: object };
      return { type, resource: of(index, [resource])[0] };
    }),
  );
  const instances = processes.map((_, index) => ({
    urn: `urn:pulumi:dev::app::pulumi:providers:compute::${index}`,
  }));
  const resources = [...instances, ...resourcesOf("resources")];
  const deployment = { resources, pending_operations: pending };
  return JSON.stringify({ version: 3, deployment });
}

function openEngine(
  { place, clockOffHours }: TeamLife,
  { emulator, clock }: Surroundings,
  {
    team,
    ...of
  }: Pick<MiniEngineOptions, "variant" | "stackName" | "exportStack"> & { readonly team: 0 | 1 },
): MiniEngine {
  const offMs = clockOffHours[place === "teams on two machines" ? team : 0] * 3_600_000;
  return createMiniEngine({
    baseUrl: emulator.url,
    apiKey,
    clock: { ...clock, now: () => clock.now() + offMs },
    ...of,
  });
}

const nothing: RunResult = { steps: {}, failures: [], failed: {}, verdicts: {}, notices: {} };

/**
 * Its requests are known for its own. Where it is killed between two of them, its state has what had ended: the engine stores
 * each step.
 */
function withinNetwork(network: Network, key: string, engine: MiniEngine): MiniEngine {
  const within = async (
    act: (how: RunOptions) => Promise<RunResult>,
    how: RunOptions = {},
  ): Promise<RunResult> => {
    const result = await network.run(key, () => act({ ...how, isKilled: false }));
    return result === "killed" ? nothing : result;
  };
  return {
    ...engine,
    up: (program, how) => within((asked) => engine.up(program, asked), how),
    refresh: (how) => within((asked) => engine.refresh(asked), how),
    destroy: (how) => within((asked) => engine.destroy(asked), how),
  };
}

export function teamOf({ sides }: Teams, team: 0 | 1): readonly Process[] {
  return sides.filter((side) => side.team === team);
}

/** Each of two provider processes of a stack has the resources of two names. */
export function mayName(team: readonly Process[], side: Process, name: string): boolean {
  return team.length === 1 || ["ada", "bob"].includes(name) === (team.indexOf(side) === 0);
}

/** Counts what a life is made of from the beginning. */
export function countClocks({ met }: Teams, { clockOffHours, place }: TeamLife, team: 0 | 1): void {
  const hours = clockOffHours[place === "teams on two machines" ? team : 0];
  const off: Ingredient | undefined =
    hours === 0 ? undefined : hours > 0 ? "clock ahead by hours" : "clock behind by hours";
  if (off !== undefined) met.count(off);
}
