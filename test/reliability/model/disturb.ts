/** What happens during commands: network faults, people in the console, and the control plane's own actions. */
import { timelines, sizes, type Deed, type Disturbance } from "./life";
import { nth, type World } from "./world";

export function disturb(world: World, disturbances: readonly Disturbance[]): void {
  const { network, emulator, met, clock } = world;
  for (const one of disturbances) {
    if (one.kind === "trouble") network.spoil(one);
    else if (one.kind === "timeline") {
      emulator.setTimeline(timelines[one.name]!);
      met.count(one.name);
    } else if (one.after > 0)
      network.between(one.after, () => {
        act(world, one);
      });
    else {
      clock.advance(20 * 60_000);
      act(world, one);
      clock.advance(5_000);
    }
  }
}

function act(world: World, { deed, which, after }: Extract<Disturbance, { kind: "deed" }>): void {
  if (deed === "check availability") world.emulator.checkAvailability(world.projectId);
  else if (deed === "create" || deed === "create a primary") {
    const type = deed === "create" ? "read_only" : "read_write";
    if (!createByHand(world, type, { which, isLongAgo: after === 0 })) return;
  } else if (!changeByHand(world, deed, nth(world.computes(), which))) return;
  world.met.count(deed);
}

/**
 * @param isLongAgo - false: a create can be under way, so the compute gets a size that no program declares. Nothing else
 * could tell it from the compute of that create, as docs/ownership.md says.
 * @returns whether the compute could be created: a branch has at most one primary.
 */
function createByHand(
  { emulator, network, strangers, projectId, sharedBranchId, sides }: World,
  type: "read_only" | "read_write",
  { which, isLongAgo }: { readonly which: number; readonly isLongAgo: boolean },
): boolean {
  const own = sides.flatMap(({ branchIds }) => branchIds);
  const branches = type === "read_only" ? [sharedBranchId, ...own] : own;
  const last = network.sent.findLast(({ isCreate }) => isCreate)?.body["branch_id"];
  const size = isLongAgo ? nth(sizes, which)! : 2;
  const limits = { autoscaling_limit_min_cu: size, autoscaling_limit_max_cu: size };
  try {
    const wanted = {
      branch_id: isLongAgo ? nth(branches, which)! : (last ?? sharedBranchId),
      type,
      ...limits,
    };
    strangers.add(emulator.createEndpoint(projectId, wanted).endpoint.id);
    return true;
  } catch {
    return false;
  }
}

/** @returns whether there was something to change. */
function changeByHand(
  { emulator, drifted, deletedByHand, unheldSince, strangers }: World,
  deed: Exclude<Deed, "create" | "create a primary" | "check availability">,
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
  if (deed === "disable") emulator.updateEndpoint(id, { disabled: true });
  else if (deed === "resize")
    emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
  else {
    emulator.deleteEndpoint(id);
    deletedByHand.add(id);
    unheldSince.delete(id);
    strangers.delete(id);
  }
  return true;
}
