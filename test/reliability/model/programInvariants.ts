/**
 * What must be true after each command of a random life, whatever the command was.
 */
import { messageOf } from "../../../provider/model/errors";
import type { RunOptions, RunResult, Stored } from "../../support/miniEngine";
import { isExplained, nameIn } from "../../support/miniEngineSteps";
import type { Values } from "../../support/providerHandlers";
import { type Name, type Part } from "./programCommands";
import { argsOf, secretsOf, type Lines, type Side, type World, programOf } from "./programWorld";
import { lookedForMs, withDefaultTimeout } from "./twins";

/** A command of a life, and how it is run. */
export interface What {
  readonly kind: "up" | "refresh" | "destroy";
  readonly options?: RunOptions;
  readonly lines?: Lines | ((side: Side) => Lines);
}

/** What there is before a command. */
export interface Snapshot {
  readonly computes: readonly string[];
  readonly unheld: readonly string[];
}

export function snapshot(world: World): Snapshot {
  const computes = world.computes();
  return { computes, unheld: computes.filter((id) => world.holders(id).length === 0) };
}

export function noteUnheld(world: World, saidNow: number): void {
  const present = world.computes();
  for (const id of present) {
    if (world.holders(id).length > 0) world.unheldSince.delete(id);
    else if (!world.unheldSince.has(id)) world.unheldSince.set(id, world.said.length - saidNow);
  }
  for (const id of world.unheldSince.keys()) if (!present.includes(id)) world.unheldSince.delete(id);
}

/** What a resource holds that stays is not deleted by another; what nobody here made is neither taken nor deleted. */
export function expectNothingStolen(
  world: World,
  {
    side,
    sides,
    what,
    before,
    result,
  }: { side: Side; sides: readonly Side[]; what: What; before: Snapshot; result: RunResult },
): void {
  const now = world.computes();
  const vanished = before.computes.filter((id) => !now.includes(id) && !world.deletedByHand.has(id));
  const isGoing = (holder: { side: Side; stored: Stored }): boolean => {
    // What another process of the same run holds is judged by that process's steps.
    if (holder.side !== side) return sides.includes(holder.side);
    // A run that was killed between two requests tells no steps.
    if (what.options?.isKilled === true && Object.keys(result.steps).length === 0) return true;
    const name = declaredAs(nameIn(holder.stored), what);
    const isTarget = what.options?.targets?.includes(name) ?? true;
    const goes =
      what.kind === "destroy" || side.parts[name as Name] === undefined || result.steps[name] === "replaced";
    return (
      (isTarget && goes) || holder.stored.isToBeDeleted || what.options?.replace?.includes(name) === true
    );
  };
  const stolen = vanished.filter((id) => world.holders(id).some((holder) => !isGoing(holder)));
  // What one killed run deleted, the state before it may hold as well: the resource that was to go is one of two.
  if (stolen.length > 0) throw new Error(`deleted, though another resource holds it: ${stolen.join(", ")}`);
  const strangers = [...world.strangers].filter(
    (id) =>
      (vanished.includes(id) && before.unheld.includes(id)) ||
      (world.holders(id).length > 0 && !world.isTwin(id)),
  );
  if (strangers.length > 0)
    throw new Error(`a stranger's compute was taken or deleted: ${strangers.join(", ")}`);
  const gone = vanished.filter(
    (id) => before.unheld.includes(id) && !world.forgotten.has(id) && what.kind === "destroy",
  );
  if (gone.length > 0) throw new Error(`a destroy deleted what no state held: ${gone.join(", ")}`);
}

/** The state before a run may have a resource by the name that an alias takes it over from. */
function declaredAs(stored: string, { lines }: What): string {
  const { aliases = {} } = typeof lines === "object" ? lines : {};
  return Object.entries(aliases).find(([, former]) => former.includes(stored))?.[0] ?? stored;
}

/** A run that ends well leaves no compute behind without a word. */
export function expectNothingUnsaid(world: World, before: Snapshot, texts: readonly string[]): void {
  // A create that got 503 is sent again if no list shows its compute in time: one that shows it later has two.
  const isPastKnowing = (id: string): boolean => world.listsLateMs() > lookedForMs && world.isTwin(id);
  const unsaid = snapshot(world).unheld.filter(
    (id) =>
      !before.unheld.includes(id) &&
      !world.strangers.has(id) &&
      !isPastKnowing(id) &&
      !texts.some((text) => text.includes(id)),
  );
  if (unsaid.length > 0) throw new Error(`left behind by a good run without a word: ${unsaid.join(", ")}`);
}

