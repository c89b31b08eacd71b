/**
 * The changes to try: one for each argument that can change in an existing compute. If an argument is added to the
 * table of fields, this file compiles only once it says how to try that argument, or why not.
 */
import type { ArgumentName } from "../provider/model/fields";
import { factsOf, type ServiceName } from "../provider/model/services";
import type { EndpointState } from "../provider/model/state";

export type ComputeName = "primary" | "replica";

export interface Change {
  readonly title: string;
  readonly compute: ComputeName;
  readonly args: (known: Known) => Readonly<Record<string, unknown>>;
}

/** What the values to try depend on. */
export interface Known {
  readonly service: ServiceName;
  readonly state: EndpointState;
  /** The branch to move to; undefined if none is named. */
  readonly moveTo: string | undefined;
}

/** The smallest size of a service, and the next one. */
export function smallestSizes(service: ServiceName): readonly [smallest: number, next: number] {
  const [smallest = 0.25, next = 0.5] = factsOf(service)?.sizes ?? [];
  return [smallest, next];
}

function fixedSize(cu: number): Readonly<Record<string, unknown>> {
  return { autoscalingLimitMinCu: cu, autoscalingLimitMaxCu: cu };
}

/**
 * A change of the primary. Only the replica is disabled and enabled: on a disabled primary, later changes would show
 * nothing.
 */
function onPrimary(title: string, args: Change["args"]): Change {
  return { title, compute: "primary", args };
}

/**
 * For each argument, its changes, or why it has none. The changes are made in this order: a move suspends the compute,
 * so it comes late.
 */
const tried = {
  autoscalingLimitMinCu: [
    onPrimary("size up", ({ service }) => fixedSize(smallestSizes(service)[1])),
    onPrimary("size down", ({ service }) => fixedSize(smallestSizes(service)[0])),
  ],
  autoscalingLimitMaxCu: [
    onPrimary("maximum only", ({ service }) => ({ autoscalingLimitMaxCu: smallestSizes(service)[1] })),
  ],
  suspendTimeoutSeconds: [onPrimary("suspend timeout", () => ({ suspendTimeoutSeconds: 600 }))],
  settings: [onPrimary("Postgres setting", () => ({ settings: { pgSettings: { work_mem: "8MB" } } }))],
  poolerEnabled: [onPrimary("pooler", ({ state }) => ({ poolerEnabled: state.poolerEnabled !== true }))],
  passwordlessAccess: [
    onPrimary("passwordless access", ({ state }) => ({
      passwordlessAccess: state.passwordlessAccess !== true,
    })),
  ],
  name: [onPrimary("name", () => ({ name: "compute-verify" }))],
  restartTriggers: [onPrimary("restart by trigger", () => ({ restartTriggers: { verify: 1 } }))],
  branchId: [onPrimary("move", ({ moveTo }) => ({ branchId: moveTo }))],
  disabled: [
    { title: "disable", compute: "replica", args: () => ({ disabled: true }) },
    { title: "enable", compute: "replica", args: () => ({ disabled: false }) },
  ],
  poolerMode: "a service has one mode (interface 2.1)",
  projectId: "a replacement deletes the compute: nobody doubts that connections drop",
  type: "the same",
  regionId: "the same",
  adopt: "the compute stays as it is",
  onInterruption: "no service has it",
  timeouts: "no service has it",
} as const satisfies Record<ArgumentName, readonly Change[] | string>;

/** All changes for a service, in the order of the table. */
export function changesFor({ service, moveTo }: Pick<Known, "service" | "moveTo">): readonly Change[] {
  const { withoutEffect = [] } = factsOf(service) ?? {};
  const isTried = (name: string): boolean =>
    !withoutEffect.includes(name) && (name !== "branchId" || moveTo !== undefined);
  return Object.entries<readonly Change[] | string>(tried).flatMap(([name, changes]) =>
    typeof changes !== "string" && isTried(name) ? changes : [],
  );
}
