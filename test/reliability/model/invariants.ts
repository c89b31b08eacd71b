/**
 * What must be true after each run of a team, whatever the command was. The sender of every write is known, so nobody has to
 * guess which process owns a compute.
 */
import { messageOf } from "../../../provider/model/errors";
import { createShowsAfterMs } from "../../../provider/model/timing";
import type { RunOptions, RunResult, Stored } from "../../support/miniEngine";
import { isExplained, nameIn } from "../../support/miniEngineSteps";
import type { Name } from "./life";
import { programOf, secretsOf, wireOf, type Lines } from "./program";
import { expectTheirs } from "./theirs";
import { traceRun } from "./trace";
import { meeting, type Side, type World } from "./world";

/** A command of the engine. */
export interface What {
  readonly kind: "up" | "refresh" | "destroy";
  readonly options?: RunOptions;
  readonly lines?: ((side: Side) => Lines) | undefined;
  /** The number of requests after which the run is killed. */
  readonly diesAfter?: number | undefined;
}

/** What exists before a run. */
interface Before {
  readonly unheld: readonly string[];
  readonly drifted: ReadonlyMap<string, number>;
  readonly stored: ReadonlyMap<Side, readonly Stored[]>;
  /** How many rows each side has printed, and how many writes all sides have sent. */
  readonly rows: ReadonlyMap<Side, number>;
  readonly sent: number;
}

/** A run of some sides, and its results. */
export interface Ran {
  readonly sides: readonly Side[];
  readonly what: What;
  readonly before: Before;
  /** What this run said. */
  readonly texts: readonly string[];
  /** Whether the state has what the run did: it was neither killed nor a preview. */
  readonly isStored: boolean;
}

/** Runs a command of one stack, with all its provider processes at once, and checks what each of them promises. */
export async function runTogether(
  world: World,
  sides: readonly Side[],
  what: What,
): Promise<readonly RunResult[]> {
  world.network.begin(what.diesAfter);
  const before = beforeRun(world);
  const { options = {} } = what;
  const meetOthers = meeting(sides.length);
  try {
    const results = await Promise.all(
      sides.map((side) => run(world, side, { ...what, options: { ...options, meetOthers } })),
    );
    for (const [index, side] of sides.entries()) side.last = results[index]!;
    const texts = sides.flatMap(({ engine, last }, index) => [
      ...engine.rows.slice(before.rows.get(sides[index]!)),
      ...last.failures.map(messageOf),
    ]);
    const isStored = options.isKilled !== true && options.isPreview !== true;
    const ran: Ran = { sides, what, before, texts, isStored };
    traceRun(world, ran);
    countProcesses(world, ran);
    noteMakers(world);
    noteSaid(world, ran);
    for (const side of sides) expectPromises(world, ran, side);
    expectNoSecret(world, ran);
    expectOwnStates(world, ran);
    expectOwnWrites(world, ran);
    expectTheirs(world);
    if (isStored && results.every(({ failures }) => failures.length === 0)) {
      expectNothingUnsaid(world, ran);
      if (what.kind === "destroy" && options.targets === undefined) expectDestroyed(world, ran);
    }
    return results;
  } finally {
    await world.network.end();
    noteMakers(world);
  }
}

function run(world: World, side: Side, { kind, options = {}, lines }: What): Promise<RunResult> {
  const { engine } = side;
  if (kind !== "up") return engine[kind](options);
  return engine.up(programOf(world, side, lines?.(side) ?? {}), options);
}

function beforeRun(world: World): Before {
  const { sides, network, drifted } = world;
  return {
    unheld: unheldNow(world),
    drifted: new Map(drifted),
    stored: new Map(sides.map((side) => [side, side.engine.state()])),
    rows: new Map(sides.map((side) => [side, side.engine.rows.length])),
    sent: network.sent.length,
  };
}

function unheldNow(world: World): readonly string[] {
  return world.computes().filter((id) => world.holders(id).length === 0);
}

function countProcesses({ network, met }: World, { sides, before }: Ran): void {
  const writers = new Set(network.sent.slice(before.sent).map(({ by }) => by));
  if (writers.size < 2) return;
  const isMixed = new Set(sides.map(({ variant }) => variant)).size > 1;
  met.count(isMixed ? "dynamic and plugin at once" : "two explicit providers at once");
}

/** Records whose create made which compute. A create that is carried out late counts once it is carried out. */
export function noteMakers({ network, makers, met }: World): void {
  for (const { isCreate, endpointId, by } of network.sent)
    if (isCreate && endpointId !== undefined && !makers.has(endpointId)) makers.set(endpointId, by);
  if (new Set([...makers.values()].map((key) => key.split(" process")[0])).size > 1)
    met.count("both teams wrote");
}

