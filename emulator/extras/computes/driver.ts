/**
 * Holds each operation `running` until the host has done its work on the real compute.
 */
import { pendingStateOf, release, successes } from "../../service/model/operations";
import type { EndpointRecord, OperationRecord, Project } from "../../service/model/records";
import type { Store } from "../../service/model/store";
import type { Timeline } from "../../service/model/timelines";
import { connectTo } from "../../service/model/transitions";
import type { Clock } from "../../service/model/clock";
import type { ComputeHost } from "../../service/host";
import { toHostedBranch, toHostedCompute } from "./hosted";

/** Operations for which a host has work. All others end by their timeline. */
const worked: readonly string[] = [
  "create_timeline",
  "create_branch",
  "start_compute",
  "suspend_compute",
  "apply_config",
];

/** Longest time that a client waits for a compute, in real milliseconds. */
const wakeLimitMs = 30_000;

/** Longest delay that Node's timers accept. */
const longestTimerMs = 2_147_483_647;

/** True if an operation waits for a host. An operation that is meant to fail, hang or vanish does no work. */
export function holds(action: string, { stuck, vanished, endStatus }: Timeline): boolean {
  return worked.includes(action) && stuck === undefined && vanished !== true && successes.includes(endStatus);
}

interface DriverOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly host: ComputeHost;
  /** Called when the records have changed without a request. */
  readonly onChange: () => void;
  readonly tell: (text: string) => void;
}

/**
 * Makes a host carry out operations, and holds each `running` until the host is done.
 *
 * Looks at the records when they may have changed (`notice`), when the clock is moved, and when something comes due.
 */
