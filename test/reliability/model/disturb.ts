/** What happens during commands: network faults, people in the console, and the control plane's own actions. */
import { timelines, sizes, type Change, type Disturbance } from "./life";
import { programOf } from "./program";
import { setByHand } from "./theirs";
import { nth, type Side, type World } from "./world";

export async function disturb(world: World, disturbances: readonly Disturbance[]): Promise<void> {
  const { network, emulator, met, clock } = world;
  for (const one of disturbances) {
    if (one.kind === "trouble") network.spoil(one);
    else if (one.kind === "timeline") {
      emulator.setTimeline(timelines[one.name]!);
      met.count(one.name);
    } else if (one.after > 0) network.between(one.after, () => act(world, one));
    else {
      clock.advance(20 * 60_000);
      await act(world, one);
      clock.advance(5_000);
    }
  }
}

async function act(
  world: World,
  { deed, which, after }: Extract<Disturbance, { kind: "deed" }>,
): Promise<void> {
  if (deed === "check availability") world.emulator.checkAvailability(world.projectId);
  else if (deed === "preview elsewhere") await previewElsewhere(world, nth(world.sides, which)!);
  else if (deed === "create" || deed === "create a primary") {
    const type = deed === "create" ? "read_only" : "read_write";
    if (!createByHand(world, type, { which, isLongAgo: after === 0 })) return;
  } else if (!changeByHand(world, deed, nth(world.computes(), which))) return;
  world.met.count(deed);
}

/** A preview on another machine sends no write. What it prints is checked like the output of every run. */
async function previewElsewhere(world: World, side: Side): Promise<void> {
  const sent = world.network.sent.length;
  world.saidElsewhere.push(...(await side.previewElsewhere(programOf(world, side, {}))));
  const writes = world.network.sent.slice(sent).filter(({ by }) => by === `${side.key} elsewhere`);
  if (writes.length > 0) throw new Error(`a preview sent ${writes[0]!.method}`);
}

/**
 * @param isLongAgo - false: a create can be under way, so the compute gets a size that no program declares. Nothing else
 * could tell it from the compute of that create, as docs/what-happens-when.md says.
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
function changeByHand(world: World, deed: Change, id: string | undefined): boolean {
  if (id === undefined) return false;
  const { emulator, noteDrift, deletedByHand, unheldSince, strangers } = world;
  const { endpoint } = emulator.endpoint(id);
  switch (deed) {
    case "restart":
    case "suspend":
      if (endpoint.current_state !== "active") return false;
      if (deed === "restart") emulator.restartEndpoint(id);
      else emulator.suspendEndpoint(id);
      return true;
    case "set a setting":
    case "set the token":
      return setByHand(world, deed, id);
    case "enable":
      if (!endpoint.disabled) return false;
      emulator.updateEndpoint(id, { disabled: false });
      break;
    case "disable":
      emulator.updateEndpoint(id, { disabled: true });
      break;
    case "resize":
      emulator.updateEndpoint(id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
      break;
    case "delete":
      emulator.deleteEndpoint(id);
      deletedByHand.add(id);
      unheldSince.delete(id);
      strangers.delete(id);
  }
  noteDrift(id);
  return true;
}
