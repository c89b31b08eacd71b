/**
 * The computes of a project as they were some time ago, which is what a list behind a cache or a replica shows.
 */
import type { Emulator } from "../../../emulator";

/** An endpoint, or the body of a write, as it is on the wire. */
export type Wire = Readonly<Record<string, unknown>>;

export interface Past {
  /** Writes down what has changed. */
  readonly note: () => void;
  /** What a list shows that is so late, if the service has this now. */
  readonly shown: (now: readonly Wire[], lateMs: number) => readonly Wire[];
}

interface Version {
  readonly atMs: number;
  /** Undefined from its deletion on. */
  readonly endpoint: Wire | undefined;
  readonly text: string;
}

export function createPast(emulator: Emulator, projectId: string): Past {
  const versions = new Map<string, Version[]>();
  const nowMs = (): number => emulator.clock.now();
  const add = (id: string, endpoint: Wire | undefined): void => {
    const known = versions.get(id) ?? [];
    versions.set(id, known);
    const text = endpoint === undefined ? "" : JSON.stringify(endpoint);
    if (known.at(-1)?.text !== text) known.push({ atMs: nowMs(), endpoint, text });
  };
  return {
    note: () => {
      const views = emulator.endpoints(projectId).map(({ endpoint }) => endpoint);
      const ids = new Set(views.map(({ id }) => id));
      for (const endpoint of views) add(endpoint.id, { ...endpoint });
      for (const id of versions.keys()) if (!ids.has(id)) add(id, undefined);
    },
    shown: (now, lateMs) => {
      if (lateMs === 0) return now;
      const thenMs = nowMs() - lateMs;
      const present = new Map(now.map((endpoint) => [String(endpoint["id"]), endpoint]));
      return [...new Set([...versions.keys(), ...present.keys()])].flatMap((id): readonly Wire[] => {
        const known = versions.get(id) ?? [];
        const last = known.at(-1);
        // What has not changed since is shown as it is: nobody has written down how it came to rest.
        if (last !== undefined && last.atMs <= thenMs) return listOf(present.get(id));
        return listOf(known.findLast(({ atMs }) => atMs <= thenMs)?.endpoint);
      });
    },
  };
}

function listOf(endpoint: Wire | undefined): readonly Wire[] {
  return endpoint === undefined ? [] : [endpoint];
}
