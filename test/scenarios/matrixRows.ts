/**
 * The steps of a compute's life that the matrix breaks: what leads up to each, the request that is broken, and how
 * many computes there are once nothing is broken any more.
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
  /** Once the fault is in force: what happens behind our back. */
  readonly meanwhile?: readonly Event[];
  readonly do: Command;
  readonly target: Omit<Target, "times">;
  /** Nothing is left in the end. */
  readonly isGone?: true;
  /** A write whose outcome nobody knows is not sent again. */
  readonly neverAgain?: true;
}

export interface Column {
  readonly name: string;
  readonly ways: readonly Way[];
  /** Why a fault cannot happen here; undefined where it can. */
  readonly notApplicable: (fault: Fault) => string | undefined;
  readonly service?: Partial<Switches>;
  /** Meets every request of the run: a configuration does not heal by itself. */
  readonly isLasting?: true;
  /** Each fault says how often the write is sent: `write` in `matrixFaults.ts`. */
  readonly countsWrites?: true;
  /** The only variant that has it. */
  readonly variant?: Variant;
}

/** Longer than any operation, shorter than the defaults. */
const db: Values = { ...size(0.5), timeouts: { create: 60, update: 60, delete: 60 } };
const create = up(db);
const resize = up({ ...db, ...size(2) });
const move = up({ ...db, branchId: "<other branch>" });
const created: readonly Step[] = [{ do: create }];

const ended: Event = ({ endOperations }) => {
  endOperations();
};
/** A create whose wait ran out of time: the state holds its id and its operation, which ends then. */
const unfinished: readonly Step[] = [
  { operations: [{ stuck: "running", times: 1 }], do: create, expect: { mayFail: true, also: ended } },
];
/** A create that the service answered, of a run that was killed before the engine knew. */
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

/** The compute that the program adopts. */
const made: Event = (world) => {
  const body = { branch_id: world.idOf("branch"), type: "read_write" };
  world.name("made", world.emulator.createEndpoint(world.idOf("project"), body).endpoint.id);
  world.clock.advance(5_000);
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

const post = { method: "POST", after: 0 } as const;
const patch = { method: "PATCH", after: 0 } as const;
const get = { method: "GET", after: 0 } as const;

/** A read of a compute that was resized behind our back. */
const drifted = {
  promise: "of a drifted compute",
  before: created,
  meanwhile: [byHand({ autoscaling_limit_max_cu: 4 })],
  target: get,
};

export const columns: readonly Column[] = [
  {
    name: "configuration",
    notApplicable: only("line", "answer").or(
      "a configuration sends nothing: it can only lead to the wrong place",
    ),
    ways: [{ promise: "of a first run", do: create, target: { after: 0 } }],
    isLasting: true,
  },
  {
    name: "create's POST",
    notApplicable: aboutWrites,
    countsWrites: true,
    ways: [
      { promise: "of a primary", do: create, target: post },
      { promise: "of a replica", do: up({ ...db, type: "read_only" }), target: post, neverAgain: true },
    ],
  },
  {
    name: "create's wait",
    notApplicable: aboutWaits,
    ways: [{ promise: "of a primary", do: create, target: { method: "GET", after: 1 } }],
  },
  { name: "read", notApplicable: aboutLooks, ways: [{ ...drifted, do: refresh() }] },
  {
    name: "read before a change",
    variant: "native",
    notApplicable: aboutLooks,
    ways: [{ ...drifted, do: move }],
  },
  {
    name: "update's PATCH",
    notApplicable: aboutWrites,
    countsWrites: true,
    ways: [
      { promise: "of a size", before: created, do: resize, target: patch },
      { promise: "of a branch", before: created, do: move, target: patch },
    ],
  },
  {
    name: "update's wait",
    notApplicable: aboutWaits,
    ways: [
      { promise: "of a size", before: created, do: resize, target: get },
      { promise: "of a move", before: created, do: move, target: get },
    ],
  },
  {
    name: "delete",
    service: { deleteOperations: "suspend" },
    notApplicable: (fault) => (fault.kind === "operation" ? undefined : aboutWrites(fault)),
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
    notApplicable: aboutReads,
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
