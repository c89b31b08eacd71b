import type { ComputeHost, HostCalls, HostedCompute, OpenHost } from "../../emulator";

/** A host that writes down what it is told, and does it when the test says so. */
export interface FakeHost {
  readonly open: OpenHost;
  /** Every call so far: what was asked, of whom. */
  readonly calls: string[];
  /** Computes as they were last started. */
  readonly running: Map<string, HostedCompute>;
  /** What the service lets a host do. */
  service: HostCalls;
  /** Last sign of a client, by compute. */
  readonly activeMs: Map<string, number>;
  /** Holds the work of this kind back until `carryOn` is called. */
  readonly holdBack: (kind: string) => { carryOn: () => void };
  /** Makes the next work of this kind fail. */
  readonly failNext: (kind: string, words: string) => void;
}

export function newFakeHost(): FakeHost {
  const calls: string[] = [];
  const running = new Map<string, HostedCompute>();
  const activeMs = new Map<string, number>();
  const held = new Map<string, Promise<void>>();
  const failures = new Map<string, string>();
  const admitted = new Set<string>();

  const work = async (kind: string, about: string, effect: () => void = () => undefined): Promise<void> => {
    calls.push(`${kind} ${about}`);
    await held.get(kind);
    const words = failures.get(kind);
    failures.delete(kind);
    if (words !== undefined) throw new Error(words);
    effect();
  };
  const host: ComputeHost = {
    description: "a fake one",
    admit: ({ id }) => Promise.resolve(void admitted.add(id)),
    makeBranch: ({ id, parentId }) =>
      work("makeBranch", parentId === undefined ? id : `${id} of ${parentId}`),
    start: (compute) => work("start", compute.id, () => running.set(compute.id, compute)),
    isRunning: (id) => running.has(id),
    configure: ({ id }) => work("configure", id),
    stop: (id) => work("stop", id, () => running.delete(id)),
    remove: (id) => work("remove", id, () => running.delete(id)),
    activity: (id) => {
      const lastActiveMs = activeMs.get(id);
      return { connections: 0, ...(lastActiveMs !== undefined && { lastActiveMs }) };
    },
    place: (id) =>
      admitted.has(id)
        ? {
            host: "127.0.0.1",
            port: 1,
            user: "u",
            password: "p",
            database: "d",
            uri: "uri",
            sharedUri: "shared",
          }
        : undefined,
    close: () => work("close", "everything"),
  };
  const fake: FakeHost = {
    calls,
    running,
    activeMs,
    service: { now: () => 0, wake: () => Promise.resolve(), tell: () => undefined },
    open: (service) => {
      fake.service = service;
      return Promise.resolve(host);
    },
    holdBack: (kind) => {
      let carryOn = (): void => undefined;
      held.set(
        kind,
        new Promise((resolve) => {
          carryOn = () => {
            held.delete(kind);
            resolve();
          };
        }),
      );
      return { carryOn };
    },
    failNext: (kind, words) => failures.set(kind, words),
  };
  return fake;
}

/** Lets everything that is ready run; no timer has to fire for it. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