/** Records which computes nobody holds, since when, and which of them nobody can know of. */
function noteSaid(world: World, { texts, before }: Ran): void {
  const { said, unheldSince, forgotten, network } = world;
  said.push(...texts);
  const unheld = unheldNow(world);
  for (const id of unheldSince.keys()) if (!unheld.includes(id)) unheldSince.delete(id);
  for (const id of unheld) if (!unheldSince.has(id)) unheldSince.set(id, said.length - texts.length);
  // The failed create's message tells the user to look for computes that nobody knows of.
  if (texts.some((text) => text.includes("the outcome is unknown")))
    for (const id of unheld) if (!before.unheld.includes(id)) forgotten.add(id);
  // If lists lag longer than the run looks for a create without an answer, they hide what it made (docs/what-happens-when.md).
  if (network.listsLateMs() > lookedForMs) for (const id of unheld) forgotten.add(id);
}

function expectPromises(world: World, ran: Ran, side: Side): void {
  const { what, texts, isStored } = ran;
  const { failures } = side.last;
  for (const failure of failures)
    if (!isExplained(failure)) throw new Error("a failure without words of ours", { cause: failure });
  const isGood = failures.length === 0 && isStored;
  noteDrift(world, ran, side);
  if (isGood && what.kind === "up") expectHeldOnce(world, side);
  if (isGood && what.kind === "up" && what.options?.targets === undefined) expectDeclared(world, side, texts);
}

/** No row, no diff and no error has a secret in clear. */
function expectNoSecret(world: World, { texts, what, sides }: Ran): void {
  // If a killed run moved a compute to a secret branch, or a late list still shows it there, the read does not know the secret.
  if (what.options?.isKilled === true || world.network.listsLateMs() > 0)
    for (const { branchIds } of sides) world.readInClear.add(branchIds[2]);
  const secrets = secretsOf(world).filter((secret) => !world.readInClear.has(secret));
  const elsewhere = world.saidElsewhere.splice(0);
  const quoting = [...texts, ...elsewhere, ...sides.flatMap(({ engine }) => engine.shown)].find((text) =>
    secrets.some((secret) => text.includes(secret)),
  );
  if (quoting !== undefined) throw new Error(`a secret in clear: ${quoting}`);
}

/** Records which computes differ from their state, and which match it again. */
function noteDrift(world: World, ran: Ran, side: Side): void {
  const { what, before, isStored } = ran;
  const { drifted, network } = world;
  const now = world.computes();
  for (const stored of side.engine.state()) {
    const { id } = stored;
    // The state from before a killed run does not have what that run did.
    if (what.options?.isKilled === true) world.noteDrift(id);
    // A deletion can fail although the compute is gone, for example if lists fail: the state keeps it until the next read.
    const isFailed = nameIn(stored) in side.last.failed;
    if (what.kind === "destroy" && !now.includes(id) && isFailed) world.noteDrift(id);
    const isRead = what.kind === "refresh" && isStored && side.last.failures.length === 0;
    // A late list shows the compute as it was before its last change.
    if (isRead && network.listsLateMs() > 0) world.noteDrift(id);
    // Somebody may have changed the compute after the read.
    const isOld = before.drifted.has(id) && before.drifted.get(id) === drifted.get(id);
    if (isRead && network.listsLateMs() === 0 && isOld && now.includes(id)) drifted.delete(id);
  }
}

/** Whether a run is to delete an entry of a state. */
function isGoing({ what }: Ran, side: Side, stored: Stored): boolean {
  const { targets, replace = [], isKilled } = what.options ?? {};
  const { steps } = side.last;
  // A run that was killed between two requests reports no steps.
  if (isKilled === true && Object.keys(steps).length === 0) return true;
  const name = declaredAs(nameIn(stored), what.lines?.(side) ?? {});
  const goes = what.kind === "destroy" || !(name in side.parts) || steps[name] === "replaced";
  return ((targets?.includes(name) ?? true) && goes) || stored.isToBeDeleted || replace.includes(name);
}

/** The declared name of a stored resource: after a rename, the state before the run has the resource under a former name. */
function declaredAs(stored: string, { aliases = {} }: Lines): string {
  return Object.entries(aliases).find(([, former]) => former.includes(stored))?.[0] ?? stored;
}

/** A successful run names every compute that it leaves behind. */
function expectNothingUnsaid(world: World, { before, texts }: Ran): void {
  // A create that got 503 is sent again if no list shows its compute in time. If a list shows it later, there are two.
  if (world.network.listsLateMs() > lookedForMs) return;
  const unsaid = unheldNow(world).filter(
    (id) =>
      !before.unheld.includes(id) && !world.strangers.has(id) && !texts.some((text) => text.includes(id)),
  );
  if (unsaid.length > 0) throw new Error(`left behind by a good run without a word: ${unsaid.join(", ")}`);
}

