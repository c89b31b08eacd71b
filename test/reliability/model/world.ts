/**
 * Two teams, each with a stack, in one project: each team's state, clock, provider processes and program, and what is known
 * of each compute.
 */
import { Clock, startEmulator, type Emulator } from "../../../emulator";
import { messageOf } from "../../../provider/model/errors";
import { hasEnded } from "../../../provider/service/observation";
import { listsProveAbsenceAfterMs } from "../../../provider/model/timing";
import {
  createMiniEngine,
  type MiniEngine,
  type Program,
  type RunOptions,
  type RunResult,
} from "../../support/miniEngine";
import type { Variant } from "../../support/variants";
import type { Life, Met, Parts } from "./life";
import { openNetwork, type Network } from "./network";
import { noteSettings, setByHand, type Theirs } from "./theirs";

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
  /** Previews its program on another machine. @returns what that run printed */
  readonly previewElsewhere: (program: Program) => Promise<readonly string[]>;
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
  const { service, restartedBy, settingsPatch, lock, sizeAnswer } = life;
  const emulator = await startEmulator({
    clock: new Clock("manual"),
    operationMs: 1_000,
    apiKey,
    switches: { service, restartedBy, settingsPatch, lock },
  });
  const made = emulator.createProject();
  const projectId = made.project.id;
  const branch = (): string => emulator.createBranch(projectId, { compute: false }).branch.id;
  const deletedByHand = new Set<string>();
  /** Computes that were changed by hand since their stack last looked, each with a number that grows with every such change. */
  const drifted = new Map<string, number>();
  let drifts = 0;
  const noteDrift = (id: string): void => {
    drifted.set(id, ++drifts);
  };
  const theirs = new Map<string, Theirs>();
  const remembers = life.commands.some((command) => command.kind === "show" && command.lateMs > 0);
  const network = openNetwork(emulator, projectId, {
    ...{ met, remembers, sizeAnswer },
    onLateDelete: (id) => {
      deletedByHand.add(id);
      noteDrift(id);
    },
    onSettings: (sent) => {
      noteSettings(theirs, met, sent);
    },
  });
  network.onColleague((id) => {
    if (computes().includes(id) && setByHand({ emulator, network, theirs }, "set a setting", id))
      met.count("a setting of somebody else while a PATCH waits");
  });
  const { clock } = network;
  const sides = sidesOf({ life, emulator, network, branch });
  const sharedBranchId = branch();
  clock.advance(20_000);
  met.count(life.place);
  if (settingsPatch === "merges") met.count("a service that merges settings");
  if (lock === "project") met.count("one write at a time");
  if (!life.liveFacts) met.count("live facts off");
  /** The computes of the project, except the one that came with its default branch. */
  const computes = (): readonly string[] =>
    emulator
      .endpoints(projectId)
      .map(({ endpoint }) => endpoint.id)
      .filter((id) => id !== made.endpoint.id);
  return {
    ...{ emulator, clock, network, met, projectId, sides, sharedBranchId, computes },
    ...{ deletedByHand, drifted, noteDrift, theirs, liveFacts: life.liveFacts },
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
    /** What previews on other machines have printed. */
    saidElsewhere: new Array<string>(),
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
      const openOn = (stackName: string, newProcess: Network["newProcess"]): MiniEngine =>
        createMiniEngine({
          baseUrl: emulator.url,
          apiKey,
          clock: network.clock,
          ofRun: () => newProcess(key),
          exportStack: () => exportOf(sides),
          ...{ variant, stackName, service: life.service },
          ...(!life.liveFacts && { stack: { "compute:liveFacts": "false" } }),
        });
      const openAs = (stackName: string): MiniEngine =>
        withinNetwork(network, openOn(stackName, network.newProcess));
      const stackName = team === 0 || life.place === "teams on two machines" ? "dev" : "prod";
      const engine = openAs(stackName);
      const side: Side = {
        ...{ key, team, variant, branchIds, openAs, stackName, engine, parts: {}, last: nothing },
        previewElsewhere: async (program) => {
          const elsewhere = openOn(side.stackName, network.newProcessElsewhere);
          elsewhere.restore(side.engine.state());
          const { failures } = await elsewhere.up(program, { isPreview: true });
          return [...elsewhere.rows, ...elsewhere.shown, ...failures.map(messageOf)];
        },
      };
      return side;
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
