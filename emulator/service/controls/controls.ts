/**
 * The controls: what tests and people may do to the emulator that the interface does not offer.
 */
import type { ComputeHost } from "../host";
import type { FaultRule, Faults } from "../faults/rules";
import { toChanges, toCreation } from "../http/bodies";
import type { LoggedRequest, RequestLog } from "../http/requestLog";
import {
  toWireEndpoint,
  toWireOperation,
  toWireOutcome,
  type ChangeView,
  type WireOperation,
} from "../http/wire";
import type { Clock } from "../model/clock";
import type { Counters } from "../model/counters";
import { notFound } from "../model/errors";
import { endNow } from "../model/operations";
import {
  checkAvailability,
  createBranch,
  createProject,
  primaryOf,
  type BranchOptions,
  type NewBranch,
  type ProjectOptions,
} from "../model/projects";
import type { EndpointRecord, Project } from "../model/records";
import { maxConnections } from "../model/sizes";
import type { Store } from "../model/store";
import { timelineMembers, type TimelineRule } from "../model/timelines";
import {
  connectTo,
  createEndpoint,
  deleteEndpoint,
  restartEndpoint,
  suspendEndpoint,
  updateEndpoint,
  type Transition,
} from "../model/transitions";
import { takeSnapshot } from "../persistence/snapshot";
import { withSwitches, type Switches } from "../switches";
import {
  toBranchView,
  toProjectView,
  type BranchCreationView,
  type BranchView,
  type EndpointView,
  type ProjectCreationView,
  type ProjectView,
} from "./views";

export interface ControlsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Absent if computes are simulated. */
  readonly host?: ComputeHost;
  /** Called after each change, so that the state file follows. */
  readonly onChange: () => void;
}

/**
 * What tests and people can do that the interface has no request for.
 *
 * Changes made here are not in the request log, meet no fault, and need no key.
 */
export class Controls {
  /** The clock of the service. */
  readonly clock: Clock;
  readonly #store: Store;
  readonly #options: ControlsOptions;

  /** @internal */
  constructor(options: ControlsOptions) {
    this.clock = options.clock;
    this.#store = options.store;
    this.#options = options;
  }