/** After a good run, no two resources of its program hold one compute, nor do two stacks. */
function expectHeldOnce({ sides }: World, side: Side): void {
  // A resource that its program no longer has is given up by the next run.
  const idsOf = ({ engine, parts }: Side): readonly string[] =>
    engine
      .state()
      .filter((stored) => !stored.isToBeDeleted && parts[nameIn(stored) as Name] !== undefined)
      .map(({ id }) => id);
  const own = idsOf(side);
  const others = sides.filter((one) => one !== side).flatMap(idsOf);
  if (new Set(own).size < own.length || own.some((id) => others.includes(id)))
    throw new Error(`held twice: ${[...own, ...others].join(", ")}`);
}

/** After a good `up`, the service has what the program says. */
function expectDeclared(world: World, side: Side, texts: readonly string[]): void {
  for (const [name, part] of Object.entries(side.parts)) {
    const stored = side.engine.stored(name);
    if (stored === undefined) throw new Error(`not in the state after a good up: ${name}`);
    const isThere = world.computes().includes(stored.id);
    // A compute that lists do not show yet looks gone: the run says so.
    const isUnlisted = texts.some((text) => text.includes(`${stored.id} is not listed yet`));
    if (world.drifted.has(stored.id) || (isUnlisted && !isThere)) continue;
    if (!isThere) throw new Error(`not at the service after a good up: ${name}, ${stored.id}`);
    const { endpoint } = world.emulator.endpoint(stored.id);
    expect(withDefaultTimeout(endpoint)).toMatchObject(wireOf(world, side, part));
  }
}

/** The adopt lines of a side in this run. */
function adoptedBy(side: Side, { what, sides }: Ran): readonly string[] {
  return sides.includes(side) ? Object.values(what.lines?.(side).adopt ?? {}) : [];
}

/** A compute that is new in a process's state was made by its own create, or adopted in this run. */
function expectOwnStates(world: World, ran: Ran): void {
  for (const side of world.sides) {
    const before = ran.before.stored.get(side)!.map(({ id }) => id);
    for (const { id } of side.engine.state()) {
      if (before.includes(id) || world.makers.get(id) === side.key) continue;
      if (!adoptedBy(side, ran).includes(id))
        throw new Error(`${side.key} took ${id} over, which ${world.makers.get(id) ?? "a person"} made`);
      world.makers.set(id, side.key);
    }
  }
}

/** Each write changed a compute of its own process: the process held the compute, created it, or adopts it in this run. */
function expectOwnWrites(world: World, ran: Ran): void {
  for (const { targetId: id, by, method, endpointId } of world.network.sent.slice(ran.before.sent)) {
    if (id === undefined) continue;
    const own = world.sides.find(({ key }) => key === by)!;
    const maker = world.makers.get(id);
    const isAdopted = adoptedBy(own, ran).includes(id);
    const isHeld = ran.before.stored.get(own)!.some((one) => one.id === id);
    const sent = `${by} sent ${method} for ${id}`;
    if (!isHeld && !isAdopted && maker !== by) throw new Error(`${sent}, which ${maker ?? "a person"} made`);
    if (!isHeld && method === "DELETE") throw new Error(`${sent}, which its state did not hold`);
    const staying = world
      .holders(id)
      .filter(({ side, stored }) =>
        side === own ? method === "DELETE" && !isGoing(ran, side, stored) : nameIn(stored) in side.parts,
      );
    const isDone = endpointId !== undefined && !world.deletedByHand.has(id);
    if (staying.some(({ side }) => (side === own ? isDone : !isAdopted)))
      throw new Error(`${sent}, which another resource holds`);
  }
}

/** After a destroy without a failure, what the stack held is gone, unless another stack holds it. */
function expectDestroyed(world: World, { before, sides }: Ran): void {
  const left = sides
    .flatMap((side) => before.stored.get(side)!.map(({ id }) => id))
    .filter((id) => world.computes().includes(id) && world.holders(id).length === 0);
  if (left.length > 0) throw new Error(`a destroy ended well, and left ${left.join(", ")}`);
}

/** How long the run that sent a create looks for its compute: any compute that is new in that time could be it. */
const lookedForMs = createShowsAfterMs.reduce((sum, waitMs) => sum + waitMs, 0);

/** Replaces 0, which stands for the default, by that default of 300. */
function withDefaultTimeout<Shown extends { readonly suspend_timeout_seconds?: number }>(
  endpoint: Shown,
): Shown {
  return { ...endpoint, suspend_timeout_seconds: endpoint.suspend_timeout_seconds || 300 };
}
