/**
 * Two teams, each with a stack, in one project: each team's state, clock, provider processes and program, and what is known
 * of each compute.
 */
import { Clock, startEmulator, type Emulator } from "../../../emulator";
import { hasEnded } from "../../../provider/service/observation";
import { fixedSize } from "../../../provider/model/sizes";
import { listsProveAbsenceAfterMs } from "../../../provider/model/timing";
import {
  createMiniEngine,
  type MiniEngine,
  type Program,
  type RunOptions,
  type RunResult,
} from "../../support/miniEngine";
import type { Variant } from "../../support/variants";
import type { Life, Met, Name, Part, Parts } from "./life";
import { openNetwork, type Network } from "./network";

/** A provider process of a team, with the resources that are its own. */
export interface Side {
  /** The network knows the side by this key. */
  readonly key: string;
  readonly team: 0 | 1;
  readonly variant: Variant;
  /** Branches of the team's own; the last one is a secret. */
  readonly branchIds: readonly [string, string, string];
  /** Opens the engine of a stack of that name. */
  readonly openAs: (stackName: string) => MiniEngine;
  /** Changes with `pulumi stack rename`. */
  stackName: string;
  engine: MiniEngine;
  /** What its program says now. */
  parts: Parts;
  /** The result of its last run. */
  last: RunResult;
}

export type World = Awaited<ReturnType<typeof worldOf>>;

const apiKey = "local-key-of-the-world";

export function openWorld(life: Life, met: Met): Promise<World> {
  return worldOf(life, met);
}

/** The type of a world is what this returns, so that each member is described once. */
async function worldOf(life: Life, met: Met) {
  const { service, restartedBy } = life;
  const emulator = await startEmulator({
    clock: new Clock("manual"),
    operationMs: 1_000,
    apiKey,
    switches: { service, restartedBy },
  });
  const made = emulator.createProject();
  const projectId = made.project.id;
  const branch = (): string => emulator.createBranch(projectId, { compute: false }).branch.id;
  const deletedByHand = new Set<string>();
  /** Computes that were changed by hand since their stack last looked. */
  const drifted = new Set<string>();
  const onLateDelete = (id: string): void => {
    deletedByHand.add(id);
    drifted.add(id);
  };
  const remembers = life.commands.some((command) => command.kind === "show" && command.lateMs > 0);
  const network = openNetwork(emulator, projectId, { met, onLateDelete, remembers });
  const { clock } = network;
  const sides = sidesOf({ life, emulator, network, branch });
  const sharedBranchId = branch();
  clock.advance(20_000);
  met.count(life.place);
  /** The computes of the project, except the one that came with its default branch. */
  const computes = (): readonly string[] =>
    emulator
      .endpoints(projectId)
      .map(({ endpoint }) => endpoint.id)
      .filter((id) => id !== made.endpoint.id);
  return {
    ...{ emulator, clock, network, met, projectId, sides, sharedBranchId, computes },
    ...{ deletedByHand, drifted },
    /** The key of the side whose create made a compute. Computes of other people are not in this map. */
    makers: new Map<string, string>(),
    /** Computes of other people. */
    strangers: new Set<string>(),
    /** Computes that nobody can know of now. */
    forgotten: new Set<string>(),
    /** Secret branches that a read could have put into a state in clear. */
    readInClear: new Set<string>(),
    /** Everything that was said on a row or as an error, in order. */
    said: new Array<string>(),
    /** For each compute that no state holds: how many texts `said` had when it left the states. */
    unheldSince: new Map<string, number>(),
    /** The entries of states that hold a compute, with their sides. */
    holders: (id: string) =>
      sides.flatMap((side) =>
        side.engine
          .state()
          .filter((stored) => stored.id === id)
          .map((stored) => ({ side, stored })),
      ),
    heal: () => {
      network.heal();
      emulator.clearTimelines();
      for (const { id, status } of emulator.operations(projectId))
        if (!hasEnded(status)) emulator.endOperation(id);
      for (const id of computes()) {
        const { endpoint } = emulator.endpoint(id);
        // Somebody connects to a compute that never ran: nothing else shows how a start with an unknown status ended.
        if (endpoint.last_active === undefined && !endpoint.disabled) emulator.connect(id);
      }
      // From now on, a compute that no list shows counts as gone.
      clock.advance(listsProveAbsenceAfterMs);
    },
    close: async () => {
      network.close();
      await emulator.close();
    },
  };
}

interface Surroundings {
  readonly life: Life;
  readonly emulator: Emulator;
  readonly network: Network;
  /** Makes a branch without a compute. */
  readonly branch: () => string;
}

function sidesOf({ life, emulator, network, branch }: Surroundings): readonly Side[] {
  return [life.first, [life.second]].flatMap((variants, index) => {
    const team = index as 0 | 1;
    const branchIds = [branch(), branch(), branch()] as const;
    const sides = variants.map((variant, number): Side => {
      const key = `team ${team} process ${number}`;
      const openAs = (stackName: string): MiniEngine => {
        const engine = createMiniEngine({
          baseUrl: emulator.url,
          apiKey,
          clock: network.clock,
          ofRun: () => network.newProcess(key),
          exportStack: () => exportOf(sides),
          ...{ variant, stackName, service: life.service },
        });
        return withinNetwork(network, engine);
      };
      const stackName = team === 0 || life.place === "teams on two machines" ? "dev" : "prod";
      const engine = openAs(stackName);
      return { key, team, variant, branchIds, openAs, stackName, engine, parts: {}, last: nothing };
    });
    return sides;
  });
}