export class ComputeDriver {
  readonly #options: DriverOptions;
  /** Work under way, by operation. */
  readonly #working = new Map<OperationRecord, Promise<void>>();
  readonly #admitted = new Map<string, Promise<void>>();
  readonly #starting = new Map<string, Promise<void>>();
  readonly #waiting = new Set<() => void>();
  readonly #forgetClock: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#forgetClock = options.clock.onAdvance(() => {
      this.notice();
    });
  }

  /** Looks at the records: begins the work that is due, and notices computes that are new or gone. */
  notice(): void {
    if (this.#isClosed) return;
    const { store } = this.#options;
    store.settleAll();
    for (const project of store.projects.values()) {
      for (const endpoint of project.endpoints.values()) void this.#admit(project, endpoint);
      for (const queue of project.queues.values()) this.#begin(project, queue[0]);
    }
    for (const id of this.#admitted.keys()) if (!this.#find(id)) this.#remove(id);
    for (const look of this.#waiting) look();
    this.#setTimer();
  }

  /** Gives every compute of a restored state its address. */
  async admitAll(): Promise<void> {
    this.notice();
    await Promise.all(this.#admitted.values());
  }

  /**
   * Wakes a compute for a client that connects. Resolves once the compute runs.
   *
   * @throws Error with words for the client
   */
  async wake(computeId: string): Promise<void> {
    const { store, host } = this.#options;
    const found = this.#find(computeId);
    if (!found) throw new Error(`Endpoint ${computeId} does not exist.`);
    const { project, endpoint } = found;
    connectTo(store, project, endpoint);
    this.#changed();
    await this.#untilActive(project, endpoint);
    // An active compute may have no running server: the emulator was restarted, or the server has died.
    if (!host.isRunning(computeId)) await this.#startAgain(project, endpoint);
  }

  /** Ends everything, after waiting for the work under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#forgetClock();
    clearTimeout(this.#timer);
    for (const look of this.#waiting) look();
    await Promise.allSettled([...this.#working.values(), ...this.#starting.values()]);
    await this.#options.host.close();
  }

  #find(id: string): { project: Project; endpoint: EndpointRecord } | undefined {
    for (const project of this.#options.store.projects.values()) {
      const endpoint = project.endpoints.get(id);
      if (endpoint) return { project: this.#options.store.project(project.id), endpoint };
    }
    return undefined;
  }

  #admit(project: Project, endpoint: EndpointRecord): Promise<void> {
    const known = this.#admitted.get(endpoint.id);
    if (known) return known;
    const admitted = this.#options.host
      .admit(toHostedCompute(project, endpoint, this.#options.store.switches))
      .catch((error: unknown) => {
        this.#options.tell(`${endpoint.id} has no address: ${wordsOf(error)}`);
      });
    this.#admitted.set(endpoint.id, admitted);
    return admitted;
  }

  #remove(id: string): void {
    const admitted = this.#admitted.get(id);
    this.#admitted.delete(id);
    const removed = Promise.resolve(admitted)
      .then(() => this.#options.host.remove(id))
      .catch((error: unknown) => {
        this.#options.tell(`${id} was deleted, but its server could not be removed: ${wordsOf(error)}`);
      });
    this.#starting.set(id, removed);
    void removed.then(() => this.#starting.delete(id));
  }

  #begin(project: Project, operation: OperationRecord | undefined): void {
    if (operation?.status !== "running" || operation.isHeld !== true || this.#working.has(operation)) return;
    const work = this.#work(project, operation)
      .then(() => operation.endStatus)
      .catch((error: unknown) => {
        this.#options.tell(`${operation.action} of ${aboutOf(operation)} failed: ${wordsOf(error)}`);
        return "failed";
      })
      .then((status) => {
        this.#working.delete(operation);
        if (this.#isClosed) return;
        release(project, operation, { status, atMs: this.#options.store.now() });
        this.#changed();
      });
    this.#working.set(operation, work);
  }

  async #work(project: Project, operation: OperationRecord): Promise<void> {
    const { host } = this.#options;
    if (operation.endpointId === undefined)
      return host.makeBranch(toHostedBranch(project, operation.branchId));
    const endpoint = project.endpoints.get(operation.endpointId);
    // The compute was deleted while its operation waited: `notice` has removed it.
    if (!endpoint) return;
    await this.#admit(project, endpoint);
    const compute = toHostedCompute(project, endpoint, this.#options.store.switches);
    switch (operation.action) {
      case "start_compute":
        return host.start(compute);
      case "suspend_compute":
        return host.stop(compute.id);
      default:
        await host.configure(compute);
        if (operation.restarts === true) await host.start(compute);
    }
  }

  #startAgain(project: Project, endpoint: EndpointRecord): Promise<void> {
    const under = this.#starting.get(endpoint.id);
    if (under) return under;
    const started = this.#admit(project, endpoint)
      .then(() => this.#options.host.start(toHostedCompute(project, endpoint, this.#options.store.switches)))
      .finally(() => this.#starting.delete(endpoint.id));
    this.#starting.set(endpoint.id, started);
    return started;
  }

  /**
   * Waits until no start or suspension is under way. Rejects if the compute is not active then, or if this takes too
   * long.
   */
  #untilActive(project: Project, endpoint: EndpointRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        if (error) reject(error);
        else resolve();
      };
      const look = (): void => {
        if (this.#isClosed) end(new Error("The service is shutting down."));
        else if (!project.endpoints.has(endpoint.id)) end(new Error(`Endpoint ${endpoint.id} was deleted.`));
        else if (endpoint.disabled) end(new Error(`Endpoint ${endpoint.id} is disabled.`));
        else if (pendingStateOf(project, endpoint) !== undefined) return;
        else if (endpoint.currentState === "active") end();
        else end(new Error(`Endpoint ${endpoint.id} is ${endpoint.currentState}: it did not start.`));
      };
      const timer = setTimeout(() => {
        end(new Error(`Endpoint ${endpoint.id} is not active after ${wakeLimitMs / 1000} s.`));
      }, wakeLimitMs);
      this.#waiting.add(look);
      look();
    });
  }

  #changed(): void {
    this.#options.onChange();
    this.notice();
  }

  /** A real clock needs a timer for whatever comes due next; a manual one reports when it is moved. */
  #setTimer(): void {
    clearTimeout(this.#timer);
    const { store, clock } = this.#options;
    if (clock.kind === "manual") return;
    const dueMs = Math.min(...[...store.projects.values()].map((project) => project.dueMs));
    if (!Number.isFinite(dueMs)) return;
    const delayMs = Math.min(Math.max(dueMs - store.now(), 0), longestTimerMs);
    this.#timer = setTimeout(() => {
      this.#changed();
    }, delayMs).unref();
  }
}

function aboutOf({ endpointId, branchId }: OperationRecord): string {
  return endpointId ?? branchId;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
