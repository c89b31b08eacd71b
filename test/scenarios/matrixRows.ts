/**
 * The steps of a compute's life that the matrix breaks: what leads up to each, which request meets the fault, and how
 * many computes there are in the end.
 */
import type { Switches } from "../../emulator";
import type { Values } from "../support/providerHandlers";
import type { Variant } from "../support/variants";
import type { Fault, Target } from "./matrixFaults";
import type { Command, Event, Step } from "./row";
import type { World } from "./world";
import { destroy, refresh, size, up } from "./commands";
import { byHand } from "./events";

export interface Way {
  readonly promise: string;
  readonly before?: readonly Step[];
  /** What others do once the fault is in force. */
  readonly meanwhile?: readonly Event[];
  readonly do: Command;
  readonly target: Omit<Target, "times">;
  /** No compute is left in the end. */
  readonly isGone?: true;
  /** A write whose outcome nobody knows is not sent again. */
  readonly neverAgain?: true;
}

export interface Column {
  readonly name: string;
  readonly ways: readonly Way[];
  /** Whether a fault can happen here. */
  readonly meets: (fault: Fault) => boolean;
  readonly service?: Partial<Switches>;
  /** The fault meets every request of the run, since a wrong configuration stays wrong. */
  readonly isLasting?: true;
  /** The test checks how often the write is sent, which each fault's `write` says (`matrixFaults.ts`). */
  readonly countsWrites?: true;
  /** The only variant that has this step. */
  readonly variant?: Variant;
}

/** Timeouts longer than any operation, and shorter than the defaults. */
const db: Values = { ...size(0.5), timeouts: { create: 60, update: 60, delete: 60 } };
const create = up(db);
const resize = up({ ...db, ...size(2) });
const move = up({ ...db, branchId: "<other branch>" });
const created: readonly Step[] = [{ do: create }];

const ended: Event = ({ endOperations }) => {
  endOperations();
};
/** A create whose wait timed out: the state holds its id and its operation, which ends afterwards. */
const unfinished: readonly Step[] = [
  { operations: [{ stuck: "running", times: 1 }], do: create, expect: { mayFail: true, also: ended } },
];
/** A create in a run that was killed: the service answered, but the engine did not receive the answer. */
const killed: readonly Step[] = [
  {
    do: up(db, { isKilled: true }),
    expect: {
      also: ({ emulator, idOf, others, name }: World): void => {
        const [left] = emulator.endpoints(idOf("project")).filter(({ endpoint }) => !others.has(endpoint.id));
        name("made", left!.endpoint.id);
      },
    },
  },
];

/** Creates the compute that the program adopts. */
const made: Event = (world) => {
  const body = { branch_id: world.idOf("branch"), type: "read_write" };
  world.name("made", world.emulator.createEndpoint(world.idOf("project"), body).endpoint.id);
  world.clock.advance(5_000);
};

const allBut =
  (...kinds: readonly Fault["kind"][]): Column["meets"] =>
  ({ kind }) =>
    !kinds.includes(kind);
/** The answer to a write cannot be old, it has no cursor, and no operation is awaited before the write. */
const ofWrites = allBut("stale", "operation", "cursor");
/** A read changes nothing, so a lost answer to it hides no change. */
const ofReads = allBut("done");
/** A list of computes has no pages (interface 4.2), and no operation is read. */
const ofLooks = allBut("done", "operation", "cursor");
/** A few operations are read one by one, without a cursor. */
const ofWaits = allBut("done", "cursor");

const post = { method: "POST", after: 0 } as const;
const patch = { method: "PATCH", after: 0 } as const;
const get = { method: "GET", after: 0 } as const;

/** A read of a compute that somebody else resized. */
const drifted = {
  promise: "of a drifted compute",
  before: created,
  meanwhile: [byHand({ autoscaling_limit_max_cu: 4 })],
  target: get,
};

export const columns: readonly Column[] = [
  {
    name: "configuration",
    // Configuring sends no request. A wrong configuration only sends later requests to the wrong place.
    meets: ({ kind }) => kind === "line" || kind === "answer",
    ways: [{ promise: "of a first run", do: create, target: { after: 0 } }],
    isLasting: true,
  },
  {
    name: "create's POST",
    meets: ofWrites,
    countsWrites: true,
    ways: [
      { promise: "of a primary", do: create, target: post },
      { promise: "of a replica", do: up({ ...db, type: "read_only" }), target: post, neverAgain: true },
    ],
  },
  {
    name: "create's wait",
    meets: ofWaits,
    ways: [{ promise: "of a primary", do: create, target: { method: "GET", after: 1 } }],
  },
  { name: "read", meets: ofLooks, ways: [{ ...drifted, do: refresh() }] },
  {
    name: "read before a change",
    variant: "native",
    meets: ofLooks,
    ways: [{ ...drifted, do: move }],
  },
  {
    name: "update's PATCH",
    meets: ofWrites,
    countsWrites: true,
    ways: [
      { promise: "of a size", before: created, do: resize, target: patch },
      { promise: "of a branch", before: created, do: move, target: patch },
    ],
  },
  {
    name: "update's wait",
    meets: ofWaits,
    ways: [
      { promise: "of a size", before: created, do: resize, target: get },
      { promise: "of a move", before: created, do: move, target: get },
    ],
  },
  {
    name: "delete",
    service: { deleteOperations: "suspend" },
    meets: allBut("stale", "cursor"),
    ways: [
      {
        promise: "of a compute",
        before: created,
        do: destroy(),
        target: { method: "DELETE", after: 0 },
        isGone: true,
      },
    ],
  },
  {
    name: "list, adopt, resume",
    meets: ofReads,
    ways: [
      {
        promise: "adopting a compute",
        before: [{ meanwhile: [made], do: refresh() }],
        do: up({ ...db, adopt: "<made>" }),
        target: get,
      },
      { promise: "resuming a wait", before: unfinished, do: create, target: get },
      {
        promise: "adopting what a killed run created",
        before: killed,
        do: up({ ...db, adopt: "<made>" }),
        target: get,
      },
    ],
  },
];
