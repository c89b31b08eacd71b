/**
 * Holds all records, and lets operations take effect as time passes.
 */
import type { Switches } from "../switches";
import { isObject, type EndpointChanges, type Fields } from "./attributes";
import type { Clock } from "./clock";
import { InterruptionCounters } from "./counters";
import { badRequest, notFound } from "./errors";
import { Ids } from "./ids";
import { queueDueMs, enqueue, settleQueue } from "./operations";
import type { BranchRecord, EndpointRecord, OperationRecord, Project } from "./records";
import { Timelines, type Timeline } from "./timelines";

interface StoreOptions {
  readonly clock: Pick<Clock, "now">;
  readonly seed: number;
  /** How long an operation runs unless a timeline says otherwise, in milliseconds. */
  readonly operationMs: number;
  readonly switches: Switches;
  /** Present if computes are real. */
  readonly hosted?: HostAnswers;
}

/** What the records need to know about real computes. */
export interface HostAnswers {
  /** Whether an operation has to wait for a host's work. */
  readonly holds: (action: string, timeline: Timeline) => boolean;
  /** When a client was last active, in milliseconds of the clock; undefined if none was. */
  readonly lastActiveMs: (endpointId: string) => number | undefined;
  /** Why these Postgres settings are refused; undefined if they are accepted. */
  readonly refusalOf: (pgSettings: Fields) => string | undefined;
}

/** All records, and their changes as time passes. `transitions.ts` has the changes that requests make. */
export class Store {
  readonly projects = new Map<string, Project>();
  readonly counters = new InterruptionCounters();
  /**
   * Names of the Pulumi resources that declare endpoints, by id of the endpoint: the service itself has no such names.
   */
  resourceNames: ReadonlyMap<string, string> = new Map();
  readonly ids: Ids;
  readonly timelines: Timelines;
  switches: Switches;
  readonly #clock: Pick<Clock, "now">;
  readonly #hosted: HostAnswers | undefined;

  constructor(options: StoreOptions) {
    this.#clock = options.clock;
    this.ids = new Ids(options.seed);
    this.timelines = new Timelines(options.operationMs);
    this.switches = options.switches;
    this.#hosted = options.hosted;
  }

  now(): number {
    return this.#clock.now();
  }

  /** A project in its present state. @throws ServiceError 404 */
  project(projectId: string): Project {
    const project = this.projects.get(projectId);
    if (!project) throw notFound("Project", projectId);
    this.#settle(project);
    return project;
  }

  /** @throws ServiceError 404 */
  branch(project: Project, branchId: string): BranchRecord {
    const branch = project.branches.get(branchId);
    if (!branch) throw notFound("Branch", branchId);
    return branch;
  }

  /** @throws ServiceError 404 */
  endpoint(project: Project, endpointId: string): EndpointRecord {
    const endpoint = project.endpoints.get(endpointId);
    if (!endpoint) throw notFound("Endpoint", endpointId);
    return endpoint;
  }

  /** @throws ServiceError 400 if real computes refuse these settings */
  checkSettings({ settings }: EndpointChanges): void {
    const pgSettings = settings?.["pg_settings"];
    const refusal = isObject(pgSettings) ? this.#hosted?.refusalOf(pgSettings) : undefined;
    if (refusal !== undefined) throw badRequest(`endpoint.settings.${refusal}`);
  }

  /** Changes the switches. Whatever has come due already follows the old switches. */
  setSwitches(switches: Switches): void {
    this.settleAll();
    this.switches = switches;
    for (const project of this.projects.values()) project.dueMs = 0;
  }

  /** Brings every project to its present state. */
  settleAll(): void {
    for (const project of this.projects.values()) this.#settle(project);
  }

  /** Adds operations to an endpoint's queue, in the order given. @returns them in their first status */
  addOperations(project: Project, endpoint: EndpointRecord, actions: readonly string[]): OperationRecord[] {
    return actions.map((action) => this.#addToEndpoint(project, endpoint, { action, atMs: this.now() }));
  }

  /** Adds an operation that is not tied to a compute (interface 2.2). */
  addBranchOperation(
    project: Project,
    branchId: string,
    about: { action: string; queue: string },
  ): OperationRecord {
    const id = this.ids.uuid();
    const timeline = this.timelines.take({ action: about.action, projectId: project.id });
    const isHeld = this.#hosted?.holds(about.action, timeline) ?? false;
    return enqueue(project, { ...about, id, branchId, atMs: this.now(), timeline, isHeld });
  }

  #addToEndpoint(
    project: Project,
    endpoint: EndpointRecord,
    { action, atMs }: { action: string; atMs: number },
  ): OperationRecord {
    const id = this.ids.uuid();
    const timeline = this.timelines.take({ action, projectId: project.id, endpointId: endpoint.id });
    const isHeld = this.#hosted?.holds(action, timeline) ?? false;
    const { branchId, id: endpointId } = endpoint;
    return enqueue(project, { id, action, branchId, endpointId, queue: endpointId, atMs, timeline, isHeld });
  }

  #settle(project: Project): void {
    const nowMs = this.now();
    if (this.#hosted) followActivity(project, this.#hosted);
    // A project at rest costs one comparison, however many computes it has.
    while (project.dueMs <= nowMs) {
      project.dueMs = Number.POSITIVE_INFINITY;
      for (const key of project.queues.keys()) {
        settleQueue(project, key, nowMs);
        project.dueMs = Math.min(project.dueMs, queueDueMs(project, key));
      }
      this.#suspendInactive(project, nowMs);
    }
  }

  /** Autosuspend (interface 3.1, active → idle): each operation is backdated to when it came due. */
  #suspendInactive(project: Project, nowMs: number): void {
    const inactive: { endpoint: EndpointRecord; atMs: number }[] = [];
    for (const endpoint of project.endpoints.values()) {
      const atMs = this.#inactiveAtMs(project, endpoint);
      if (atMs <= nowMs) inactive.push({ endpoint, atMs });
      else project.dueMs = Math.min(project.dueMs, atMs);
    }
    for (const { endpoint, atMs } of inactive.sort((one, other) => one.atMs - other.atMs)) {
      this.#addToEndpoint(project, endpoint, { action: "suspend_compute", atMs });
    }
  }

  #inactiveAtMs(project: Project, endpoint: EndpointRecord): number {
    const isAwake = endpoint.currentState === "active" && endpoint.lastActiveMs !== undefined;
    if (!isAwake || endpoint.suspendTimeoutSeconds < 0 || project.queues.has(endpoint.id)) {
      return Number.POSITIVE_INFINITY;
    }
    const delaySeconds = endpoint.suspendTimeoutSeconds || this.switches.suspendDefaultSeconds;
    return Math.max(endpoint.freeSinceMs, (endpoint.lastActiveMs ?? 0) + delaySeconds * 1000);
  }
}

/** Takes the time of the last access from the real compute: the records can be out of date. */
function followActivity(project: Project, { lastActiveMs }: HostAnswers): void {
  for (const endpoint of project.endpoints.values()) {
    const seenMs = endpoint.currentState === "active" ? lastActiveMs(endpoint.id) : undefined;
    if (seenMs !== undefined) endpoint.lastActiveMs = Math.max(seenMs, endpoint.lastActiveMs ?? 0);
  }
}
