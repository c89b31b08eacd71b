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
import { dynamicType } from "../provider/model/fields";
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
  /** True if a create may have made a compute that is not in the state, because no answer named it. */
  isCreateOpen(): boolean;
  /** The arguments that were last accepted. */
  declared(name: string): Args;
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string;
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
}

export function createEngine(options: EngineOptions): Engine {
  const kept: Kept = { states: new Map(), programs: new Map() };
  const { states, programs } = kept;
  let isOpen = false;
  /** The requests of a create that has not ended. */
  let creating: readonly string[] = [];
  return {
    redact: begin(options).session.redact,
    held: (name) => states.get(name),
    isCreateOpen: () => isOpen || creating.includes("POST"),
    declared: (name) => programs.get(name) ?? {},
    preview: async (name, args) => {
      const { session, warnings } = begin(options);
      const { diff, hidden } = await plan({ session, kept }, name, { args, isPreview: true });
      const { announced } = session.run.history.announced(session.resourceOf(hidden));
      const verdict = diff?.verdict ?? { effect: "none", certain: true };
      return { changes: diff?.changes === true, verdict, interruption: announced, notice: warnings[0] };
    },
    up: async (name, args) => {
      const { session, requests } = begin(options, AbortSignal.any([options.interrupted]));
      const state = states.get(name);
      if (state === undefined) creating = requests;
      try {
        const { diff: _, ...declared } = await plan({ session, kept }, name, { args, isPreview: false });
        const { hidden } = declared;
        const step =
          state === undefined
            ? createDeclared(session, declared)
            : updateHeld(session, { held: { state, hidden }, declared });
        states.set(name, await step);
        programs.set(name, declared.args);
        return { requests, failure: undefined };
      } catch (thrown) {
        const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (failure instanceof PartialFailure) {
          states.set(name, failure.state);
          programs.set(name, args);
          return { requests, failure: failure.cause instanceof Error ? failure.cause : failure };
        }
        isOpen ||= state === undefined && requests.includes("POST") && isOutcomeUnknown(failure);
        return { requests, failure };
      } finally {
        creating = [];
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
        wireLifecycle(config, { ...surroundings, onSend: ({ method }) => requests.push(method) });
    },
  });
  session.configure(settings);
  return { session, warnings, requests };
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

/** True if a create may have been carried out: its request got no answer, or the error does not say. */
function isOutcomeUnknown(failure: Error): boolean {
  const request = [failure, failure.cause].find((error) => error instanceof RequestError);
  return request === undefined || request.outcome === "unknown";
}

function urnOf(name: string): string {
  return `urn:pulumi:verify::compute-verify::${dynamicType}::${name}`;
}
