/**
 * The provider's real handlers in this process, over a real socket, in time that a test controls. A test can open as many
 * provider processes as it wants.
 */
import { wireLifecycle } from "../../provider/wiring";
import { createHandlers } from "../../provider/host/dynamic/handlers";
import { createPluginHandlers, type PluginProcess } from "../../provider/host/plugin/handlers";
import type { Variant } from "./variants";
import type { FakeClock } from "./fakeClock";
import { asHandlers, type Handlers, type Values } from "./pluginHandlers";

export type { Handlers, Values } from "./pluginHandlers";

export interface HandlersOptions extends ProcessOptions {
  /** Default `dynamic`. */
  readonly variant?: Variant | undefined;
  /** The stack's configuration, by its keys: `compute:baseUrl`. */
  readonly stack: Readonly<Record<string, string>>;
}

export interface ProcessOptions {
  readonly clock: FakeClock;
  /** Aborts when the run is interrupted; only the plugin is told. */
  readonly interrupted?: AbortSignal | undefined;
  /** Gets each message that stays on a row, such as `warning: …`, and its resource. */
  readonly onSaid?: (message: string, urn: string | undefined) => void;
  /** Gets what a row shows while a step runs. */
  readonly onProgress?: (message: string) => void;
  /** Replaces `pulumi stack export`; without it, the backend is not asked. */
  readonly exportStack?: PluginProcess["exportStack"];
}

export function openHandlers({ variant = "dynamic", stack, ...options }: HandlersOptions): Handlers {
  const process = processOf(options);
  const handlers = variant === "native" ? asHandlers(createPluginHandlers(process)) : createHandlers(process);
  handlers.configure({ config: { get: (key) => stack[key] } });
  return handlers;
}

/** What a provider needs from its process, with either variant. */
export function processOf({
  clock,
  interrupted,
  onSaid,
  onProgress,
  exportStack,
}: ProcessOptions): PluginProcess {
  return {
    clock,
    interrupted,
    exportStack,
    loadLifecycle: () => Promise.resolve(wireLifecycle),
    lookups: () => import("../../provider/lookups.js"),
    log: (redact) => ({
      say: (urn, severity, message) => {
        onSaid?.(`${severity}: ${redact(message)}`, urn);
        return Promise.resolve();
      },
      progress: (_urn, message) => onProgress?.(redact(message)),
    }),
  };
}

/**
 * Keeps what stays on a row: `rows` gets every line, `said` only warnings and errors. So a test that expects an empty `said`
 * does not break if the provider prints one more line of information.
 */
export function keepIn(said: string[], rows: string[]): (message: string) => void {
  return (message) => {
    rows.push(message);
    if (!message.startsWith("info: ")) said.push(message);
  };
}

/** Whether an error is one of the provider's own: a sentence for people, without a stack. */
export function isNamed(error: unknown): error is Error {
  return error instanceof Error && error.stack === "see the error on its row.";
}

/** What the engine stores of a failed create or update; undefined if it stores nothing. */
export function keptOf(error: unknown): { readonly id: string; readonly properties: Values } | undefined {
  return isNamed(error) && "properties" in error
    ? (error as unknown as { id: string; properties: Values })
    : undefined;
}

/** The error that a command failed with; undefined if it succeeded. */
export async function failureOf(run: Promise<unknown>): Promise<unknown> {
  try {
    await run;
    return undefined;
  } catch (error) {
    return error;
  }
}
