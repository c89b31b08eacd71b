/**
 * Does what Pulumi's engine does for a program of two computes: it calls the provider's check and diff, then the step,
 * and keeps the result of the step. Each command has its own session, as it would have its own provider process.
 */
import type { Clock } from "../provider/clock";
import { checkDeclaration } from "../provider/host/check";
import { createDeclared } from "../provider/host/create";
import { deleteHeld } from "../provider/host/delete";
import { diffDeclaration } from "../provider/host/diff";
import { openSession, type Session } from "../provider/host/session";
import { updateHeld } from "../provider/host/update";
import { ComputeError, RequestError } from "../provider/model/errors";
import { operationListSchema } from "../provider/service/schemas";
import { dynamicType } from "../provider/model/fields";
import type { ComputePlace } from "../provider/model/inputs";
import type { Interruption } from "../provider/model/interruption";
import type { Verdict } from "../provider/model/notice";
import { PartialFailure, type EndpointState } from "../provider/model/state";
import type { EngineDeclaration } from "../provider/model/stored";
import type { ReadStackConfig } from "../provider/settings/config";

export type Args = Readonly<Record<string, unknown>>;

/** What a preview says of a change. */
export interface Announced {
  /** Whether anything changes; if not, nothing is sent. */
  readonly changes: boolean;
  readonly verdict: Verdict;
  /** What the receipt is compared with; undefined if the change interrupts nothing. */
  readonly interruption: Interruption | undefined;
  /** The warning on the row; undefined if there is none. */
  readonly notice: string | undefined;
}

/** A step that was carried out, or tried. */
export interface Step {
  /** Methods of the requests that the provider sent. */
  readonly requests: readonly string[];
  /** Ids of the operations that the answers to its writes named. */
  readonly named: ReadonlySet<string>;
  /** Undefined if the step ended well. */
  readonly failure: Error | undefined;
}

export interface Engine {
  /** `pulumi preview` of a change to an existing compute. */
  preview(name: string, args: Args): Promise<Announced>;
  /**
   * `pulumi up`: creates or changes the compute. A failure is returned, and the state keeps what the engine would keep of
   * the compute.
   */
  up(name: string, args: Args): Promise<Step>;
  /** `pulumi destroy` of one compute. @throws if it is not deleted */
  destroy(name: string): Promise<void>;
  /** The compute as the state has it; undefined if there is none. */
  held(name: string): EndpointState | undefined;
  /** The create that may have made a compute which is not in the state, because no answer named it. */
  openCreate(): OpenCreate | undefined;
  /** The arguments that were last accepted. */
  declared(name: string): Args;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
}

/** A create that was sent, and whose compute no answer has named. */
export interface OpenCreate {
  readonly type: unknown;
  /** When it was sent first, by this machine's wall clock. */
  readonly sentAtMs: number;
}

