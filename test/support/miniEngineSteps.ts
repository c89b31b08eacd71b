/**
 * What the engine does with one resource: its plan, its step, and what it stores of each answer.
 */
import type { Verdict } from "../../provider/model/notice";
import { verdictInReasons } from "../../provider/model/stored";
import type { Declared, Step, Stored } from "./miniEngine";
import { isNamed, keptOf, type Handlers, type Values } from "./providerHandlers";

/** One command of the CLI. */
export interface Run {
  readonly provider: Handlers;
  readonly isPreview: boolean;
  readonly steps: Record<string, Step>;
  readonly failures: unknown[];
  readonly failed: Record<string, unknown>;
  readonly verdicts: Record<string, Verdict>;
  readonly show: (text: string) => void;
  /** Stores that a create has begun; it is pending until it ends. */
  readonly begin: (urn: string, inputs: Values) => void;
  /** Stores a resource, or removes one. */
  readonly keep: (stored: Stored | undefined, instead: Stored | undefined) => void;
}

interface Resource {
  readonly urn: string;
  readonly name: string;
  readonly old: Stored | undefined;
  readonly isReplaced: boolean;
}

/** The step that a resource needs; undefined if its plan failed. */
export async function plan(
  one: Run,
  { urn, name, old, isReplaced }: Resource,
  { args: declared, secrets, ignores = [] }: Declared,
): Promise<(() => Promise<void>) | undefined> {
  const { provider } = one;
  const args = ignores.reduce((values, path) => withOld(values, old?.inputs, path.split(".")), declared);
  const hidden = {
    ...{ __provider: "text", __urn: urn },
    ...(one.isPreview ? { __dryRun: true } : {}),
    ...(ignores.length === 0 ? {} : { __ignores: ignores }),
  };
  const news = plain({ ...args, ...hidden, ...(secrets === undefined ? {} : { __secrets: secrets }) });
  const check = async (olds: Values): Promise<Values> => {
    const { inputs, failures } = await provider.check(olds, news);
    if (failures.length > 0) throw refusal(failures.map(printed));
    one.show(JSON.stringify([inputs["interruption"], inputs["__verdict"]]));
    return plain({ ...inputs, __provider: "text" });
  };
  try {
    if (old === undefined) {
      const inputs = await check({});
      return step(one, { name, kind: "created" }, () => createOne(one, urn, inputs));
    }
    if (isReplaced)
      return step(one, { name, kind: "replaced" }, replaceWith(one, { urn, old, inputs: await check({}) }));
    const inputs = await check(old.inputs);
    const { changes, replaces, deleteBeforeReplace, told } = await provider.diff(old.id, old.outs, inputs);
    one.show(JSON.stringify(told ?? {}));
    const verdict = verdictInReasons([told?.verdict]);
    if (verdict !== undefined) one.verdicts[name] = verdict;
    if (replaces.length > 0) {
      const again = await check({});
      const first = deleteBeforeReplace ? () => removeOne(one, old) : undefined;
      return step(one, { name, kind: "replaced" }, replaceWith(one, { urn, old, inputs: again, first }));
    }
    if (changes || old.isUnfinished)
      return step(one, { name, kind: "updated" }, () => updateOne(one, { urn, old, inputs }));
    return step(one, { name, kind: "same" }, () => {
      one.keep({ ...old, urn, inputs }, old);
      return Promise.resolve();
    });
  } catch (error) {
    blame(one, name, error);
    return undefined;
  }
}

/** What the engine does for `ignoreChanges`: it puts the old input back. */
function withOld(values: Values, old: Values | undefined, [name = "", ...rest]: readonly string[]): Values {
  if (old === undefined || !(name in old)) return values;
  const inside = (of: Values): Values => of[name] as Values;
  return { ...values, [name]: rest.length === 0 ? old[name] : withOld(inside(values), inside(old), rest) };
}

function blame(one: Run, name: string, error: unknown): void {
  one.failures.push(error);
  one.failed[name] = error;
}

function step(
  one: Run,
  { name, kind }: { readonly name: string; readonly kind: Step },
  act: () => Promise<void>,
): () => Promise<void> {
  return async () => {
    await act().catch((error: unknown) => {
      blame(one, name, error);
    });
    one.steps[name] = kind;
  };
}

