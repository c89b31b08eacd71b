/**
 * Where a run is killed: at every request of every command, before and after the service has done its part.
 */

export type Victim = "cli" | "provider";
export type Side = "before" | "after";
export type Command = "create" | "replica" | "resize" | "move" | "restart" | "replace" | "destroy";

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

/** Requests of each command where nothing goes wrong. */
const requestsOf: Readonly<Record<Command, number>> = {
  create: 4,
  replica: 4,
  resize: 4,
  move: 4,
  restart: 4,
  replace: 5,
  destroy: 1,
};

function killsIn(command: Command, journals: readonly Kill["journal"][] = ["kept"]): readonly Kill[] {
  const kills: Kill[] = [];
  for (const journal of journals)
    for (let request = 1; request <= requestsOf[command]; request++)
      for (const side of ["before", "after"] as const)
        for (const victim of ["provider", "cli"] as const)
          kills.push({ command, request, side, victim, journal });
  return kills;
}

const first = [...killsIn("create", ["kept", "lost"]), ...killsIn("replica")];
const middle = [...killsIn("resize"), ...killsIn("move"), ...killsIn("restart"), ...killsIn("replace")];
const last = killsIn("destroy");

function at<T>(list: readonly T[], index: number): T {
  return list[index % list.length]!;
}

export function describeKill({ command, request, side, victim, journal }: Kill): string {
  const lost = journal === "lost" ? ", journal lost" : "";
  return `${command} ${victim} ${side} request ${request}${lost}`;
}

export const cycles: readonly Cycle[] = middle.map((kill, index) => {
  const kills = [at(first, index), kill, at(last, index)] as const;
  return { name: kills.map(describeKill).join("; "), kills };
});

/** For every run of the tests: a create whose answer nobody hears, with the journal and without it, and what follows. */
export const sampledCycles: readonly Cycle[] = cycles.filter(({ kills: [kill] }) => {
  return kill.command === "create" && kill.request === 2 && kill.side === "after" && kill.victim === "cli";
});
