/**
 * The service of the small world: what each request does there, and what is answered. `agreement.test.ts` compares it
 * with the emulator.
 */
import { alive, carryOut, type Maker, type SmallCompute, type SmallWorld } from "./smallWorld";

export interface Asked {
  readonly method: string;
  /** Behind `/api/v2`. */
  readonly path: string;
  readonly body: unknown;
}

export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

export const project = "project-small";
export const branch = "br-small";

const operationMs = 1_000;

export function routeOf({ method, path }: Asked): string {
  const what = path.split("?")[0]!.replace(`/projects/${project}`, "");
  return `${method} ${what}`;
}

/** @param by - who asks. */
export function serve(world: SmallWorld, by: Maker, asked: Asked): Answered {
  const route = routeOf(asked);
  const id = /\/(?:endpoints|operations)\/([^/]+)$/.exec(route)?.[1] ?? "";
  if (route === "GET /endpoints")
    return { status: 200, body: { endpoints: listed(world).map((one) => wire(world, one)) } };
  if (route === "GET /operations")
    return { status: 200, body: { operations: world.computes.map((one) => started(world, one)).reverse() } };
  if (route === "POST /endpoints") return created(world);
  const compute = alive(world).find((one) => [one.id, operationOf(one)].includes(id));
  if (compute === undefined)
    return { status: 404, body: { code: "not_found", message: "there is no such thing" } };
  if (route.startsWith("GET /operations/"))
    return { status: 200, body: { operation: started(world, compute) } };
  if (compute.maker !== by && !route.startsWith("GET "))
    world.wronged = [...world.wronged, { by, how: asked.method, id: compute.id }];
  if (route.startsWith("PATCH "))
    return { status: 200, body: { endpoint: wire(world, compute), operations: [] } };
  if (!route.startsWith("DELETE ")) throw new Error(`the small world knows no ${route}`);
  world.computes = world.computes.map((one) => (one === compute ? { ...one, isDeleted: true } : one));
  return { status: 200, body: { endpoint: wire(world, compute), operations: [] } };
}

/** What a list shows: a new compute late, a deletion at once. */
function listed(world: SmallWorld): readonly SmallCompute[] {
  return alive(world).filter(({ madeAtMs }) => madeAtMs + world.setting.lagMs <= world.nowMs);
}

/** The POST is the newest one. */
function created(world: SmallWorld): Answered {
  const made = carryOut(world, world.posts.length - 1);
  if (made === undefined)
    return { status: 409, body: { code: "conflict", message: "the branch has its primary" } };
  return { status: 201, body: { endpoint: wire(world, made), operations: [started(world, made)] } };
}

function operationOf({ id }: SmallCompute): string {
  return `op-${id}`;
}

function started({ nowMs }: SmallWorld, compute: SmallCompute): object {
  return {
    id: operationOf(compute),
    project_id: project,
    branch_id: branch,
    endpoint_id: compute.id,
    action: "start_compute",
    status: nowMs >= compute.madeAtMs + operationMs ? "finished" : "running",
  };
}

function wire({ setting, nowMs }: SmallWorld, { id, sizeCu, madeAtMs }: SmallCompute): object {
  const stampMs = madeAtMs + setting.stampsAheadMs;
  return {
    id,
    project_id: project,
    branch_id: branch,
    type: setting.type,
    autoscaling_limit_min_cu: sizeCu,
    autoscaling_limit_max_cu: sizeCu,
    current_state: nowMs >= madeAtMs + operationMs ? "active" : "init",
    settings: { pg_settings: {} },
    disabled: false,
    // In whole seconds, as services say it.
    created_at: new Date(Math.floor(stampMs / 1000) * 1000).toISOString(),
  };
}