async function createOne(one: Run, urn: string, inputs: Values): Promise<void> {
  const { provider } = one;
  if (one.isPreview) {
    await provider.foresee?.create(inputs);
    return;
  }
  const made = { urn, inputs, isToBeDeleted: false, isReadFirst: isReadFirst(provider) };
  one.begin(urn, inputs);
  try {
    const { id, outs } = await provider.create(inputs);
    one.keep({ ...made, id, outs, isUnfinished: false }, undefined);
  } catch (error) {
    const kept = keptOf(error);
    if (kept !== undefined)
      one.keep({ ...made, id: kept.id, outs: kept.properties, isUnfinished: true }, undefined);
    throw error;
  }
}

/** Whether the resource is to be read before a change: each answer of a plugin says so, even the answer of a partial failure. */
function isReadFirst({ refreshesBeforeUpdate }: Handlers): boolean {
  return refreshesBeforeUpdate?.() ?? false;
}

function replaceWith(
  one: Run,
  how: { urn: string; old: Stored; inputs: Values; first?: (() => Promise<void>) | undefined },
): () => Promise<void> {
  return async () => {
    const { urn, old, inputs, first } = how;
    await first?.();
    const replaced = (): void => {
      if (first === undefined) one.keep({ ...old, isToBeDeleted: true }, old);
    };
    try {
      await createOne(one, urn, inputs);
      replaced();
    } catch (error) {
      // A new compute exists even if it is not as declared.
      if (keptOf(error) !== undefined) replaced();
      throw error;
    }
  };
}

async function updateOne(
  one: Run,
  { urn, old, inputs }: { urn: string; old: Stored; inputs: Values },
): Promise<void> {
  const { provider } = one;
  if (one.isPreview) {
    await provider.foresee?.update(old.id, old.outs, inputs);
    return;
  }
  const changed = { ...old, urn, inputs, isReadFirst: isReadFirst(provider) };
  try {
    const { outs } = await provider.update(old.id, old.outs, inputs);
    one.keep({ ...changed, outs, isUnfinished: false }, old);
  } catch (error) {
    const kept = keptOf(error);
    if (kept !== undefined) one.keep({ ...changed, outs: kept.properties, isUnfinished: true }, old);
    throw error;
  }
}

export async function refreshAll(one: Run, seen: readonly Stored[]): Promise<void> {
  await Promise.all(seen.map((old) => refreshOne(one, old)));
}

async function refreshOne(one: Run, old: Stored): Promise<void> {
  try {
    const { provider } = one;
    const { id, props, inputs = old.inputs } = await provider.read(old.id, old.outs, old);
    if (id === "") {
      one.keep(undefined, old);
      return;
    }
    await provider.diff(id, plain(props), old.inputs);
    const seen = { outs: props, inputs: { ...inputs, __provider: "text" } };
    // After a successful read, the engine forgets that an earlier step failed partially.
    one.keep({ ...old, ...seen, isUnfinished: false, isReadFirst: isReadFirst(provider) }, old);
  } catch (error) {
    blame(one, nameIn(old), error);
  }
}

export async function removeAll(one: Run, gone: readonly Stored[]): Promise<void> {
  await Promise.all(
    gone.map((old) =>
      removeOne(one, old).catch((error: unknown) => {
        blame(one, nameIn(old), error);
      }),
    ),
  );
}

async function removeOne(one: Run, old: Stored): Promise<void> {
  if (one.isPreview) return;
  await one.provider.delete(old.id, old.outs, old);
  one.keep(undefined, old);
  one.steps[nameIn(old)] ??= "deleted";
}

/** The name of a resource, as its program has it. */
export function nameIn({ urn }: Pick<Stored, "urn">): string {
  return urn.split("::").at(-1) ?? "";
}

/** Values as the engine stores them: without what JSON cannot hold. */
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** If a failure names an argument, the engine also prints the argument's value. */
function printed({ property, reason }: { readonly property: string; readonly reason: string }): string {
  return property === "" ? reason : `property "${property}" value {…} has a problem: ${reason}`;
}

/** The error that the engine makes from failed checks. */
class RefusedProgram extends Error {}

function refusal(reasons: readonly string[]): Error {
  const lines = reasons.map((reason) => reason.split("\n"));
  const choices = lines.flatMap(([, ...others]) => others);
  // Some reasons are sentences that already say what to do.
  const sentences = lines.map(([first = ""]) => (first.endsWith(".") ? first : `${first}. Correct it.`));
  return new RefusedProgram([`checking the program: ${sentences.join(" ")}`, ...choices].join("\n"));
}

/** Whether a command failed with words of the provider's: an error of its own, or arguments that it refused. */
export function isExplained(failure: unknown): failure is Error {
  return failure instanceof RefusedProgram || isNamed(failure);
}
