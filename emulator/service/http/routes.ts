/**
 * The routes of the interface, each with its handler.
 */
import { notFound, ServiceError } from "../model/errors";
import { createBranch, deleteBranch } from "../model/projects";
import type { EndpointRecord, Project } from "../model/records";
import type { Store } from "../model/store";
import {
  createEndpoint,
  deleteEndpoint,
  restartEndpoint,
  startEndpoint,
  suspendEndpoint,
  updateEndpoint,
  type Transition,
} from "../model/transitions";
import type { Answer } from "./answer";
import { toBranchPlan, toChanges, toCreation } from "./bodies";
import { isVisible, listOperations } from "./operationList";
import { toWireBranch, toWireEndpoint, toWireOperation, toWireOutcome } from "./wire";

/** The parts of a request that routes need. */
export interface ApiCall {
  /** A named part of the path; empty if the path has none of that name. */
  readonly param: (name: string) => string;
  readonly query: (name: string) => string | undefined;
  /** Parsed JSON; undefined if there was no body. */
  readonly body: unknown;
}

export interface ApiRoute {
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /api/v2, in Hono's notation. */
  readonly path: string;
  /** Routed only if the switch `extraRoutes` is on. */
  readonly isExtra?: boolean;
  readonly handle: (store: Store, call: ApiCall) => Answer;
}

const endpoints = "/projects/:projectId/endpoints";
const endpoint = `${endpoints}/:endpointId`;
const operations = "/projects/:projectId/operations";
const branches = "/projects/:projectId/branches";
const branch = `${branches}/:branchId`;

/** Every route of interface section 4, then the published ones beyond it. */
export const apiRoutes = [
  { name: "createEndpoint", method: "POST", path: endpoints, handle: create },
  { name: "listEndpoints", method: "GET", path: endpoints, handle: list },
  { name: "updateEndpoint", method: "PATCH", path: endpoint, handle: update },
  { name: "deleteEndpoint", method: "DELETE", path: endpoint, handle: remove },
  { name: "restartEndpoint", method: "POST", path: `${endpoint}/restart`, handle: restart },
  { name: "listOperations", method: "GET", path: operations, handle: pageOfOperations },
  { name: "getOperation", method: "GET", path: `${operations}/:operationId`, handle: readOperation },
  { name: "getEndpoint", method: "GET", path: endpoint, isExtra: true, handle: read },
  { name: "startEndpoint", method: "POST", path: `${endpoint}/start`, isExtra: true, handle: start },
  { name: "suspendEndpoint", method: "POST", path: `${endpoint}/suspend`, isExtra: true, handle: suspend },
  { name: "createBranch", method: "POST", path: branches, isExtra: true, handle: makeBranch },
  { name: "listBranches", method: "GET", path: branches, isExtra: true, handle: listBranches },
  { name: "deleteBranch", method: "DELETE", path: branch, isExtra: true, handle: removeBranch },
  {
    name: "listBranchEndpoints",
    method: "GET",
    path: `${branch}/endpoints`,
    isExtra: true,
    handle: listOfBranch,
  },
] as const satisfies readonly ApiRoute[];

/**
 * Names that fault rules and the request log use.
 *
 * @useDeclaredType
 */
export type RouteName = (typeof apiRoutes)[number]["name"];

function create(store: Store, call: ApiCall): Answer {
  const project = projectToWrite(store, call);
  const outcome = createEndpoint(store, project, toCreation(call.body, store.switches));
  return { status: store.switches.createStatus, body: toWireOutcome(store, project, outcome) };
}

function list(store: Store, call: ApiCall): Answer {
  const project = projectOf(store, call);
  return listOf(store, project, [...project.endpoints.values()]);
}

function update(store: Store, call: ApiCall): Answer {
  return change(store, call, (_store, project, target) =>
    updateEndpoint(store, { project, endpoint: target }, toChanges(call.body, store.switches)),
  );
}

