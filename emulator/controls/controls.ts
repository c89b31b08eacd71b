import { toBody } from "../http/routes";
import { toChanges, toCreation } from "../http/bodies";
import type { Clock } from "../model/clock";
import { notFound } from "../model/errors";
import type { FaultRule, Faults } from "../faults/rules";
import { endNow } from "../model/operations";
import { checkAvailability, createBranch, createProject } from "../model/projects";
import type { BranchOptions, NewBranch, ProjectOptions } from "../model/projects";
import type { BranchRecord, EndpointRecord, Project } from "../model/records";
import type { LoggedRequest, RequestLog } from "../http/requestLog";
import { maxConnections } from "../model/sizes";
import { takeSnapshot } from "../persistence/snapshot";
import { withSwitches } from "../switches";
import type { Switches } from "../switches";
import type { TimelineRule } from "../model/timelines";
import {
  connectTo,
  createEndpoint,
  deleteEndpoint,
  restartEndpoint,
  suspendEndpoint,
  updateEndpoint,
} from "../model/transitions";
import type { Counters } from "../model/counters";
import { toTimestamp, toWireEndpoint, toWireOperation } from "../http/wire";
import type { WireEndpoint, WireOperation } from "../http/wire";
import type { World } from "../model/store";

export interface ProjectView {
  readonly id: string;
  readonly name: string;
  readonly region_id: string;
  readonly default_branch_id: string;
  readonly created_at: string;
}

export interface BranchView {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly created_at: string;
}

/** An endpoint with what only the service itself can know. */
export interface EndpointView {
  readonly endpoint: WireEndpoint;
  readonly counters: Counters;
  /** Absent where the size is not in the table (interface 8.1, 8.2). */
  readonly maxConnections?: number;
}

export interface ChangeView {
  readonly endpoint: WireEndpoint;
  readonly operations: readonly WireOperation[];
}

export interface BranchCreationView {
  readonly branch: BranchView;
  readonly endpoint?: WireEndpoint;
  readonly operations: readonly WireOperation[];
}

export interface ProjectCreationView extends BranchCreationView {
  readonly project: ProjectView;
  readonly endpoint: WireEndpoint;
}

export interface ControlsOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly log: RequestLog;
  /** Called after each change made here, so that it is kept. */
  readonly onChange: () => void;
}

/**
 * What the service does that no request of the interface asks for, and what tests ask of it.
 *
 * Changes made here are not in the request log, meet no fault, and need no key.
 */
export class Controls {
  readonly clock: Clock;
  readonly #world: World;
  readonly #faults: Faults;
  readonly #log: RequestLog;
  readonly #onChange: () => void;

