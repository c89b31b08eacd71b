/**
 * Twenty runners on one account's rate limit. Provider processes alone: twenty CLIs would measure this machine.
 */
import { startEmulator, type Emulator, type LoggedRequest } from "../../../emulator";
import { urnOf, type Variant } from "../../support/variants";
import { startProviderProcess, type ProviderProcess } from "../../support/providerProcess";

jest.setTimeout(240_000);

const runners = 20;
const each = 8;
/** Requests a second of one route that the service takes, as the best known one does. */
const burst = 40;

let emulator: Emulator;
let processes: readonly ProviderProcess[];

/** Each has a home of its own, and so a journal of its own: nothing is shared but the account. */
beforeAll(async () => {
  emulator = await startEmulator({
    operationMs: 20,
    switches: { rateLimitBurst: burst, retryAfter: "seconds" },
  });
  const environment = { COMPUTE_BASE_URL: emulator.url, COMPUTE_API_KEY: emulator.apiKey };
  processes = await Promise.all(
    Array.from({ length: runners }, (_, index) =>
      startProviderProcess({ variant: variantOf(index), environment }),
    ),
  );
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.close()));
  await emulator.close();
});

/** The SDK's process takes a second of CPU to start, the plugin a fifth of that. */
function variantOf(index: number): Variant {
  return index % 5 === 0 ? "dynamic" : "native";
}

const takenOf = (route: string): readonly LoggedRequest[] =>
  emulator.requests().filter(({ route: name, status = 0 }) => name === route && status < 300);

it("twenty runners on one limit lose nothing and make nothing twice: refusals are waited out", async () => {
  const { project, branch } = emulator.createProject();
  const known = emulator.endpoints(project.id).map(({ endpoint }) => endpoint.id);
  const left = (): readonly string[] =>
    emulator
      .endpoints(project.id)
      .map(({ endpoint }) => endpoint.id)
      .filter((id) => !known.includes(id));
  emulator.clearRequests();

  const made = await Promise.all(
    processes.flatMap((process, index) =>
      Array.from({ length: each }, async (_, number) => {
        const __urn = urnOf(variantOf(index), `r${number}`, `stack-${index}`);
        const args = { __urn, projectId: project.id, branchId: branch.id, type: "read_only" };
        return { process, ...(await process.create((await process.check({}, args)).inputs)) };
      }),
    ),
  );
  const ids = made.map(({ id }) => id);
  expect(new Set(ids).size).toBe(runners * each);
  expect([...left()].sort()).toEqual([...ids].sort());
  expect(takenOf("createEndpoint")).toHaveLength(runners * each);

  // Others' replicas of the branch are named on each row, as far as it has room: once before the create, where the plugin
  // is not told whether its check is of a preview, and once after it.
  for (const { said } of processes) expect(said.length).toBeLessThanOrEqual(2 * 4 * each);

  await Promise.all(made.map(({ process, id, outs }) => process.delete(id, outs)));
  expect(left()).toEqual([]);
  expect(takenOf("deleteEndpoint")).toHaveLength(runners * each);

  // Each runner has to be told once, and those that are told together come back apart.
  const refused = emulator.requests().filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(0.15 * emulator.requests().length);
});
