/**
 * Two runs of one stack at the same time, as in examples/pull-request/README.md#ci-and-several-runners, with the real CLI and a state on a real Postgres.
 * test/reliability/crash/create.test.ts has a run that dies on one machine and continues on another.
 */
import path from "node:path";
import { startEmulator, type Emulator } from "../../emulator";
import { engineEnvironment } from "../../tools/engine/environment";
import { describeOnPostgres, until } from "../../emulator/test/postgresSupport";
import { checkoutIn, up, useStack, type Checkout } from "../support/stack";
import { packageOf } from "../support/variants";

describeOnPostgres("with the state on PostgreSQL", () => {
  const service = useStack({});
  /** A real compute holds the states, since Pulumi has to connect to it. */
  let backend: Emulator;
  let url: string;

  beforeAll(async () => {
    const switches = { suspendDefaultSeconds: 604_800 };
    backend = await startEmulator({ computes: "postgres", switches });
    const { endpoint } = backend.createProject();
    await backend.addressed();
    await until(() => backend.endpoint(endpoint.id).endpoint.current_state === "active");
    const { user, password, host, port, database } = backend.endpoint(endpoint.id).place!;
    url = `postgres://${user}:${password}@${host}:${port}/${database}?sslmode=disable`;
  });
  afterAll(() => backend.close());

  /** A machine with its own checkout and home. It shares the backend, the passphrase and the key with other machines. */
  async function newMachine(name: string): Promise<Checkout> {
    const folder = path.join(service.folder, name);
    const home = path.join(folder, "home");
    // `pulumi login` says where states are, as on most machines.
    const { PULUMI_BACKEND_URL: _, ...own } = engineEnvironment(home);
    const { url: baseUrl, apiKey } = service.emulator;
    const shared = {
      COMPUTE_BASE_URL: baseUrl,
      COMPUTE_API_KEY: apiKey,
      TESTED_PACKAGE: packageOf.dynamic,
      PULUMI_STACK: "dev",
    };
    const machine = checkoutIn(path.join(folder, "checkout"), { ...own, HOME: home, ...shared });
    await machine.ok(["login", url]);
    const args = { projectId: service.projectId, branchId: service.defaultBranchId, type: "read_only" };
    machine.declare({ app: { args } });
    return machine;
  }

  it("a run is refused, before it sends anything, while another run of its stack is active", async () => {
    const { emulator } = service;
    const first = await newMachine("first");
    const second = await newMachine("second");
    await first.ok(["stack", "init", "dev"]);
    emulator.setTimeline({ action: "start_compute", stuck: "running" });
    const running = first.ok(up);
    await until(() => service.writes().length === 1);
    const lockedOut = /the stack is currently locked by \d+ lock\(s\)[^]*pulumi cancel/;
    expect(await second.fails(up)).toMatch(lockedOut);

    emulator.clearTimelines();
    const isOpen = ({ status }: { status: string }): boolean => status === "running";
    for (const { id } of emulator.operations(service.projectId).filter(isOpen)) emulator.endOperation(id);
    await running;
    await second.ok([...up, "--expect-no-changes"]);
    expect(service.writes()).toEqual(["createEndpoint"]);
    await second.destroy();
    expect(service.computes()).toHaveLength(1);
  });
});