function remove(store: Store, call: ApiCall): Answer {
  const project = projectToWrite(store, call);
  const isThere = project.endpoints.has(call.param("endpointId"));
  if (!isThere && store.switches.deleteMissing === 204) return { status: 204 };
  return change(store, call, deleteEndpoint);
}

function restart(store: Store, call: ApiCall): Answer {
  const answer = change(store, call, restartEndpoint);
  switch (store.switches.restartBody) {
    case "full":
      return answer;
    case "empty":
      return { status: 200, body: {} };
    case "none":
      return { status: 200 };
  }
}

function pageOfOperations(store: Store, call: ApiCall): Answer {
  const project = projectOf(store, call);
  const request = { limit: call.query("limit"), cursor: call.query("cursor") };
  return {
    status: 200,
    body: listOperations(project, request, { switches: store.switches, nowMs: store.now() }),
  };
}

function readOperation(store: Store, call: ApiCall): Answer {
  const id = call.param("operationId");
  const found = projectOf(store, call).operationsById.get(id);
  if (!found || !isVisible(found, store.switches, store.now())) throw notFound("Operation", id);
  return { status: 200, body: { operation: toWireOperation(found) } };
}

function read(store: Store, call: ApiCall): Answer {
  const project = projectOf(store, call);
  const found = store.endpoint(project, call.param("endpointId"));
  return { status: 200, body: { endpoint: toWireEndpoint(project, found, store.switches) } };
}

function start(store: Store, call: ApiCall): Answer {
  return change(store, call, startEndpoint);
}

function suspend(store: Store, call: ApiCall): Answer {
  return change(store, call, suspendEndpoint);
}

function makeBranch(store: Store, call: ApiCall): Answer {
  const project = projectToWrite(store, call);
  const made = createBranch(store, project, toBranchPlan(call.body, store.switches));
  const endpoints = made.endpoint ? [toWireEndpoint(project, made.endpoint, store.switches)] : [];
  const body = { branch: toWireBranch(project, made.branch), endpoints };
  return { status: 201, body: { ...body, operations: made.operations.map(toWireOperation) } };
}

/** Lists all branches on one page. `search` is a part of a name or an id, as published. */
function listBranches(store: Store, call: ApiCall): Answer {
  const project = projectOf(store, call);
  const search = call.query("search") ?? "";
  const found = [...project.branches.values()].filter(({ id, name }) =>
    [id, name].some((text) => text.includes(search)),
  );
  return { status: 200, body: { branches: found.map((one) => toWireBranch(project, one)) } };
}

function removeBranch(store: Store, call: ApiCall): Answer {
  const project = projectToWrite(store, call);
  const target = project.branches.get(call.param("branchId"));
  if (!target) return { status: 204 };
  const made = deleteBranch(store, project, target);
  return {
    status: 200,
    body: { branch: toWireBranch(project, target), operations: made.map(toWireOperation) },
  };
}

function listOfBranch(store: Store, call: ApiCall): Answer {
  const project = projectOf(store, call);
  const branch = store.branch(project, call.param("branchId"));
  const found = [...project.endpoints.values()].filter(({ branchId }) => branchId === branch.id);
  return listOf(store, project, found);
}

function change(store: Store, call: ApiCall, transition: Transition): Answer {
  const project = projectToWrite(store, call);
  const outcome = transition(store, project, store.endpoint(project, call.param("endpointId")));
  return { status: 200, body: toWireOutcome(store, project, outcome) };
}

function listOf(store: Store, project: Project, found: readonly EndpointRecord[]): Answer {
  return {
    status: 200,
    body: { endpoints: found.map((one) => toWireEndpoint(project, one, store.switches)) },
  };
}

function projectOf(store: Store, call: ApiCall): Project {
  return store.project(call.param("projectId"));
}

/** @throws ServiceError 423 if the project has operations under way and the switch `lock` is on. */
function projectToWrite(store: Store, call: ApiCall): Project {
  const project = projectOf(store, call);
  if (store.switches.lock === "off" || project.queues.size === 0) return project;
  throw new ServiceError(423, "locked", `Project ${project.id} has operations under way.`);
}