/** After a good run, no two resources of its program hold one compute, nor do two stacks. */
export function expectHeldOnce({ sides }: World, side: Side): void {
  // What a program no longer has is given up by its next run.
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

/** After a good `up`, the service has what the program says. @param texts - what that run said. */
export function expectDeclared(world: World, side: Side, texts: readonly string[]): void {
  for (const [name, part] of Object.entries(side.parts)) {
    const stored = side.engine.stored(name);
    if (stored === undefined) throw new Error(`not in the state after a good up: ${name}`);
    // A compute that is gone may be one that lists do not show yet: the run says so.
    const isUnlisted = texts.some((text) => text.includes(`${stored.id} is not listed yet`));
    if (world.drifted.has(stored.id) || (isUnlisted && !world.computes().includes(stored.id))) continue;
    if (!world.computes().includes(stored.id))
      throw new Error(`not at the service after a good up: ${name}, ${stored.id}`);
    const { endpoint } = world.emulator.endpoint(stored.id);
    expect(withDefaultTimeout(endpoint)).toMatchObject(wireOf(world, side, part));
  }
}

export function wireOf(world: World, side: Side, part: Part): Record<string, unknown> {
  const args = argsOf(world, side, part);
  return {
    branch_id: args["branchId"],
    type: args["type"],
    autoscaling_limit_min_cu: part.sizeCu,
    autoscaling_limit_max_cu: part.sizeCu,
    disabled: part.disabled,
    suspend_timeout_seconds: args["suspendTimeoutSeconds"],
    ...(part.settings === "none"
      ? {}
      : { settings: { pg_settings: (args["settings"] as { pgSettings: object }).pgSettings } }),
  };
}

/** No text, and no state, has a secret in clear. @param written - resources that the last run has written. */
export function expectSecretsHidden(
  world: World,
  { texts, side, written }: { texts: readonly string[]; side: Side; written: readonly string[] },
): void {
  const secrets = secretsOf(world).filter((secret) => !world.readInClear.has(secret));
  const quoting = [...texts, ...world.sides.flatMap(({ engine }) => engine.shown)].filter((text) =>
    secrets.some((secret) => text.includes(secret)),
  );
  if (quoting.length > 0) throw new Error(`a secret in clear: ${quoting[0] ?? ""}`);
  const isSecret = (value: string): boolean => secrets.some((secret) => value.includes(secret));
  const seen = side.variant === "native" ? [side] : world.sides;
  for (const { engine } of seen)
    for (const stored of engine.state()) {
      const isWritten = written.includes(nameIn(stored)) && !stored.isToBeDeleted;
      if (side.variant === "native" && !isWritten) continue;
      const isMarked = side.variant === "native" ? markedIn : markedByPlace(stored, isSecret);
      const clear = [stored.outs, stored.inputs].flatMap((values) =>
        leavesOf(values).filter(([place, value]) => isSecret(value) && !isMarked(values, place)),
      );
      if (clear.length > 0)
        throw new Error(`a secret in clear in the state of ${nameIn(stored)}: ${JSON.stringify(clear)}`);
    }
}

/**
 * A killed run moved a compute to a secret branch, and the state knows nothing of that run: the service's answer to a read is all that
 * is known of the branch, and nothing says that it is a secret.
 */
function noteReadInClear(
  world: World,
  { side, driftedBefore }: { readonly side: Side; readonly driftedBefore: readonly string[] },
): void {
  const [, , secret] = side.branchIds;
  const isRead = ({ id, outs, inputs }: Stored): boolean =>
    driftedBefore.includes(id) &&
    outs["branchId"] === secret &&
    ![outs, inputs].some((values) => markedIn(values, "branchId"));
  if (side.engine.state().some(isRead)) world.readInClear.add(secret);
}

/**
 * A plugin marks what it stores itself. Not what it reads: that somebody else's change is what a program will call a
 * secret, nobody knows before it does; nor is it asked where a declaration changes by a mark alone.
 */
function markedIn(values: Values, place: string): boolean {
  const { __secrets: names } = values;
  return Array.isArray(names) && names.includes(place.split(".")[0]);
}

/**
 * Behind the dynamic provider, the engine marks an output by the secret input of the same place: anywhere else a secret would
 * be in clear.
 */
function markedByPlace(
  stored: Stored,
  isSecret: (value: string) => boolean,
): (values: Values, place: string) => boolean {
  const declared = new Map(leavesOf(stored.inputs));
  const marking = new Map(leavesOf(stored.markedBy));
  return (values, place) =>
    !place.startsWith("__") && isSecret((values === stored.outs ? marking : declared).get(place) ?? "");
}

export function leavesOf(value: unknown, place = ""): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null) return [[place, String(value)]];
  return Object.entries(value).flatMap(([name, member]) =>
    leavesOf(member, place === "" ? name : `${place}.${name}`),
  );
}