/** One state has the resources of all provider processes, each with its provider instance. */
function exportOf(sides: readonly Side[]): string {
  type Exported = Readonly<Record<string, readonly { readonly resource: object }[] | undefined>>;
  const all = sides.map(
    ({ engine }) => (JSON.parse(engine.exported()) as { deployment: Exported }).deployment,
  );
  const instances = sides.map((_, provider) => ({
    urn: `urn:pulumi:dev::app::pulumi:providers:compute::${provider}`,
  }));
  const resources = all.flatMap(({ resources: own = [] }, provider) =>
    own.map((one) => ({ ...one, provider: String(provider) })),
  );
  const pending = all.flatMap(({ pending_operations: own = [] }, provider) =>
    own.map((one) => ({ ...one, resource: { ...one.resource, provider: String(provider) } })),
  );
  const deployment = { resources: [...instances, ...resources], pending_operations: pending };
  return JSON.stringify({ version: 3, deployment });
}

const nothing: RunResult = { steps: {}, failures: [], failed: {}, verdicts: {}, notices: {} };

/**
 * If the engine is killed between two of them, its state has the steps that had
 * ended, since the engine stores each step.
 */
function withinNetwork(network: Network, engine: MiniEngine): MiniEngine {
  const within = async (
    act: (how: RunOptions) => Promise<RunResult>,
    how: RunOptions = {},
  ): Promise<RunResult> => {
    const isKilled = how.isKilled === true && !network.isToDie();
    const result = await network.run(() => act({ ...how, isKilled }));
    return result === "killed" ? nothing : result;
  };
  return {
    ...engine,
    up: (program, how) => within((asked) => engine.up(program, asked), how),
    refresh: (how) => within((asked) => engine.refresh(asked), how),
    destroy: (how) => within((asked) => engine.destroy(asked), how),
  };
}

/** Makes the provider processes of one run wait for each other: no process deletes before all have created. */
export function meeting(count: number): (isGood: boolean) => Promise<boolean> {
  const arrived: boolean[] = [];
  let open: (isGood: boolean) => void = () => undefined;
  const all = new Promise<boolean>((resolve) => {
    open = resolve;
  });
  return (isGood) => {
    arrived.push(isGood);
    if (arrived.length === count) open(arrived.every((one) => one));
    return all;
  };
}

export function teamOf({ sides }: World, team: 0 | 1): readonly Side[] {
  return sides.filter((side) => side.team === team);
}

/** If a stack has two provider processes, each has the resources with two of the names. */
export function mayName(team: readonly Side[], side: Side, name: string): boolean {
  return team.length === 1 || ["ada", "bob"].includes(name) === (team.indexOf(side) === 0);
}

/** Picks an item of a list by any number. */
export function nth<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(list.length, 1)];
}

const secretTexts: Readonly<Record<Part["settings"], string>> = {
  none: "",
  plain: "in the open",
  secret: "hunter2-of-the-world",
  "other secret": "correct-horse-battery",
};

/** Secrets that must not be printed in clear anywhere. */
export function secretsOf({ sides }: World): readonly string[] {
  const branches = sides.map(({ branchIds }) => branchIds[2]);
  return [apiKey, secretTexts.secret, secretTexts["other secret"], ...branches];
}

/** The arguments that a part declares. */
function argsOf(world: World, side: Side, part: Part): Record<string, unknown> {
  const { isPrimary, isShared, settings } = part;
  return {
    projectId: world.projectId,
    branchId: isShared && !isPrimary ? world.sharedBranchId : side.branchIds[part.place],
    type: isPrimary ? "read_write" : "read_only",
    ...fixedSize(part.sizeCu),
    disabled: part.disabled,
    suspendTimeoutSeconds: isPrimary && isShared ? 600 : 300,
    ...(settings === "none" ? {} : { settings: { pgSettings: { "ext.token": secretTexts[settings] } } }),
    timeouts: { create: 60, update: 60, delete: 60 },
  };
}

/** The compute's members at the service, once it is as declared. */
export function wireOf(world: World, side: Side, part: Part): Record<string, unknown> {
  const { branchId, type, suspendTimeoutSeconds, settings } = argsOf(world, side, part);
  return {
    ...{ branch_id: branchId, type, suspend_timeout_seconds: suspendTimeoutSeconds, disabled: part.disabled },
    ...{ autoscaling_limit_min_cu: part.sizeCu, autoscaling_limit_max_cu: part.sizeCu },
    ...(settings === undefined
      ? {}
      : { settings: { pg_settings: (settings as { pgSettings: object }).pgSettings } }),
  };
}

function secretArguments({ settings, place, isPrimary, isShared }: Part): readonly string[] {
  return [
    ...(settings === "secret" || settings === "other secret" ? ["settings"] : []),
    ...(place === 2 && (isPrimary || !isShared) ? ["branchId"] : []),
  ];
}

export interface Lines {
  readonly aliases?: Readonly<Partial<Record<Name, readonly string[]>>>;
  readonly adopt?: Readonly<Partial<Record<Name, string>>>;
}

export function programOf(world: World, side: Side, { aliases = {}, adopt = {} }: Lines): Program {
  const entries = Object.entries(side.parts).map(([name, part]) => {
    const line = adopt[name as Name];
    const secrets = secretArguments(part);
    const declared = {
      args: { ...argsOf(world, side, part), ...(line === undefined ? {} : { adopt: line }) },
      aliases: aliases[name as Name] ?? [],
      ...(secrets.length === 0 ? {} : { secrets }),
    };
    return [name, declared] as const;
  });
  return Object.fromEntries(entries);
}
