/** What runs leave that are killed in a create. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import type { Values } from "../../../support/providerHandlers";
import { answers, failureOf, lost, urn, type Bench } from "./bench";

/** What a killed create has made: nothing is said, nor in the log. */
async function leftBy(bench: Bench, create: () => Promise<unknown>): Promise<string> {
  const before = bench.computes();
  await create();
  bench.takeRoutes();
  bench.said.length = 0;
  return bench.computes().find((id) => !before.includes(id)) ?? "";
}

/**
 * A create whose process is killed once its POST is out: the service makes the compute, and nobody learns its id.
 *
 * @returns the compute.
 */
export function cutOff(bench: Bench, declared: Values, environment?: NodeJS.ProcessEnv): Promise<string> {
  return leftBy(bench, async () => {
    bench.spoil("createEndpoint", lost);
    bench.emulator.addFault(answers(500, { after: 1, times: 1_000 }));
    await failureOf(bench.create(declared, environment));
    bench.emulator.clearFaults();
  });
}

/**
 * A create whose run is killed once its answer has arrived: the journal has the id, and the backend the pending create.
 *
 * @returns the compute.
 */
export async function killedAfterAnswer(
  bench: Bench,
  declared: Values,
  environment?: NodeJS.ProcessEnv,
): Promise<string> {
  const left = await leftBy(bench, () => bench.create(declared, environment).catch(() => undefined));
  const { __urn: itsUrn = urn } = declared;
  bench.backend.exported = exportOf({ begun: { [String(itsUrn)]: declared } });
  return left;
}

/** Files of the journal's entries. */
export function notesOf({ journalFolder }: Bench): readonly string[] {
  return readdirSync(journalFolder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => path.join(journalFolder, name));
}

/** What the journal on disk has of each create: the id of its compute, or `?`. */
export function idsOnDisk(bench: Bench): readonly string[] {
  return notesOf(bench)
    .map((file) => JSON.parse(readFileSync(file, "utf8")) as { readonly endpointId?: string })
    .map(({ endpointId = "?" }) => endpointId);
}

/** Deletes the file that a message names. */
export function deleteNote(message: string): void {
  const [, file] = /delete (\S+\.json), which notes that create/.exec(message) ?? [];
  rmSync(file!);
}

/** What `pulumi stack export` prints: resources with their ids, and creates that a killed run has left. */
export function exportOf({
  ids = [],
  begun = {},
}: {
  readonly ids?: readonly string[];
  /** Inputs by URN. */
  readonly begun?: Readonly<Record<string, object>>;
}): string {
  const resources = ids.map((id) => ({ urn: `urn:${id}`, id }));
  const pending = Object.entries(begun).map(([urn, inputs]) => ({
    type: "creating",
    resource: { urn, inputs },
  }));
  return JSON.stringify({ version: 3, deployment: { resources, pending_operations: pending } });
}
