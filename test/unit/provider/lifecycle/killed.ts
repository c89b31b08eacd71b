/** What runs leave that are killed in a create, or end without knowing what it has made. */
import type { Values } from "../../../support/providerHandlers";
import { answers, failureOf, lost, urn, type Bench } from "./bench";

/** What a create has made that nobody knows of: nothing is said, nor in the log. */
async function leftBy(bench: Bench, create: () => Promise<unknown>): Promise<string> {
  const before = bench.computes();
  await create();
  bench.takeRoutes();
  bench.said.length = 0;
  return bench.computes().find((id) => !before.includes(id)) ?? "";
}

/**
 * A create without an answer, in a run that ends without knowing what it has made: Pulumi forgets it.
 *
 * @returns the compute.
 */
export function unanswered(bench: Bench, declared: Values): Promise<string> {
  return leftBy(bench, async () => {
    bench.spoil("createEndpoint", lost);
    bench.emulator.addFault(answers(500, { after: 1, times: 1_000 }));
    await failureOf(bench.create(declared));
    bench.emulator.clearFaults();
  });
}

/**
 * A create whose run is killed: Pulumi's backend has it as pending.
 *
 * @returns the compute.
 */
export async function killed(bench: Bench, declared: Values): Promise<string> {
  const left = await leftBy(bench, () => bench.create(declared));
  const { __urn: itsUrn = urn } = declared;
  bench.backend.exported = exportOf({ begun: { [String(itsUrn)]: declared } });
  return left;
}

interface Exported {
  /** Ids of computes that some resources have. */
  readonly ids?: readonly string[];
  /** Ids of computes, by the URNs of their resources. */
  readonly held?: Readonly<Record<string, string>>;
  /** Inputs of creates that killed runs have left, by URN. */
  readonly begun?: Readonly<Record<string, object>>;
}

/** What `pulumi stack export` prints. */
export function exportOf({ ids = [], held = {}, begun = {} }: Exported): string {
  const resources = [
    ...ids.map((id) => ({ urn: `urn:${id}`, id })),
    ...Object.entries(held).map(([of, id]) => ({ urn: of, id })),
  ];
  const pending = Object.entries(begun).map(([of, inputs]) => ({
    type: "creating",
    resource: { urn: of, inputs },
  }));
  return JSON.stringify({ version: 3, deployment: { resources, pending_operations: pending } });
}
