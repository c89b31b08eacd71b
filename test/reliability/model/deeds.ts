/**
 * What people do in the console, and the control plane of its own accord, between two requests of a run.
 */
import type { Ingredient } from "./ingredients";
import { nth } from "./programWorld";
import type { Deed } from "./teamCommands";
import { settingByHand } from "./teamInvariants";
import type { Teams } from "./teamWorld";

const deedCounts: Readonly<Record<Deed, Ingredient>> = {
  create: "console created between two requests",
  "create a primary": "console created between two requests",
  delete: "console deleted between two requests",
  resize: "console resized between two requests",
  "set a setting": "console set a setting between two requests",
  restart: "console restarted between two requests",
  suspend: "suspended between two requests",
  "check availability": "availability checked between two requests",
};

/** What somebody else does, between two requests of a run. */
export function act(world: Teams, deed: Deed, which: number): void {
  const { emulator, projectId, sharedBranchId, strangers, met } = world;
  if (deed === "check availability") emulator.checkAvailability(projectId);
  else if (deed === "create" || deed === "create a primary") {
    const branches = [sharedBranchId, ...world.sides.flatMap(({ branchIds }) => branchIds)];
    const size = [0.25, 1, 4][which % 3]!;
    const type = deed === "create" ? "read_only" : "read_write";
    const wanted = {
      branch_id: nth(type === "read_write" ? branches.slice(1) : branches, which)!,
      type,
      autoscaling_limit_min_cu: size,
      autoscaling_limit_max_cu: size,
    };
    try {
      strangers.add(emulator.createEndpoint(projectId, wanted).endpoint.id);
    } catch {
      // That branch has its primary.
      return;
    }
  } else if (!changeByHand(world, deed, nth(world.computes(), which))) return;
  met.count(deedCounts[deed]);
  world.network.note();
}

/** @returns whether there was something to change. */
function changeByHand(
  { emulator, drifted, deletedByHand, unheldSince, strangers, settingsByHand }: Teams,
  deed: "delete" | "resize" | "set a setting" | "restart" | "suspend",
  id: string | undefined,
): boolean {
  if (id === undefined) return false;
  const { endpoint } = emulator.endpoint(id);
  if (deed === "restart" || deed === "suspend") {
    if (endpoint.current_state !== "active") return false;
    if (deed === "restart") emulator.restartEndpoint(id);
    else emulator.suspendEndpoint(id);
    return true;
  }
  drifted.add(id);
  if (deed === "resize")
    emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
  else if (deed === "set a setting") {
    const { pg_settings: settings = {}, ...rest } = endpoint.settings as { pg_settings?: object };
    emulator.updateEndpoint(id, {
      settings: { ...rest, pg_settings: { ...settings, [settingByHand.name]: settingByHand.value } },
    });
    settingsByHand.add(id);
  } else {
    emulator.deleteEndpoint(id);
    deletedByHand.add(id);
    unheldSince.delete(id);
    strangers.delete(id);
  }
  return true;
}
