/**
 * Does what the engine does with a program, with either variant: it calls the same handlers in the same order with the same
 * values, and stores the same parts of each answer. The order is that of Pulumi 3.246:
 *
 * - a resource whose state asks for a read is read before it is changed; only states of the plugin ask for one;
 * - a resource in the state is checked with its old inputs, and compared; if it has to be replaced, it is checked again
 *   without old inputs; with `--replace`, its only check is without old inputs, and nothing is compared;
 * - steps run side by side; resources that left the program are deleted last, and only if nothing has failed;
 * - a refresh reads every resource, replaced computes too, and compares the old inputs with what it read, without a check;
 * - a resource that is not a target is neither checked nor compared.
 *
 * Everything that is stored goes through JSON. A killed run stores nothing but its pending creates.
 */
import { type Verdict, isNotice, verdictOnRow } from "../../provider/model/notice";
import { unknownValue } from "../../provider/model/unknown";
import { urnOf, type Variant } from "./variants";
import type { ServiceName } from "../../provider/model/services";
import type { FakeClock } from "./fakeClock";
import { nameIn, plain, plan, refreshAll, removeAll, type Run } from "./miniEngineSteps";
import { keepIn, openHandlers, type Handlers, type Values } from "./providerHandlers";

/** One resource, as a state holds it. */
export interface Stored {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Values;
  readonly outs: Values;
  /** A partial failure: the next `up` sends an update, whatever `diff` says. */
  readonly isUnfinished: boolean;
  /** A replaced compute whose deletion has not been done yet. */
  readonly isToBeDeleted: boolean;
  /** The engine reads the resource before it plans anything. */
  readonly isReadFirst: boolean;
}

/** A resource of a program. An argument `{ $of: "db.endpointId" }` is an output of a resource that is declared before it. */
export interface Declared {
  readonly args: Values;
  /** Earlier names. */
  readonly aliases?: readonly string[];
  /** Names of the arguments that are secret. */
  readonly secrets?: readonly string[];
  /** The option ignoreChanges: names of arguments, or of settings as `settings.pgSettings.NAME`. */
  readonly ignores?: readonly string[];
}

/** By name, in the order in which they are declared. */
export type Program = Readonly<Record<string, Declared>>;

export interface RunOptions {
  /** Names of the targets. Default: all. */
  readonly targets?: readonly string[];
  /** Names of resources to replace. */
  readonly replace?: readonly string[];
  readonly isPreview?: boolean;
  /** The engine is killed before it stores anything. */
  readonly isKilled?: boolean;
  /**
   * For runs in which another engine plays another provider process: called after the steps, before resources that left the
   * program are deleted. @returns whether no process has failed.
   */
  readonly meetOthers?: (isGood: boolean) => Promise<boolean>;
  /** The stack's configuration besides the connection. */
  readonly stack?: Readonly<Record<string, string>>;
}

export type Step = "created" | "updated" | "replaced" | "same" | "deleted";

export interface RunResult {
  /** By name. */
  readonly steps: Readonly<Record<string, Step>>;
  readonly failures: readonly unknown[];
  /** The failures that belong to a resource, by its name. */
  readonly failed: Readonly<Record<string, unknown>>;
  /** What each step does to connections according to the plan, by name. */
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /** The last notice on the row of each resource, by name. */
  readonly notices: Readonly<Record<string, string>>;
}

export interface MiniEngine {
  up(program: Program, options?: RunOptions): Promise<RunResult>;
  refresh(options?: RunOptions): Promise<RunResult>;
  destroy(options?: RunOptions): Promise<RunResult>;
  /** The state, replaced computes included. */
  state(): readonly Stored[];
  stored(name: string): Stored | undefined;
  /** Puts an earlier state back. */
  restore(earlier: readonly Stored[]): void;
  /** What `pulumi stack export` prints. */
  exported(): string;
  /** `pulumi refresh --clear-pending-creates`, without the refresh. */
  clearPendingCreates(): void;
  /** Warnings and errors that stay on rows. */
  readonly said: string[];
  /** All messages that stay on rows, including information. */
  readonly rows: string[];
  /** Texts that rows and diffs showed for a moment. */
  readonly shown: readonly string[];
}

