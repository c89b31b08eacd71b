/**
 * Where a run is killed: at every request of every command, before and after the service has done its part.
 */
import type { Variant } from "../../support/variants";

export type Victim = "cli" | "provider";
export type Side = "before" | "after";
export type Command = "create" | "replica" | "resize" | "move" | "replace" | "destroy";

export interface Kill {
  readonly command: Command;
  /** Which request of the run, from 1. */
  readonly request: number;
  readonly side: Side;
  readonly victim: Victim;
  readonly journal: "kept" | "lost";
}

/** Three kills in the life of one compute. */
export interface Cycle {
  readonly name: string;
  readonly kills: readonly [Kill, Kill, Kill];
}

/** Requests of each command at the dynamic provider, where nothing goes wrong. */
const requests: Readonly<Record<Command, number>> = {
  create: 4,
  replica: 4,
  resize: 4,
  move: 4,
  replace: 5,
  destroy: 1,
};

/** A plugin has the engine read what is in the state before it plans: one list. */
function requestsOf(variant: Variant, command: Command): number {
  const isInState = command !== "create" && command !== "replica";
  return requests[command] + (variant === "native" && isInState ? 1 : 0);
}

function killsIn(
  variant: Variant,
  command: Command,
  journals: readonly Kill["journal"][] = ["kept"],
): readonly Kill[] {
  const kills: Kill[] = [];
  for (const journal of journals)
    for (let request = 1; request <= requestsOf(variant, command); request++)
      for (const side of ["before", "after"] as const)
        for (const victim of ["provider", "cli"] as const)
          kills.push({ command, request, side, victim, journal });
  return kills;
}

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length]!;
}

export function describeKill({ command, request, side, victim, journal }: Kill): string {
  const lost = journal === "lost" ? ", journal lost" : "";
  return `${command} ${victim} ${side} request ${request}${lost}`;
}

export function cyclesOf(variant: Variant): readonly Cycle[] {
  const first = [...killsIn(variant, "create", ["kept", "lost"]), ...killsIn(variant, "replica")];
  const middle = (["resize", "move", "replace"] as const).flatMap((name) => killsIn(variant, name));
  const last = killsIn(variant, "destroy");
  return middle.map((kill, index) => {
    const kills = [at(first, index), kill, at(last, index)] as const;
    return { name: kills.map(describeKill).join("; "), kills };
  });
}

/** A create that was done, and nobody heard of it. */
export const lostAnswer = {
  command: "create",
  request: 2,
  side: "after",
  victim: "cli",
  journal: "kept",
} as const satisfies Kill;

/**
 * For every run of the whole suite: a create whose answer nobody hears, with the journal and without it, and what follows.
 * Without it is the provider's own business: at the plugin, the process is another one, and the core the same.
 */
export function sampledCyclesOf(variant: Variant): readonly Cycle[] {
  return cyclesOf(variant).filter(({ kills: [first] }) => {
    const isLostAnswer = describeKill({ ...first, journal: "kept" }) === describeKill(lostAnswer);
    return isLostAnswer && (variant === "dynamic" || first.journal === "kept");
  });
}
