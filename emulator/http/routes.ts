import { toChanges, toCreation } from "./bodies";
import { notFound, ServiceError } from "../model/errors";
import { isVisible, listOperations } from "./operationList";
import type { EndpointRecord, Project } from "../model/records";
import {
  createEndpoint,
  deleteEndpoint,
  restartEndpoint,
  startEndpoint,
  suspendEndpoint,
  updateEndpoint,
} from "../model/transitions";
import type { Outcome } from "../model/transitions";
import { toWireEndpoint, toWireOperation } from "./wire";
import type { WireEndpoint, WireOperation } from "./wire";
import type { World } from "../model/store";

/** One request, as far as a route needs to know it. */
export interface ApiCall {
  /** A named part of the path; empty where the path has none of that name. */
  readonly param: (name: string) => string;
  readonly query: (name: string) => string | undefined;
  /** Parsed JSON; undefined where there was no body. */
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  /** Sent as JSON; without it, no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiRoute {
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below /api/v2, in Hono's notation. */
  readonly path: string;
  /** Routed only where the switch `extraRoutes` is on. */
  readonly isExtra?: boolean;
  readonly handle: (world: World, call: ApiCall) => Answer;
}

const project = "/projects/:projectId";
const endpoint = `${project}/endpoints/:endpointId`;

/** Every route of interface section 4, then the published ones beyond it. */
export const apiRoutes = [
  { name: "createEndpoint", method: "POST", path: `${project}/endpoints`, handle: create },
  { name: "listEndpoints", method: "GET", path: `${project}/endpoints`, handle: list },
  { name: "updateEndpoint", method: "PATCH", path: endpoint, handle: update },
  { name: "deleteEndpoint", method: "DELETE", path: endpoint, handle: remove },
  { name: "restartEndpoint", method: "POST", path: `${endpoint}/restart`, handle: restart },
  { name: "listOperations", method: "GET", path: `${project}/operations`, handle: operations },
  { name: "getOperation", method: "GET", path: `${project}/operations/:operationId`, handle: operation },
  { name: "getEndpoint", method: "GET", path: endpoint, isExtra: true, handle: read },
  { name: "startEndpoint", method: "POST", path: `${endpoint}/start`, isExtra: true, handle: start },
  { name: "suspendEndpoint", method: "POST", path: `${endpoint}/suspend`, isExtra: true, handle: suspend },
  {
    name: "listBranchEndpoints",
    method: "GET",
    path: `${project}/branches/:branchId/endpoints`,
    isExtra: true,
    handle: listOfBranch,
  },
] as const satisfies readonly ApiRoute[];

/** Names that fault rules and the request log use. */
export type RouteName = (typeof apiRoutes)[number]["name"];

function create(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  refuseWhileBusy(world, place);
  const outcome = createEndpoint(world, place, toCreation(call.body, world.switches));
  return { status: world.switches.createStatus, body: toBody(world, place, outcome) };
}

function list(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  return { status: 200, body: { endpoints: toWireEndpoints(world, place, [...place.endpoints.values()]) } };
}

function update(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  refuseWhileBusy(world, place);
  const target = world.endpoint(place, call.param("endpointId"));
  const changes = toChanges(call.body, world.switches);
  const outcome = updateEndpoint(world, { project: place, endpoint: target }, changes);
  return { status: 200, body: toBody(world, place, outcome) };
}

function remove(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  refuseWhileBusy(world, place);
  const target = place.endpoints.get(call.param("endpointId"));
  if (!target) {
    if (world.switches.deleteMissing === 204) return { status: 204 };
    throw notFound("Endpoint", call.param("endpointId"));
  }
  return { status: 200, body: toBody(world, place, deleteEndpoint(world, place, target)) };
}

function restart(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  refuseWhileBusy(world, place);
  const outcome = restartEndpoint(world, place, world.endpoint(place, call.param("endpointId")));
  switch (world.switches.restartBody) {
    case "full":
      return { status: 200, body: toBody(world, place, outcome) };
    case "empty":
      return { status: 200, body: {} };
    case "none":
      return { status: 200 };
  }
}

function operations(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  const request = { limit: call.query("limit"), cursor: call.query("cursor") };
  return {
    status: 200,
    body: listOperations(place, request, { switches: world.switches, nowMs: world.now() }),
  };
}

function operation(world: World, call: ApiCall): Answer {
  const id = call.param("operationId");
  const found = projectOf(world, call).operationsById.get(id);
  if (!found || !isVisible(found, world.switches, world.now())) throw notFound("Operation", id);
  return { status: 200, body: { operation: toWireOperation(found) } };
}

function read(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  const found = world.endpoint(place, call.param("endpointId"));
  return { status: 200, body: { endpoint: toWireEndpoint(place, found, world.switches) } };
}

function start(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  refuseWhileBusy(world, place);
  const outcome = startEndpoint(world, place, world.endpoint(place, call.param("endpointId")));
  return { status: 200, body: toBody(world, place, outcome) };
}

function suspend(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  refuseWhileBusy(world, place);
  const outcome = suspendEndpoint(world, place, world.endpoint(place, call.param("endpointId")));
  return { status: 200, body: toBody(world, place, outcome) };
}

function listOfBranch(world: World, call: ApiCall): Answer {
  const place = projectOf(world, call);
  const branch = world.branch(place, call.param("branchId"));
  const there = [...place.endpoints.values()].filter(({ branchId }) => branchId === branch.id);
  return { status: 200, body: { endpoints: toWireEndpoints(world, place, there) } };
}

function projectOf(world: World, call: ApiCall): Project {
  return world.project(call.param("projectId"));
}

function refuseWhileBusy(world: World, place: Project): void {
  if (world.switches.lock === "off" || place.chains.size === 0) return;
  throw new ServiceError(423, "locked", `Project ${place.id} has operations under way.`);
}

/** The body that most requests are answered with; create and update always show a pending_state (2.1). */
export function toBody(
  world: World,
  place: Project,
  outcome: Outcome,
): { endpoint: WireEndpoint; operations: WireOperation[] } {
  const shown = toWireEndpoint(place, outcome.endpoint, world.switches);
  const isThere = place.endpoints.has(outcome.endpoint.id);
  return {
    endpoint: isThere ? { ...shown, pending_state: shown.pending_state ?? shown.current_state } : shown,
    operations: outcome.operations.map(toWireOperation),
  };
}

function toWireEndpoints(world: World, place: Project, endpoints: readonly EndpointRecord[]): WireEndpoint[] {
  return endpoints.map((one) => toWireEndpoint(place, one, world.switches));
}
