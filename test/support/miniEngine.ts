/**
 * What the engine does with one resource, without the engine: which handler it calls when, and what it keeps
 * of each answer. It stores what comes back, failures with an id included, and forgets everything else.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readConfig } from "../../provider/config";
import { trackHolders } from "../../provider/endpoint/holders";
import { forgetStored, openJournal } from "../../provider/endpoint/journal";
import { checkEndpoint, diffEndpoint } from "../../provider/endpoint/plan";
import type { EndpointState } from "../../provider/endpoint/state";
import { ComputeError, PartialFailure } from "../../provider/errors";
import { connect, type Lifecycle } from "../../provider/services";
import type { FakeClock } from "./fakeClock";

type Bag = Readonly<Record<string, unknown>>;

/** One resource, as a state holds it. */
export interface Stored {
  readonly id: string;
  readonly inputs: Bag;
  readonly outs: EndpointState;
  /** A partial failure: the next `up` sends an update, whatever `diff` says. */
  readonly isUnfinished: boolean;
}

export type Step = "created" | "updated" | "replaced" | "same";

export interface MiniEngine {
  /** Brings the resource to what the program declares. @throws what the provider throws. */
  up(args: Bag): Promise<Step>;
  refresh(): Promise<void>;
  destroy(): Promise<void>;
  stored(): Stored | undefined;
  /** Replaced computes whose deletion has not been done yet. */
  toBeDeleted(): readonly string[];
  /** Forgets what the last run did, as a killed engine does. */
  restore(earlier: Stored | undefined): void;
  loseJournal(): void;
  /** Messages that stay on the row. */
  readonly said: readonly string[];
  close(): void;
}

export interface MiniEngineOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly clock: FakeClock;
  readonly urn?: string;
  readonly journalFolder?: string;
  /** One provider process for several resources; without it, each command has one of its own. */
  readonly process?: Lifecycle;
}

const defaultUrn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

export function createMiniEngine(options: MiniEngineOptions): MiniEngine {
  const { clock, urn = defaultUrn } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "compute-engine-"));
  const journalFolder = options.journalFolder ?? path.join(folder, "journal");
  const config = readConfig(() => undefined, {
    COMPUTE_API_KEY: options.apiKey,
    COMPUTE_BASE_URL: options.baseUrl,
    COMPUTE_JOURNAL_FOLDER: journalFolder,
  });
  const said: string[] = [];
  const holders = trackHolders();
  const voice = {
    say: (_urn: string | undefined, severity: string, message: string): Promise<void> => {
      said.push(`${severity}: ${message}`);
      return Promise.resolve();
    },
    progress: (): void => undefined,
  };
  const newProcess = (): Lifecycle =>
    options.process ?? connect(config, { voice, clock, redact: String, holders });

  let stored: Stored | undefined;
  let pendingDeletes: Stored[] = [];

  const keepPartial = (error: unknown, inputs: Bag): never => {
    if (error instanceof PartialFailure) {
      const outs = JSON.parse(JSON.stringify(error.properties)) as EndpointState;
      stored = { id: error.id, inputs, outs, isUnfinished: true };
    }
    throw error;
  };

  const create = async (provider: Lifecycle, inputs: Bag): Promise<void> => {
    try {
      const { id, outs } = await provider.create(inputs);
      stored = { id, inputs, outs, isUnfinished: false };
    } catch (error) {
      keepPartial(error, inputs);
    }
  };

  const deleteLeftovers = async (provider: Lifecycle): Promise<void> => {
    for (const old of [...pendingDeletes]) {
      await provider.delete(old.id, old.outs);
      pendingDeletes = pendingDeletes.filter((other) => other !== old);
    }
  };

  const up = async (args: Bag): Promise<Step> => {
    const provider = newProcess();
    const declared = { ...args, __urn: urn };
    const plan = { config, look: provider.lookLive, holders, now: () => clock.now() };
    const { inputs: checked, failures } = await checkEndpoint(stored?.inputs ?? {}, declared, plan);
    if (failures.length > 0) throw refusal(failures.map(({ reason }) => reason));
    const inputs = { ...checked, __provider: "text" };
    await deleteLeftovers(provider);
    const old = stored;
    if (old === undefined) {
      await create(provider, inputs);
      return "created";
    }
    const diff = diffEndpoint(old.outs, inputs, config);
    const { journal, ownerOf } = openJournal(config, clock);
    await forgetStored(journal, ownerOf(urn), old.outs.endpointId);
    if (diff.replaces.length > 0) {
      if (diff.deleteBeforeReplace) {
        await provider.delete(old.id, old.outs);
        stored = undefined;
      }
      await create(provider, inputs);
      if (!diff.deleteBeforeReplace) pendingDeletes.push(old);
      await deleteLeftovers(provider);
      return "replaced";
    }
    if (!diff.changes && !old.isUnfinished) return "same";
    try {
      const outs = await provider.update(old.outs, inputs);
      stored = { id: old.id, inputs, outs, isUnfinished: false };
    } catch (error) {
      keepPartial(error, inputs);
    }
    return "updated";
  };

  return {
    said,
    up,
    refresh: async () => {
      if (stored === undefined) return;
      const old = stored;
      const seen = await newProcess().read(old.id, old.outs);
      stored =
        seen.id === ""
          ? undefined
          : { ...old, outs: seen.props as unknown as EndpointState, inputs: seen.inputs ?? old.inputs };
    },
    destroy: async () => {
      const provider = newProcess();
      await deleteLeftovers(provider);
      if (stored !== undefined) await provider.delete(stored.id, stored.outs);
      stored = undefined;
    },
    stored: () => stored,
    toBeDeleted: () => pendingDeletes.map(({ id }) => id),
    restore: (earlier) => {
      stored = earlier;
    },
    loseJournal: () => {
      rmSync(journalFolder, { recursive: true, force: true });
    },
    close: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the engine makes of failed checks. */
function refusal(reasons: readonly string[]): ComputeError {
  return new ComputeError({ doing: "checking the program", what: reasons.join("; "), fix: "Correct it" });
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