  constructor({ world, clock, faults, log, onChange }: ControlsOptions) {
    this.clock = clock;
    this.#world = world;
    this.#faults = faults;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Makes a project with a default branch and its primary compute (interface section 1). */
  createProject(options: ProjectOptions = {}): ProjectCreationView {
    const made = createProject(this.#world, options);
    this.#onChange();
    const endpoint = toWireEndpoint(made.project, made.endpoint, this.#world.switches);
    return { project: toProjectView(made.project), ...this.#toCreationView(made.project, made), endpoint };
  }

  projects(): ProjectView[] {
    return [...this.#world.projects.values()].map(toProjectView);
  }

  /** Makes a branch, by default with a primary compute (interface 3.2, section 6). @throws ServiceError 404 */
  createBranch(projectId: string, options: BranchOptions = {}): BranchCreationView {
    const project = this.#world.project(projectId);
    const made = createBranch(this.#world, project, options);
    this.#onChange();
    return this.#toCreationView(project, made);
  }

  branches(projectId: string): BranchView[] {
    return [...this.#world.project(projectId).branches.values()].map(toBranchView);
  }

  /** Every endpoint of a project as it is now. */
  endpoints(projectId: string): EndpointView[] {
    const project = this.#world.project(projectId);
    return [...project.endpoints.values()].map((endpoint) => this.#toView(project, endpoint));
  }

  /** @throws ServiceError 404 */
  endpoint(endpointId: string): EndpointView {
    const { project, endpoint } = this.#find(endpointId);
    return this.#toView(project, endpoint);
  }

  /** Every operation of a project, newest first, vanished ones too. */
  operations(projectId: string): WireOperation[] {
    return this.#world.project(projectId).operations.map(toWireOperation).reverse();
  }

  /** What really happened to a compute's connections; also of one that is gone. */
  counters(endpointId: string): Counters {
    return structuredClone(this.#world.truth.of(endpointId));
  }

  /** Makes an endpoint behind a client's back. @param endpoint - attributes as POST takes them */
  createEndpoint(projectId: string, endpoint: Readonly<Record<string, unknown>>): ChangeView {
    const project = this.#world.project(projectId);
    const outcome = createEndpoint(this.#world, project, toCreation({ endpoint }, this.#world.switches));
    this.#onChange();
    return toBody(this.#world, project, outcome);
  }

  /** A client connects: an idle compute starts (interface 3.1). @throws ServiceError 409 where it is disabled */
  connect(endpointId: string): ChangeView {
    return this.#change(endpointId, connectTo);
  }

  /** Changes an endpoint behind a client's back. @param endpoint - attributes as PATCH takes them */
  updateEndpoint(endpointId: string, endpoint: Readonly<Record<string, unknown>>): ChangeView {
    const changes = toChanges({ endpoint }, this.#world.switches);
    return this.#change(endpointId, (world, project, target) =>
      updateEndpoint(world, { project, endpoint: target }, changes),
    );
  }

  restartEndpoint(endpointId: string): ChangeView {
    return this.#change(endpointId, restartEndpoint);
  }

  suspendEndpoint(endpointId: string): ChangeView {
    return this.#change(endpointId, suspendEndpoint);
  }

  deleteEndpoint(endpointId: string): ChangeView {
    return this.#change(endpointId, deleteEndpoint);
  }

  /** Runs the periodic check of a project's branches (interface 2.3). */
  checkAvailability(projectId: string): WireOperation[] {
    const made = checkAvailability(this.#world, this.#world.project(projectId));
    this.#onChange();
    return made.map(toWireOperation);
  }

  /** Ends an operation now, also one that is stuck. @param status - `finished` where not given */
  endOperation(operationId: string, status = "finished"): WireOperation {
    this.#world.settleAll();
    for (const project of this.#world.projects.values()) {
      const operation = project.operationsById.get(operationId);
      if (!operation) continue;
      endNow(project, operation, { status, atMs: this.#world.now() });
      this.#onChange();
      return toWireOperation(operation);
    }
    throw notFound("Operation", operationId);
  }

  /** How operations to come go through their statuses; the rule set last wins. */
  setTimeline(rule: TimelineRule): void {
    this.#world.timelines.add(rule);
  }

  clearTimelines(): void {
    this.#world.timelines.clear();
  }

  get switches(): Switches {
    return this.#world.switches;
  }

  /** @throws RangeError that names the switch and what it takes. */
  setSwitches(changes: Partial<Switches>): void {
    this.#world.setSwitches(withSwitches(this.#world.switches, changes));
  }

  addFault(rule: FaultRule): void {
    this.#faults.add(rule, rule.kind === "stale" ? takeSnapshot(this.#world) : undefined);
  }

  /** Rules that have not met all their requests yet. */
  faultsLeft(): readonly FaultRule[] {
    return this.#faults.left();
  }

  clearFaults(): void {
    this.#faults.clear();
  }

  /** The requests so far, in the order of their arrival; those of `/_emulator` are not among them. */
  requests(): readonly LoggedRequest[] {
    return this.#log.list();
  }

  clearRequests(): void {
    this.#log.clear();
  }

  #change(
    endpointId: string,
    transition: (world: World, project: Project, endpoint: EndpointRecord) => Parameters<typeof toBody>[2],
  ): ChangeView {
    const { project, endpoint } = this.#find(endpointId);
    const outcome = transition(this.#world, project, endpoint);
    this.#onChange();
    return toBody(this.#world, project, outcome);
  }

  #find(endpointId: string): { project: Project; endpoint: EndpointRecord } {
    for (const { id, endpoints } of this.#world.projects.values()) {
      const endpoint = endpoints.get(endpointId);
      if (endpoint) return { project: this.#world.project(id), endpoint };
    }
    throw notFound("Endpoint", endpointId);
  }

  #toView(project: Project, endpoint: EndpointRecord): EndpointView {
    const most = maxConnections(endpoint.minCu);
    return {
      endpoint: toWireEndpoint(project, endpoint, this.#world.switches),
      counters: this.counters(endpoint.id),
      ...(most !== undefined && { maxConnections: most }),
    };
  }

  #toCreationView(project: Project, made: NewBranch): BranchCreationView {
    return {
      branch: toBranchView(made.branch),
      ...(made.endpoint && { endpoint: toWireEndpoint(project, made.endpoint, this.#world.switches) }),
      operations: made.operations.map(toWireOperation),
    };
  }
}

function toProjectView(project: Project): ProjectView {
  return {
    id: project.id,
    name: project.name,
    region_id: project.regionId,
    default_branch_id: project.defaultBranchId,
    created_at: toTimestamp(project.createdAtMs),
  };
}

function toBranchView(branch: BranchRecord): BranchView {
  return {
    id: branch.id,
    project_id: branch.projectId,
    name: branch.name,
    created_at: toTimestamp(branch.createdAtMs),
  };
}
