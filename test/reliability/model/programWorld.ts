/**
 * The stacks of a project, what they declare, and what has been said of each compute.
 */
import { Clock, startEmulator, type Emulator, type EmulatorOptions, type Switches } from "../../../emulator";
import { hasEnded } from "../../../provider/model/observation";
import { fixedSize } from "../../../provider/model/sizes";
import { listsProveAbsenceAfterMs } from "../../../provider/model/timing";
import type { Variant } from "../../support/variants";
import { createFakeClock, type FakeClock } from "../../support/fakeClock";
import { createMiniEngine, type MiniEngine, type Program, type Stored } from "../../support/miniEngine";
import { endHungRequests } from "../hung";
import type { Declarable, Name, Part, Parts } from "./programCommands";

/** A stack and its owner; of a stack with two provider processes, one of the two with its resources. */
export interface Side {
  readonly variant: Variant;
  /** Another one after `pulumi stack rename`. */
  engine: MiniEngine;
  /** Branches of its own; the last one is a secret. */
  readonly branchIds: readonly [string, string, string];
  /** What its program says now. */
  parts: Parts;
  /** What the last run failed with, by resource. */
  failed: Readonly<Record<string, unknown>>;
}

export interface World {
  readonly emulator: Emulator;
  readonly clock: FakeClock;
  readonly projectId: string;
  readonly sides: readonly Side[];
  readonly sharedBranchId: string;
  /** Computes of other people. */
  readonly strangers: Set<string>;
  /** Computes that nobody can know of any more. */
  readonly forgotten: Set<string>;
  /** Changed by hand since their stack has looked. */
  readonly drifted: Set<string>;
  /** Deleted by hand. */
  readonly deletedByHand: Set<string>;
  /** Secret branches that only a killed run's program had called so, before a state without it was given them by a read. */
  readonly readInClear: Set<string>;
  /** How late lists are now, in milliseconds. */
  readonly listsLateMs: () => number;
  /** Whether nothing tells a stranger's compute from what a create without an answer would have made. */
  readonly isTwin: (id: string) => boolean;
  /** Whether another stack's create is known to have made it: whoever is asked knows what its own did. */
  readonly isOthers: (id: string, side: Side) => boolean;
  /** Everything that was said on a row or as an error, in order. */
  readonly said: string[];
  /** For a compute that no state holds: how much had been said when that began. */
  readonly unheldSince: Map<string, number>;
  /** Of the project, besides its default branch's own. */
  readonly computes: () => readonly string[];
  /** By whom a compute is held. */
  holders(id: string): readonly { readonly side: Side; readonly stored: Stored }[];
  heal(): void;
  close(): Promise<void>;
}

export const apiKey = "local-key-of-the-world";

/** Where the stacks of a world are run. */
export interface Surroundings {
  readonly emulator: Emulator;
  readonly clock: FakeClock;
  readonly projectId: string;
  /** Makes a branch without a compute. */
  readonly branch: () => string;
}

export interface WorldOptions {
  readonly openSides: (surroundings: Surroundings) => readonly Side[];
  readonly listsLateMs?: () => number;
  readonly isTwin?: (id: string) => boolean;
  readonly isOthers?: World["isOthers"];
  readonly onHeal?: () => void;
  readonly switches?: EmulatorOptions["switches"];
}

/** How the stacks of a world are run, and at which service. */
export interface TwoStacks {
  readonly variant: Variant;
  readonly service: EmulatedService;
  readonly isOneName: boolean;
}

/** The services that the control plane can be. */
export type EmulatedService = Switches["service"];

/** Two stacks of one project. */
export function openTwoStacks({ variant, service, isOneName }: TwoStacks): Promise<World> {
  const openSides = ({ emulator, clock, branch }: Surroundings): readonly Side[] =>
    [0, 1].map((index) => ({
      variant,
      engine: createMiniEngine({
        baseUrl: emulator.url,
        apiKey,
        clock,
        variant,
        service,
        stackName: isOneName || index === 0 ? "dev" : "prod",
      }),
      branchIds: [branch(), branch(), branch()],
      parts: {},
      failed: {},
    }));
  return openWorld({ openSides, switches: { service } });
}

