/** Words that rows use for what others do, for the passing of time, and for what else must be true. */
import type { TimelineRule } from "../../emulator";
import { deleteByHand } from "../support/byHand";
import type { Stored } from "../support/miniEngine";
import type { Values } from "../support/providerHandlers";
import type { Event } from "./row";

export const seconds =
  (count: number): Event =>
  ({ clock }) => {
    clock.advance(count * 1_000);
  };
export const hours = (count: number): Event => seconds(count * 3_600);
/** Somebody changes the compute at the service. */
export const byHand =
  (changes: Values, name = "db"): Event =>
  (world) => {
    world.emulator.updateEndpoint(world.idOf(name), world.resolved(changes));
    world.clock.advance(10_000);
  };
/** Somebody deletes the compute, long enough after its creation that lists prove the deletion. */
export const deleted =
  (name = "db"): Event =>
  (world) => {
    deleteByHand(world, world.idOf(name));
  };
/** Somebody deletes the compute, and no time passes: while it is young, lists prove nothing. */
export const justDeleted =
  (name = "db"): Event =>
  ({ emulator, idOf }) => {
    emulator.deleteEndpoint(idOf(name));
  };
/** A client connects, which keeps the compute active. */
export const connected =
  (name = "db"): Event =>
  ({ emulator, clock, idOf }) => {
    emulator.connect(idOf(name));
    clock.advance(5_000);
    expect(emulator.endpoint(idOf(name)).endpoint.current_state).toBe("active");
  };
/** An hour passes, in which the service suspends the compute. */
export const idle =
  (name = "db"): Event =>
  ({ emulator, clock, idOf }) => {
    clock.advance(3_600_000);
    expect(emulator.endpoint(idOf(name)).endpoint.current_state).toBe("idle");
  };
/** An event whose operations proceed as the rule says. */
export const goingSo =
  (rule: TimelineRule, event: Event): Event =>
  (world) => {
    world.emulator.setTimeline(rule);
    event(world);
  };
export const restarted =
  (name = "db"): Event =>
  ({ emulator, idOf }) => {
    emulator.restartEndpoint(idOf(name));
  };
export const suspended =
  (name = "db"): Event =>
  ({ emulator, clock, idOf }) => {
    emulator.suspendEndpoint(idOf(name));
    clock.advance(5_000);
  };
/** Another team creates a compute: a primary on `<branch>`, unless `body` says otherwise. */
export const othersMake =
  (name: string, body: Values = {}): Event =>
  (world) => {
    const { emulator, idOf } = world;
    const wanted = { branch_id: idOf("branch"), type: "read_write", ...world.resolved(body) };
    const { id } = emulator.createEndpoint(idOf("project"), wanted).endpoint;
    world.name(name, id);
    world.others.add(id);
  };
/** This machine's clock is wrong by this many hours. */
export const clockOff =
  (byHours: number): Event =>
  ({ clock }) => {
    clock.setWallClockOffBy(byHours * 3_600_000);
  };
/** Somebody edits the state, as `pulumi stack import` does. */
export const stateEdited =
  (edit: (stored: Stored) => readonly Stored[]): Event =>
  ({ engine }) => {
    engine.restore(engine.state().flatMap(edit));
  };
/** `pulumi refresh --clear-pending-creates`. */
export const pendingCreatesCleared: Event = ({ engine }) => {
  engine.clearPendingCreates();
};
/** The state is empty, as after `pulumi state delete`. */
export const stateForgotten: Event = stateEdited(() => []);
/** A second project, `<far project>`, with `<far branch>`. */
export const anotherProject: Event = ({ emulator, name }) => {
  const { project } = emulator.createProject();
  name("far project", project.id);
  name("far branch", emulator.createBranch(project.id, { compute: false }).branch.id);
};

/** Others create so many computes that their operations fill the newest page of operations. */
export const crowded: Event = (world) => {
  for (let count = 0; count < 120; count++)
    othersMake(`replica ${count}`, { branch_id: "<default branch>", type: "read_only" })(world);
};
/** An operation of another compute in the project never ends. */
export const neverEnding: Event = ({ emulator, idOf }) => {
  emulator.setTimeline({ stuck: "running", times: 1 });
  emulator.updateEndpoint(idOf("default primary"), { autoscaling_limit_max_cu: 4 });
};

/** All operations of "db" have finished. */
export const nothingRuns: Event = ({ emulator, idOf }) => {
  const all = emulator.operations(idOf("project")).filter(({ endpoint_id }) => endpoint_id === idOf("db"));
  expect(all.filter(({ status }) => status !== "finished")).toEqual([]);
};

/** No operation of an earlier run is left in the state. */
export const nothingPending: Event = ({ engine }) => {
  expect(engine.stored("db")?.outs).not.toHaveProperty("__operations");
};
