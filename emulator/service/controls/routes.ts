/**
 * The controls over HTTP, below `/_emulator`.
 */
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { FaultRule } from "../faults/rules";
import { readBody } from "../http/requestBody";
import { isObject } from "../model/attributes";
import { ServiceError } from "../model/errors";
import { refuseForeign, refuseOtherThanJson } from "./access";
import type { Controls } from "./controls";
import { namesOfComputes, type StoredResource } from "./stackNames";

/** Bindings of the Node server: the raw request and answer. */
export interface Bindings {
  readonly Bindings: HttpBindings;
}

interface ControlRequest {
  readonly param: (name: string) => string;
  readonly body: Readonly<Record<string, unknown>>;
}

type ControlAnswer = (controls: Controls, request: ControlRequest) => unknown;

/**
 * The routes below /_emulator, for people and tests on this machine; docs/emulator.md lists them. The service itself has
 * no such routes.
 */
export const controlRoutes: Readonly<Record<string, ControlAnswer>> = {
  "POST /projects": (to, { body }) => to.createProject(body),
  "GET /projects": (to) => ({ projects: to.projects() }),
  "POST /projects/:projectId/branches": (to, { param, body }) => to.createBranch(param("projectId"), body),
  "GET /projects/:projectId/branches": (to, { param }) => ({ branches: to.branches(param("projectId")) }),
  "GET /projects/:projectId/endpoints": (to, { param }) => ({ endpoints: to.endpoints(param("projectId")) }),
  "POST /projects/:projectId/availability-check": (to, { param }) => ({
    operations: to.checkAvailability(param("projectId")),
  }),
  "GET /endpoints/:id": (to, { param }) => to.endpoint(param("id")),
  "GET /endpoints/:id/counters": (to, { param }) => to.counters(param("id")),
  "POST /endpoints/:id/connections": (to, { param }) => to.connect(param("id")),
  "POST /resources": (to, { body }) => {
    to.nameResources(body);
  },
  "POST /stack": (to, { body }) => {
    to.nameResources(namesOfComputes(resourcesIn(body)));
  },
  "POST /operations/:id/end": (to, { param, body }) => to.endOperation(param("id"), textIn(body, "status")),
  "GET /requests": (to) => ({ requests: to.requests() }),
  "DELETE /requests": (to) => {
    to.clearRequests();
  },
  "GET /faults": (to) => ({ faults: to.faultsLeft() }),
  "POST /faults": (to, { body }) => {
    to.addFault(body as unknown as FaultRule);
  },
  "DELETE /faults": (to) => {
    to.clearFaults();
  },
  "POST /timelines": (to, { body }) => {
    to.setTimeline(body);
  },
  "DELETE /timelines": (to) => {
    to.clearTimelines();
  },
  "GET /switches": (to) => to.switches,
  "PATCH /switches": (to, { body }) => {
    to.setSwitches(body);
    return to.switches;
  },
  "GET /clock": (to) => ({ nowMs: to.clock.now(), kind: to.clock.kind }),
  "POST /clock": (to, { body }) => {
    to.clock.advance(Number(body["advanceMs"]));
    return { nowMs: to.clock.now(), kind: to.clock.kind };
  },
};

/** Adds the controls to the app. */
export function addControlRoutes(app: Hono<Bindings>, controls: Controls): void {
  for (const [name, answer] of Object.entries(controlRoutes)) {
    const [method = "", path = ""] = name.split(" ");
    app.on(method, `/_emulator${path}`, async (context) => {
      try {
        refuseForeign(context.env.incoming);
        const request = {
          param: (part: string) => context.req.param(part) ?? "",
          body: await bodyOf(context),
        };
        return Response.json(answer(controls, request) ?? {});
      } catch (error) {
        return problem(error);
      }
    });
  }
}

async function bodyOf(context: Context<Bindings>): Promise<Readonly<Record<string, unknown>>> {
  const text = (await readBody(context.env.incoming)) ?? "";
  if (text === "") return {};
  refuseOtherThanJson(context.req.header("content-type"));
  const body: unknown = JSON.parse(text);
  if (!isObject(body)) throw new ServiceError(400, "bad_request", "The body must be a JSON object.");
  return body;
}

function textIn(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" ? value : undefined;
}

/** @param exported - what `pulumi stack export` prints. */
function resourcesIn(exported: Readonly<Record<string, unknown>>): readonly StoredResource[] {
  const { deployment } = exported;
  if (isObject(deployment) && Array.isArray(deployment["resources"]))
    return deployment["resources"] as readonly StoredResource[];
  throw new ServiceError(400, "bad_request", "The body must be the output of `pulumi stack export`.");
}

/** A control's error always has its message: the switch `errorShape` applies only to the interface. */
function problem(error: unknown): Response {
  const status = error instanceof ServiceError ? error.status : 400;
  return Response.json({ message: error instanceof Error ? error.message : String(error) }, { status });
}
