/**
 * The provider's real handlers in this process, over a real socket, in time that a test owns: as many provider
 * processes as a test wants.
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
  /** In place of the stack's configuration, by its keys: `compute:baseUrl`. */
  readonly stack: Readonly<Record<string, string>>;
}

export interface ProcessOptions {
  readonly clock: FakeClock;
  /** Aborts when the run is interrupted: the plugin alone is told. */
  readonly interrupted?: AbortSignal | undefined;
  /** Told what stays on a row, as `warning: …`, and of which resource. */
  readonly onSaid?: (message: string, urn: string | undefined) => void;
  /** Told what shows on a row while a step runs. */
  readonly onProgress?: (message: string) => void;
  /** In place of `pulumi stack export`; the backend is not asked where it is not given. */
  readonly exportStack?: PluginProcess["exportStack"];
}

export function openHandlers({ variant = "dynamic", stack, ...options }: HandlersOptions): Handlers {
  const process = processOf(options);
  const handlers = variant === "native" ? asHandlers(createPluginHandlers(process)) : createHandlers(process);
  handlers.configure({ config: { get: (key) => stack[key] } });
  return handlers;
}

/** What a provider needs of its process, at either variant. */
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
 * Keeps what stays on a row: `rows` gets every line, `said` only warnings and errors. A test that nothing was said is about
 * what a person should act on, and one more line of information does not change that.
 */
export function keepIn(said: string[], rows: string[]): (message: string) => void {
  return (message) => {
    rows.push(message);
    if (!message.startsWith("info: ")) said.push(message);
  };
}

/** Whether an error is one of the provider's own: a sentence for people, and no stack. */
export function isNamed(error: unknown): error is Error {
  return error instanceof Error && error.stack === "see the error on its row.";
}

/** What the engine keeps of a failed create or update; undefined where it keeps nothing. */
export function keptOf(error: unknown): { readonly id: string; readonly properties: Values } | undefined {
  return isNamed(error) && "properties" in error
    ? (error as unknown as { id: string; properties: Values })
    : undefined;
}

/** What a command failed with; undefined where it did not. */
export async function failureOf(run: Promise<unknown>): Promise<unknown> {
  try {
    await run;
    return undefined;
  } catch (error) {
    return error;
  }
}