export async function openWorld({
  openSides,
  listsLateMs = () => 0,
  isTwin = () => false,
  isOthers = () => false,
  onHeal = () => undefined,
  switches = {},
}: WorldOptions): Promise<World> {
  const emulatorClock = new Clock("manual");
  const emulator = await startEmulator({ clock: emulatorClock, operationMs: 1_000, apiKey, switches });
  const clock = createFakeClock(emulatorClock);
  const made = emulator.createProject();
  const projectId = made.project.id;
  const branch = (): string => emulator.createBranch(projectId, { compute: false }).branch.id;
  const sides = openSides({ emulator, clock, projectId, branch });
  const sharedBranchId = branch();
  clock.advance(20_000);
  const stopEnding = endHungRequests(emulator);
  /** Besides the default branch's own. */
  const computes = (): readonly string[] =>
    emulator
      .endpoints(projectId)
      .map(({ endpoint }) => endpoint.id)
      .filter((id) => id !== made.endpoint.id);
  return {
    emulator,
    clock,
    projectId,
    sides,
    sharedBranchId,
    strangers: new Set(),
    forgotten: new Set(),
    drifted: new Set(),
    deletedByHand: new Set(),
    readInClear: new Set(),
    listsLateMs,
    isTwin,
    isOthers,
    said: [],
    unheldSince: new Map(),
    computes,
    holders: (id) =>
      sides.flatMap((one) =>
        one.engine
          .state()
          .filter((stored) => stored.id === id)
          .map((stored) => ({ side: one, stored })),
      ),
    heal: () => {
      onHeal();
      emulator.clearFaults();
      emulator.clearTimelines();
      for (const { id, status } of emulator.operations(projectId))
        if (!hasEnded(status)) emulator.endOperation(id);
      for (const id of computes()) {
        const { endpoint } = emulator.endpoint(id);
        // Somebody connects to what never ran: of a start in an unknown status, nothing else tells how it ended.
        if (endpoint.last_active === undefined && !endpoint.disabled) emulator.connect(id);
      }
      // Whatever a list does not show now is gone.
      clock.advance(listsProveAbsenceAfterMs);
    },
    close: async () => {
      stopEnding();
      await emulator.close();
    },
  };
}

const secretTexts: Readonly<Record<Declarable, string>> = {
  none: "",
  plain: "in the open",
  secret: "hunter2-of-the-world",
  "other secret": "correct-horse-battery",
};

/** What must not be in clear anywhere. */
export function secretsOf({ sides }: World): readonly string[] {
  return [
    apiKey,
    secretTexts.secret,
    secretTexts["other secret"],
    ...sides.map(({ branchIds }) => branchIds[2]),
  ];
}

export function branchOf(world: World, side: Side, part: Part): string {
  return part.isShared && !part.isPrimary ? world.sharedBranchId : side.branchIds[part.place];
}

/** What a part declares, besides what says where it is. */
export function argsOf(world: World, side: Side, part: Part): Record<string, unknown> {
  const { settings } = part;
  return {
    projectId: world.projectId,
    branchId: branchOf(world, side, part),
    type: part.isPrimary ? "read_write" : "read_only",
    ...fixedSize(part.sizeCu),
    disabled: part.disabled,
    suspendTimeoutSeconds: part.isPrimary && part.isShared ? 600 : 300,
    ...(settings === "none" ? {} : { settings: { pgSettings: { "ext.token": secretTexts[settings] } } }),
    timeouts: { create: 60, update: 60, delete: 60 },
  };
}

function secretArguments(side: Side, part: Part): readonly string[] {
  const isSecret = (declared: Declarable): boolean => declared === "secret" || declared === "other secret";
  return [
    ...(isSecret(part.settings) ? ["settings"] : []),
    ...(part.place === 2 && (part.isPrimary || !part.isShared) ? ["branchId"] : []),
  ];
}

/** One of a list, whatever the number. */
export function nth<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(list.length, 1)];
}

/** A branch holds one primary: what else would be one is a replica. */
export function possible(parts: Parts): Parts {
  const taken = new Set<number>();
  const entries = Object.entries(parts).map(([name, part]) => {
    const isPrimary = part.isPrimary && !taken.has(part.place);
    if (isPrimary) taken.add(part.place);
    return [name, { ...part, isPrimary }] as const;
  });
  return Object.fromEntries(entries);
}

export interface Lines {
  readonly aliases?: Readonly<Partial<Record<Name, readonly string[]>>>;
  readonly adopt?: Readonly<Partial<Record<Name, string>>>;
}

export function programOf(world: World, side: Side, { aliases = {}, adopt = {} }: Lines = {}): Program {
  const entries = Object.entries(side.parts).map(([name, part]) => {
    const line = adopt[name as Name];
    const secrets = secretArguments(side, part);
    const declared = {
      args: { ...argsOf(world, side, part), ...(line === undefined ? {} : { adopt: line }) },
      aliases: aliases[name as Name] ?? [],
      ...(secrets.length === 0 ? {} : { secrets }),
    };
    return [name, declared] as const;
  });
  return Object.fromEntries(entries);
}