interface EngineOptions {
  readonly clock: Clock;
  /** Settings in addition to those of the environment. */
  readonly settings: ReadStackConfig;
  /** Ends the wait of a step, as Ctrl-C does. Deletions go on. */
  readonly interrupted: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** What the engine keeps between its commands. */
interface Kept {
  readonly states: Map<string, EndpointState>;
  readonly programs: Map<string, Args>;
}

interface Command {
  readonly session: Session;
  readonly warnings: string[];
  readonly requests: string[];
  readonly named: Set<string>;
}

export function createEngine(options: EngineOptions): Engine {
  const kept: Kept = { states: new Map(), programs: new Map() };
  const { states, programs } = kept;
  /** The last create, and whether it is open: true until an answer shows what became of it. */
  let create: { readonly open: OpenCreate; readonly isOpen: () => boolean } | undefined;
  return {
    redact: begin(options).session.redact,
    held: (name) => states.get(name),
    openCreate: () => (create?.isOpen() === true ? create.open : undefined),
    declared: (name) => programs.get(name) ?? {},
    preview: async (name, args) => {
      const { session, warnings } = begin(options);
      const { diff, hidden } = await plan({ session, kept }, name, { args, isPreview: true });
      const announced = session.run.history.announced(session.resourceOf(hidden))?.change.interruption;
      const verdict = diff?.verdict ?? { effect: "none", certain: true };
      return { changes: diff?.changes === true, verdict, interruption: announced, notice: warnings[0] };
    },
    up: async (name, args) => {
      const { session, requests, named } = begin(options, AbortSignal.any([options.interrupted]));
      const state = states.get(name);
      if (state === undefined) {
        const { openCreates } = session.run;
        // Anybody may create a compute on this branch, so a new compute is the command's own only if the answer names it.
        openCreates.add(placeOf(args));
        const open = { type: args["type"], sentAtMs: options.clock.now() };
        create = { open, isOpen: () => requests.includes("POST") && openCreates.size > 1 };
      }
      try {
        const { diff: _, ...declared } = await plan({ session, kept }, name, { args, isPreview: false });
        const { hidden } = declared;
        const step =
          state === undefined
            ? createDeclared(session, declared)
            : updateHeld(session, { held: { state, hidden }, declared });
        states.set(name, await step);
        programs.set(name, declared.args);
        return { requests, named, failure: undefined };
      } catch (thrown) {
        const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (failure instanceof PartialFailure) {
          states.set(name, failure.state);
          programs.set(name, args);
          return { requests, named, failure: failure.cause instanceof Error ? failure.cause : failure };
        }
        const isOpen = state === undefined && create?.isOpen() === true;
        return { requests, named, failure: state === undefined ? ofCreate(failure, isOpen) : failure };
      }
    },
    destroy: async (name) => {
      const state = states.get(name);
      if (state === undefined) return;
      const hidden = { urn: urnOf(name), secrets: [] };
      await deleteHeld(begin(options).session, { state, hidden });
      states.delete(name);
    },
  };
}

/**
 * Opens a session, as a provider process does for each command. @param interrupted - the signal of this command alone.
 */
function begin({ clock, settings, onProgress }: EngineOptions, interrupted?: AbortSignal): Command {
  const [warnings, requests]: [string[], string[]] = [[], []];
  const named = new Set<string>();
  const session = openSession({
    clock,
    interrupted,
    log: (redact) => ({
      say: (_urn, severity, message) => {
        if (severity !== "info") warnings.push(redact(message));
        return Promise.resolve();
      },
      progress: (_urn, message) => {
        onProgress(redact(message));
      },
    }),
    loadLifecycle: async () => {
      const { wireLifecycle } = await import("../provider/wiring.js");
      return (config, surroundings) =>
        wireLifecycle(config, {
          ...surroundings,
          onSend: ({ method }) => requests.push(method),
          onResult: ({ method }, result) => {
            if (method === "GET" || result.kind === "failure") return;
            for (const { id } of operationListSchema.safeParse(result.body).data?.operations ?? [])
              named.add(id);
          },
        });
    },
  });
  session.configure(settings);
  return { session, warnings, requests, named };
}

/** A declaration after its check and, for an existing compute, its diff. */
interface Plan extends EngineDeclaration {
  readonly diff: Awaited<ReturnType<typeof diffDeclaration>> | undefined;
}

/** Runs the check and the diff of a command. @throws if the declaration is refused */
async function plan(
  { session, kept: { states, programs } }: { readonly session: Session; readonly kept: Kept },
  name: string,
  { args, isPreview }: { readonly args: Args; readonly isPreview: boolean },
): Promise<Plan> {
  const hidden = { urn: urnOf(name), secrets: [], isPreview };
  const [state, old] = [states.get(name), programs.get(name)];
  const before = state && old && { args: { ...old }, hidden };
  const checked = await checkDeclaration(session, { before, declared: { args: { ...args }, hidden } });
  const [refused] = checked.failures;
  if (refused !== undefined)
    throw new ComputeError({
      doing: `declaring the ${name}`,
      what: refused.reason,
      fix: "Correct the arguments: the provider would refuse them in a program, too",
    });
  const declared = { args: checked.inputs, hidden };
  const diff = state && (await diffDeclaration(session, { held: { state, hidden }, declared }));
  return { ...declared, diff };
}

function placeOf({ projectId, branchId, type }: Args): ComputePlace {
  return { projectId, branchId, type } as ComputePlace;
}

/** A create that failed, without the provider's advice for a program. @param isOpen - whether it may have made a compute */
function ofCreate(failure: Error, isOpen: boolean): Error {
  if (!(failure instanceof ComputeError) || (failure instanceof RequestError && !isOpen)) return failure;
  const { choices: _, ...problem } = failure.problem;
  if (isOpen)
    return new ComputeError({ ...problem, fix: "It is not sent again: see the lines that begin with LEFT" });
  const answer = failure.cause instanceof RequestError ? `${failure.cause.problem.what}: ` : "";
  const fix = "This command made nothing there. Use a branch without computes";
  return new ComputeError({ ...problem, what: `${answer}${problem.what}`, fix });
}

function urnOf(name: string): string {
  return `urn:pulumi:verify::compute-verify::${dynamicType}::${name}`;
}