  /**
   * Makes a project with a default branch and its primary compute (interface section 1).
   *
   * @throws RangeError if a project already has the id.
   */
  createProject(options: ProjectOptions = {}): ProjectCreationView {
    const made = createProject(this.#store, options);
    this.#options.onChange();
    const endpoint = toWireEndpoint(made.project, made.endpoint, this.#store.switches);
    return { project: toProjectView(made.project), ...this.#toCreationView(made.project, made), endpoint };
  }

  /** Every project. */
  projects(): ProjectView[] {
    return [...this.#store.projects.values()].map(toProjectView);
  }

  /**
   * Makes a branch, by default with a primary compute (interface 3.2, section 6).
   *
   * @throws Error 404 if there is no such project or parent, 409 if a branch already has the name; RangeError if a
   * branch already has the id.
   */
  createBranch(projectId: string, { compute = true, ...options }: BranchOptions = {}): BranchCreationView {
    const project = this.#store.project(projectId);
    const primary = { compute: (branchId: string) => primaryOf(branchId, this.#store.switches) };
    const made = createBranch(this.#store, project, { ...options, ...(compute && primary) });
    this.#options.onChange();
    return this.#toCreationView(project, made);
  }

  /** Every branch of a project. @throws Error 404 if there is no such project. */
  branches(projectId: string): BranchView[] {
    return [...this.#store.project(projectId).branches.values()].map(toBranchView);
  }

  /** Every endpoint of a project. @throws Error 404 if there is no such project. */
  endpoints(projectId: string): EndpointView[] {
    const project = this.#store.project(projectId);
    return [...project.endpoints.values()].map((endpoint) => this.#toView(project, endpoint));
  }

  /** One endpoint, in whichever project it is. @throws Error 404 if there is none. */
  endpoint(endpointId: string): EndpointView {
    const { project, endpoint } = this.#find(endpointId);
    return this.#toView(project, endpoint);
  }

  /** Every operation of a project, newest first, including vanished ones. */
  operations(projectId: string): WireOperation[] {
    return this.#store.project(projectId).operations.map(toWireOperation).reverse();
  }

  /** How often a compute was interrupted, and why; a deleted compute keeps its counters. */
  counters(endpointId: string): Counters {
    return structuredClone(this.#store.counters.of(endpointId));
  }

  /**
   * Makes an endpoint without a request.
   *
   * @param endpoint - attributes as POST takes them, such as `{ branch_id, type: "read_only" }`.
   * @throws Error with the status and the words that POST would be refused with.
   */
  createEndpoint(projectId: string, endpoint: Readonly<Record<string, unknown>>): ChangeView {
    const project = this.#store.project(projectId);
    const outcome = createEndpoint(this.#store, project, toCreation({ endpoint }, this.#store.switches));
    this.#options.onChange();
    return toWireOutcome(this.#store, project, outcome);
  }

  /** A client connects: an idle compute starts (interface 3.1). @throws Error 409 if it is disabled. */
  connect(endpointId: string): ChangeView {
    return this.#change(endpointId, connectTo);
  }

  /**
   * Changes an endpoint without a request.
   *
   * @param endpoint - attributes as PATCH takes them, such as `{ autoscaling_limit_max_cu: 2 }`.
   * @throws Error with the status and the words that PATCH would be refused with.
   */
  updateEndpoint(endpointId: string, endpoint: Readonly<Record<string, unknown>>): ChangeView {
    const changes = toChanges({ endpoint }, this.#store.switches);
    return this.#change(endpointId, (store, project, target) =>
      updateEndpoint(store, { project, endpoint: target }, changes),
    );
  }

  /** Restarts an endpoint without a request (interface 4.5). @throws Error if the restart would be refused. */
  restartEndpoint(endpointId: string): ChangeView {
    return this.#change(endpointId, restartEndpoint);
  }

  /** Suspends an endpoint, as after its autosuspend delay. */
  suspendEndpoint(endpointId: string): ChangeView {
    return this.#change(endpointId, suspendEndpoint);
  }

  /** Deletes an endpoint without a request, as a user of the console does. */
  deleteEndpoint(endpointId: string): ChangeView {
    return this.#change(endpointId, deleteEndpoint);
  }

  /**
   * Tells which Pulumi resources declare computes: the console and `endpoint` show the names.
   *
   * @param names - by endpoint id; they replace all names given before
   */
  nameResources(names: Readonly<Record<string, unknown>>): void {
    const pairs = Object.entries(names).filter(
      (pair): pair is [string, string] => typeof pair[1] === "string",
    );
    this.#store.resourceNames = new Map(pairs);
  }

  /** Runs the periodic check of a project's branches (interface 2.3). */
  checkAvailability(projectId: string): WireOperation[] {
    const made = checkAvailability(this.#store, this.#store.project(projectId));
    this.#options.onChange();
    return made.map(toWireOperation);
  }

  /**
   * Ends an operation now, even if it is stuck.
   *
   * @param status - default `finished`.
   * @throws Error 404 if there is no such operation.
   */
  endOperation(operationId: string, status = "finished"): WireOperation {
    this.#store.settleAll();
    for (const project of this.#store.projects.values()) {
      const operation = project.operationsById.get(operationId);
      if (!operation) continue;
      endNow(project, operation, { status, atMs: this.#store.now() });
      this.#options.onChange();
      return toWireOperation(operation);
    }
    throw notFound("Operation", operationId);
  }

  /**
   * Decides how later operations go through their statuses; the newest rule that matches wins.
   *
   * @example
   * ```ts
   * emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
   * ```
   *
   * @throws RangeError that names the members that a rule does not have.
   */
  setTimeline(rule: TimelineRule): void {
    const unknown = Object.keys(rule).filter((name) => !timelineMembers.has(name));
    if (unknown.length > 0)
      throw new RangeError(
        `A timeline has no ${unknown.join(", ")}. It takes ${[...timelineMembers].join(", ")}.`,
      );
    this.#store.timelines.add(rule);
  }

  /** Forgets every rule of `setTimeline`; operations that are under way keep theirs. */
  clearTimelines(): void {
    this.#store.timelines.clear();
  }

  /** The value of every switch now. */
  get switches(): Switches {
    return this.#store.switches;
  }

  /** Changes some of the switches, from the next request on. @throws RangeError that names the switch and what it takes. */
  setSwitches(changes: Partial<Switches>): void {
    this.#store.setSwitches(withSwitches(this.#store.switches, changes));
  }

  /**
   * Injects a fault into later requests or their answers. A request meets only the oldest rule that matches it.
   *
   * @example
   * ```ts
   * // The create is carried out, and its answer is lost.
   * emulator.addFault({ route: "createEndpoint", kind: "cut", when: "after" });
   * ```
   *
   * @throws RangeError if there is no such kind of fault, or if its answer cannot be sent.
   */
  addFault(rule: FaultRule): void {
    this.#options.faults.add(rule, rule.kind === "stale" ? takeSnapshot(this.#store) : undefined);
  }

  /** The rules that still wait for requests. */
  faultsLeft(): readonly FaultRule[] {
    return this.#options.faults.left();
  }

  /** Forgets every rule of `addFault`. */
  clearFaults(): void {
    this.#options.faults.clear();
  }

  /** The requests to the API so far, in the order of their arrival. Controls are not among them. */
  requests(): readonly LoggedRequest[] {
    return this.#options.log.list();
  }

  /** Empties the log of requests; their numbers go on. */
  clearRequests(): void {
    this.#options.log.clear();
  }

  #change(endpointId: string, transition: Transition): ChangeView {
    const { project, endpoint } = this.#find(endpointId);
    const outcome = transition(this.#store, project, endpoint);
    this.#options.onChange();
    return toWireOutcome(this.#store, project, outcome);
  }

  #find(endpointId: string): { project: Project; endpoint: EndpointRecord } {
    for (const { id, endpoints } of this.#store.projects.values()) {
      const endpoint = endpoints.get(endpointId);
      if (endpoint) return { project: this.#store.project(id), endpoint };
    }
    throw notFound("Endpoint", endpointId);
  }

  #toView(project: Project, endpoint: EndpointRecord): EndpointView {
    const most = maxConnections(endpoint, this.#store.switches);
    const { host } = this.#options;
    const place = host?.place(endpoint.id);
    const resource = this.#store.resourceNames.get(endpoint.id);
    return {
      endpoint: toWireEndpoint(project, endpoint, this.#store.switches),
      counters: this.counters(endpoint.id),
      ...(resource !== undefined && { resource }),
      ...(most !== undefined && { maxConnections: most }),
      ...(place && { place }),
      ...(host && { activity: host.activity(endpoint.id) }),
    };
  }

  #toCreationView(project: Project, made: NewBranch): BranchCreationView {
    return {
      branch: toBranchView(made.branch),
      ...(made.endpoint && { endpoint: toWireEndpoint(project, made.endpoint, this.#store.switches) }),
      operations: made.operations.map(toWireOperation),
    };
  }
}
