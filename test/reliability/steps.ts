/**
 * The steps of a compute's life that the matrix breaks: what leads up to each, the request that is broken, and
 * what must be true once nothing is broken any more.
 */
import { fixedSize } from "../../provider/pure/sizes";
import type { EmulatorOptions } from "../../emulator";
import type { Variant } from "../support/variants";
import type { Fault, Target } from "./faults";
import type { Scene } from "./scene";

export interface Way {
  readonly name: string;
  readonly prepare?: (scene: Scene) => Promise<unknown> | undefined;
  /** Just before the step, once the fault is in force: what happens behind our back. */
  readonly drift?: (scene: Scene) => void;
  readonly run: (scene: Scene) => Promise<unknown>;
  readonly target: Omit<Target, "times">;
  /** Computes in the end. */
  readonly computes?: 0;
}

export interface Step {
  readonly name: string;
  readonly ways: readonly Way[];
  /** Why a fault cannot happen here; undefined where it can. */
  readonly notApplicable: (fault: Fault) => string | undefined;
  readonly switches?: EmulatorOptions["switches"];
  /** Meets every request of the run: a configuration does not heal by itself. */
  readonly isLasting?: true;
  /** The only variant that has it. */
  readonly variant?: Variant;
}

/** Longer than any operation, shorter than the defaults. */
const timeouts = { create: 60, update: 60, delete: 60 };

/** Brings the resource to a primary with these arguments besides. */
const up =
  (more?: (scene: Scene) => Record<string, unknown>) =>
  (scene: Scene): Promise<unknown> => {
    const { projectId, branchId } = scene;
    return scene.engine.up({ projectId, branchId, ...fixedSize(0.5), timeouts, ...more?.(scene) });
  };
const create = up();
const resize = up(() => ({ ...fixedSize(2) }));
const move = up(({ otherBranchId }) => ({ branchId: otherBranchId }));

const resizedByHand = (scene: Scene): void => {
  const [id] = scene.computes();
  scene.emulator.updateEndpoint(id ?? "", { autoscaling_limit_max_cu: 4 });
  scene.clock.advance(5_000);
};

/** A create that the service answered, of a run that was killed before the engine knew. */
const killedCreate = async (scene: Scene): Promise<void> => {
  const { engine, projectId, branchId } = scene;
  await engine.up({ projectId, branchId, ...fixedSize(0.5), timeouts }, { isKilled: true });
  [scene.adopt] = scene.computes();
};

/** A create whose wait ran out of time: the state holds its id and its operation. */
const unfinishedCreate = async (scene: Scene): Promise<void> => {
  scene.emulator.setTimeline({ stuck: "running", times: 1 });
  await create(scene).catch(() => undefined);
  scene.endOperations();
};

const only = (...kinds: readonly Fault["kind"][]) => ({
  or: (reason: string) => (fault: Fault) => (kinds.includes(fault.kind) ? undefined : reason),
});

const aboutWrites = (fault: Fault): string | undefined => {
  if (fault.kind === "stale") return "the answer to a write cannot be old";
  if (fault.kind === "operation") return "no operation is awaited before the write is answered";
  if (fault.kind === "cursor") return "a write has no cursor";
  return undefined;
};

const aboutReads = (fault: Fault): string | undefined =>
  fault.kind === "done" ? "a read changes nothing, so it has no after" : undefined;

const aboutLooks = (fault: Fault): string | undefined => {
  if (fault.kind === "operation") return "looking is not waiting: no operation is read";
  return fault.kind === "cursor" ? "interface 4.2 has no pages" : aboutReads(fault);
};

const aboutWaits = (fault: Fault): string | undefined =>
  fault.kind === "cursor" ? "few waits read operations singly, without a cursor" : aboutReads(fault);

const made = (scene: Scene): undefined => {
  const body = { branch_id: scene.branchId, type: "read_write" };
  scene.adopt = scene.emulator.createEndpoint(scene.projectId, body).endpoint.id;
  scene.clock.advance(5_000);
};

const post = { method: "POST", after: 0 } as const;
const patch = { method: "PATCH", after: 0 } as const;
const get = { method: "GET", after: 0 } as const;

/** A read of a compute that was resized behind our back. */
const drifted = { name: "of a drifted compute", prepare: create, drift: resizedByHand, target: get };

export const steps: readonly Step[] = [
  {
    name: "configuration",
    notApplicable: only("line", "answer").or(
      "a configuration sends nothing: it can only lead to the wrong place",
    ),
    ways: [{ name: "of a first run", run: create, target: { after: 0 } }],
    isLasting: true,
  },
  {
    name: "create's POST",
    notApplicable: aboutWrites,
    ways: [
      { name: "of a primary", run: create, target: post },
      { name: "of a replica", run: up(() => ({ type: "read_only" })), target: post },
    ],
  },
  {
    name: "create's wait",
    notApplicable: aboutWaits,
    ways: [{ name: "of a primary", run: create, target: { method: "GET", after: 1 } }],
  },
  {
    name: "read",
    notApplicable: aboutLooks,
    ways: [{ ...drifted, run: (scene) => scene.engine.refresh() }],
  },
  {
    name: "read before a change",
    variant: "native",
    notApplicable: aboutLooks,
    ways: [{ ...drifted, run: move }],
  },
  {
    name: "update's PATCH",
    notApplicable: aboutWrites,
    ways: [
      { name: "of a size", prepare: create, run: resize, target: patch },
      { name: "of a branch", prepare: create, run: move, target: patch },
    ],
  },
  {
    name: "update's wait",
    notApplicable: aboutWaits,
    ways: [
      { name: "of a size", prepare: create, run: resize, target: get },
      { name: "of a move", prepare: create, run: move, target: get },
    ],
  },
  {
    name: "delete",
    switches: { deleteOperations: "suspend" },
    notApplicable: (fault) => (fault.kind === "operation" ? undefined : aboutWrites(fault)),
    ways: [
      {
        name: "of a compute",
        prepare: create,
        run: (scene) => scene.engine.destroy(),
        target: { method: "DELETE", after: 0 },
        computes: 0,
      },
    ],
  },
  {
    name: "list, adopt, resume",
    notApplicable: aboutReads,
    ways: [
      { name: "adopting a compute", prepare: made, run: up(({ adopt }) => ({ adopt })), target: get },
      { name: "resuming a wait", prepare: unfinishedCreate, run: create, target: get },
      {
        name: "adopting what a killed run created",
        prepare: killedCreate,
        run: up(({ adopt }) => ({ adopt })),
        target: get,
      },
    ],
  },
];