export interface MiniEngineOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: FakeClock;
  /** The key and the clock of the provider process of one run, in place of `apiKey` and `clock`. */
  readonly ofRun?: () => { readonly apiKey: string; readonly clock: FakeClock };
  /** Default `dynamic`. */
  readonly variant?: Variant | undefined;
  /** `false`: the plugin does not ask for a read before each change. */
  readonly readsFirst?: boolean | undefined;
  readonly stackName?: string;
  /** The value of `compute:service`. Default: not set. */
  readonly service?: ServiceName;
  /** The stack's configuration in every run, besides the connection. */
  readonly stack?: Readonly<Record<string, string>>;
  /** The stack has another provider instance, whose resources this engine does not show. */
  readonly hasOtherProvider?: true;
  /** What `pulumi stack export` prints, if other engines play other provider processes of the stack. */
  readonly exportStack?: () => string;
}

export function createMiniEngine(options: MiniEngineOptions): MiniEngine {
  const { variant = "dynamic", stackName = "dev", readsFirst = true } = options;
  const said: string[] = [];
  const rows: string[] = [];
  const shown: string[] = [];
  let state: readonly Stored[] = [];
  let pending: readonly { readonly urn: string; readonly inputs: Values }[] = [];
  const exported = (): string => {
    const instances = options.hasOtherProvider === true ? ["own", "other"] : [];
    const provider = instances[0];
    const creates = pending.map(({ urn, inputs }) => ({
      type: "creating",
      resource: { urn, provider, inputs: withoutSecrets(inputs) },
    }));
    const resources = [
      ...instances.map((name) => ({
        urn: `urn:pulumi:${stackName}::app::pulumi:providers:compute::${name}`,
      })),
      ...state.map(({ urn, id, isToBeDeleted }) => ({ urn, id, provider, delete: isToBeDeleted })),
    ];
    return JSON.stringify({ version: 3, deployment: { resources, pending_operations: creates } });
  };
  const keep = keepIn(said, rows);
  /** The notices of the current run, by name. */
  let notices: Record<string, string> = {};
  const hear = (message: string, urn: string | undefined): void => {
    keep(message);
    const text = message.replace("warning: ", "");
    if (urn !== undefined && isNotice(text)) notices[nameIn({ urn })] = text;
  };
  /** Counts the runs. */
  let latest = 0;

  const urnIn = (name: string): string => urnOf(variant, name, stackName);
  const newProcess = (more: Readonly<Record<string, string>> = {}): Handlers => {
    const { apiKey, clock } = options.ofRun?.() ?? options;
    return openHandlers({
      clock,
      variant,
      stack: {
        "compute:apiKey": apiKey,
        "compute:baseUrl": options.baseUrl,
        "compute:refreshBeforeUpdate": String(readsFirst),
        ...(options.service !== undefined && { "compute:service": options.service }),
        ...options.stack,
        ...more,
      },
      onSaid: hear,
      onProgress: (message) => shown.push(message),
      exportStack: () => Promise.resolve((options.exportStack ?? exported)()),
    });
  };
  const run = async (
    { isKilled = false, isPreview = false, stack }: RunOptions,
    act: (one: Run) => Promise<void>,
  ): Promise<RunResult> => {
    const before = state;
    const begun: (typeof pending)[number][] = [];
    latest += 1;
    const mine = latest;
    notices = {};
    const one: Run = {
      provider: newProcess(stack),
      isPreview,
      steps: {},
      failures: [],
      failed: {},
      verdicts: {},
      show: (text) => shown.push(text),
      begin: (urn, inputs) => {
        begun.push(plain({ urn, inputs }));
        pending = [...pending, begun.at(-1)!];
      },
      keep: (stored, instead) => {
        // Steps of a killed run can still go on here, but no engine is left to store their results.
        if (mine !== latest) return;
        const kept = state.filter((other) => other !== instead);
        state = stored === undefined ? kept : [...kept, plain(stored)];
      },
    };
    await act(one);
    if ((isKilled || isPreview) && mine === latest) state = before;
    if (!isKilled) pending = pending.filter((create) => !begun.includes(create));
    const { steps, failures, failed, verdicts } = one;
    // The dynamic provider shows its verdicts on rows.
    const told = Object.entries(notices).map(([name, text]) => [name, verdictOnRow(text)] as const);
    return {
      steps,
      failures,
      failed,
      verdicts: { ...Object.fromEntries(told), ...verdicts } as typeof verdicts,
      notices,
    };
  };
  const isTarget = (name: string, { targets }: RunOptions): boolean => targets?.includes(name) ?? true;
  /** @returns whether the run can go on. */
  const readFirst = async (one: Run, how: RunOptions): Promise<boolean> => {
    const seen = state.filter((old) => old.isReadFirst && isTarget(nameIn(old), how));
    await refreshAll(one, seen);
    return one.failures.length === 0;
  };
  const current = (name: string, { aliases = [] }: Pick<Declared, "aliases"> = {}): Stored | undefined => {
    // A resource with this name takes precedence over one with an alias's name, which is then deleted.
    const urns = [name, ...aliases].map(urnIn);
    return urns.flatMap((urn) => state.filter((one) => one.urn === urn && !one.isToBeDeleted))[0];
  };

  /** The arguments with other resources' outputs filled in; undefined if one of these resources has failed. */
  const resolved = async (
    args: Values,
    { one, work }: { readonly one: Run; readonly work: ReadonlyMap<string, Promise<void>> },
  ): Promise<Values | undefined> => {
    const values: Values = {};
    for (const [member, value] of Object.entries(args)) {
      const [name = "", output = ""] = ((value as { $of?: string } | undefined)?.$of ?? "").split(".");
      values[member] = value;
      if (name === "") continue;
      // Before the update, the engine knows no outputs of a new resource, nor of a dynamic resource that changes.
      await work.get(name);
      if (name in one.failed) return undefined;
      const kind = one.steps[name];
      const isOpen = one.isPreview && !(kind === "same" || (kind === "updated" && variant === "native"));
      values[member] = isOpen ? unknownValue : current(name)?.outs[output];
    }
    return values;
  };

  return {
    said,
    rows,
    shown,
    up: (program, how = {}) =>
      run(how, async (one) => {
        const meetOthers = how.meetOthers ?? ((isGood: boolean) => Promise.resolve(isGood));
        if (!(await readFirst(one, how))) {
          await meetOthers(false);
          return;
        }
        const kept = new Set<string>();
        const work = new Map<string, Promise<void>>();
        for (const [name, declared] of Object.entries(program)) {
          const urn = urnIn(name);
          const old = current(name, declared);
          if (old !== undefined) kept.add(old.urn);
          kept.add(urn);
          if (!isTarget(name, how)) continue;
          const args = await resolved(declared.args, { one, work });
          // A resource that this one needs has failed.
          if (args === undefined) continue;
          const resource = { urn, name, old, isReplaced: how.replace?.includes(name) === true };
          // The engine plans one resource after the other, and carries their steps out side by side.
          const planned = await plan(one, resource, { ...declared, args });
          if (planned === undefined) break;
          work.set(name, planned());
        }
        await Promise.all(work.values());
        if (!(await meetOthers(one.failures.length === 0)) || one.isPreview) return;
        const gone = state.filter(
          (old) => old.isToBeDeleted || (!kept.has(old.urn) && isTarget(nameIn(old), how)),
        );
        await removeAll(one, gone);
      }),
    refresh: (how = {}) =>
      run(how, (one) =>
        refreshAll(
          one,
          state.filter((old) => isTarget(nameIn(old), how)),
        ),
      ),
    destroy: (how = {}) =>
      run(how, async (one) => {
        if (!(await readFirst(one, how))) return;
        await removeAll(
          one,
          state.filter((old) => isTarget(nameIn(old), how)),
        );
      }),
    state: () => state,
    stored: (name) => current(name),
    restore: (earlier) => {
      state = earlier;
    },
    exported,
    clearPendingCreates: () => (pending = []),
  };
}

/** Inputs as `pulumi stack export` shows them: a secret is ciphertext. */
function withoutSecrets(inputs: Values): Values {
  const secrets = (inputs["__secrets"] ?? []) as readonly string[];
  const shown = Object.entries(inputs).map(
    ([name, value]) => [name, secrets.includes(name) ? { ciphertext: "v1:" } : value] as const,
  );
  return Object.fromEntries(shown);
}