/** Runs a command, and holds it to what is promised of each. */
export async function runOn(world: World, side: Side, what: What): Promise<RunResult> {
  const [result] = await runTogether(world, [side], what);
  return result!;
}

/** The same for provider processes of one stack, which the engine runs at once. */
export async function runTogether(
  world: World,
  sides: readonly Side[],
  what: What,
): Promise<readonly RunResult[]> {
  const { options = {} } = what;
  const before = snapshot(world);
  const driftedBefore = [...world.drifted];
  const saidBefore = sides.map(({ engine }) => engine.rows.length);
  const results = await Promise.all(sides.map((side) => run(world, side, what)));
  const all = sides.map(({ engine }, index) => {
    const { failures } = results[index]!;
    return [...engine.rows.slice(saidBefore[index]), ...failures.map(messageOf)];
  });
  const texts = all.flat();
  world.said.push(...texts);
  noteUnheld(world, texts.length);
  // The failure of a create has told to look for what nobody knows of.
  if (texts.some((text) => text.includes("the outcome is unknown")))
    for (const id of snapshot(world).unheld) if (!before.unheld.includes(id)) world.forgotten.add(id);
  // A list that is later than a create without an answer is looked for hides what it made: docs/ownership.md says so.
  if (world.listsLateMs() > lookedForMs) for (const id of world.unheldSince.keys()) world.forgotten.add(id);
  const isStored = options.isKilled !== true && options.isPreview !== true;
  for (const [index, side] of sides.entries()) {
    const result = results[index]!;
    side.failed = result.failed;
    for (const failure of result.failures)
      if (!isExplained(failure)) throw new Error("a failure without words of ours", { cause: failure });
    const isGood = result.failures.length === 0 && isStored;
    const ids = new Set(side.engine.state().map(({ id }) => id));
    const now = world.computes();
    // What a killed run has done, the state before it does not have.
    if (options.isKilled === true) for (const id of ids) world.drifted.add(id);
    // A delete may fail although the compute is gone, as where lists are late: the state keeps it until the next read.
    if (what.kind === "destroy")
      for (const id of ids)
        if (!now.includes(id) && texts.some((text) => text.includes(id))) world.drifted.add(id);
    noteReadInClear(world, { side, driftedBefore });
    if (what.kind === "refresh" && isGood && world.listsLateMs() === 0)
      for (const id of driftedBefore) if (ids.has(id) && now.includes(id)) world.drifted.delete(id);
    expectNothingStolen(world, { side, sides, what, before, result });
    const written = Object.keys(result.steps).filter(
      (name) => isStored && result.steps[name] !== "same" && result.failed[name] === undefined,
    );
    expectSecretsHidden(world, { texts, side, written });
    if (isGood && what.kind === "up") expectHeldOnce(world, side);
    if (isGood && what.kind === "up" && options.targets === undefined) expectDeclared(world, side, texts);
  }
  if (isStored && results.every(({ failures }) => failures.length === 0))
    expectNothingUnsaid(world, before, texts);
  return results;
}

function run(world: World, side: Side, { kind, options = {}, lines = {} }: What): Promise<RunResult> {
  const { engine } = side;
  if (kind !== "up") return engine[kind](options);
  return engine.up(programOf(world, side, typeof lines === "function" ? lines(side) : lines), options);
}
