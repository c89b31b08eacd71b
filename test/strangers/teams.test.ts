/**
 * What docs/teams.md says, with the real CLI and states that are really shared: on a real Postgres, and in a folder. Asked of the
 * service afterwards, not of the state. A run that dies on one machine and goes on on another: test/reliability/crash/create.test.ts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmulator } from "../../emulator";
import { engineEnvironment } from "../../tools/engine/environment";
import { describeOnPostgres, until } from "../../emulator/test/postgresSupport";
import { checkoutIn, createStack, type Checkout, type TestStack } from "../support/stack";
import { packageOf, type Variant } from "../support/variants";

jest.setTimeout(240_000);

const stack = ["--stack", "dev"] as const;
const up = ["up", "--yes", "--skip-preview", ...stack] as const;
const destroy = ["destroy", "--yes", "--skip-preview", ...stack] as const;
const lockedOut = /the stack is currently locked by \d+ lock\(s\)[^]*pulumi cancel/;

/** Where a team keeps its states. */
interface Backend {
  /** For `pulumi login`. */
  readonly url: string;
  close(): void | Promise<void>;
}

/** The database of a compute that is real: it is there to be connected to. */
async function openPostgres(): Promise<Backend> {
  const switches = { suspendDefaultSeconds: 604_800 };
  const emulator = await startEmulator({ computes: "postgres", switches });
  const { endpoint } = emulator.createProject();
  await emulator.addressed();
  await until(() => emulator.endpoint(endpoint.id).endpoint.current_state === "active");
  const { user, password, host, port, database } = emulator.endpoint(endpoint.id).place!;
  return {
    url: `postgres://${user}:${password}@${host}:${port}/${database}?sslmode=disable`,
    close: () => emulator.close(),
  };
}

function openFolder(): Promise<Backend> {
  const folder = mkdtempSync(path.join(tmpdir(), "compute-states-"));
  return Promise.resolve({
    url: `file://${folder}`,
    close: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

/** A runner is a machine with a checkout and a home of its own: it shares nothing with others but the passphrase and the key. */
type Runner = Checkout;

let service: TestStack;
let backend: Backend;
let runners = 0;

/** A new one, logged in to the team's backend. */
async function newRunner(variant: Variant): Promise<Runner> {
  const folder = path.join(service.folder, `runner-${(runners += 1)}`);
  const home = path.join(folder, "home");
  // `pulumi login` says where states are, as on most machines.
  const { PULUMI_BACKEND_URL: _, ...own } = engineEnvironment(home);
  const { url, apiKey } = service.emulator;
  const shared = { COMPUTE_BASE_URL: url, COMPUTE_API_KEY: apiKey, TESTED_PACKAGE: packageOf[variant] };
  const runner = checkoutIn(path.join(folder, "checkout"), { ...own, HOME: home, ...shared });
  await runner.ok(["login", backend.url]);
  return runner;
}

function teamsOn(open: () => Promise<Backend>, variant: Variant): void {
  let first: Runner;
  let branchId: string;

  const compute = (type: string, more: Record<string, unknown> = {}): { args: Record<string, unknown> } => ({
    args: { projectId: service.projectId, branchId, type, ...more },
  });
  const creates = (): number =>
    service.emulator.requests().filter(({ route }) => route === "createEndpoint").length;

  beforeAll(async () => {
    backend = await open();
    service = await createStack();
    first = await newRunner(variant);
    await first.ok(["stack", "init", "dev"]);
  });
  afterAll(async () => {
    await service.close();
    await backend.close();
  });
  beforeEach(() => {
    branchId = service.emptyBranch();
    service.emulator.clearRequests();
  });
  afterEach(async () => {
    await first.ok(destroy);
    expect(service.computes(branchId)).toEqual([]);
  });

  it("two stacks of one project come up at once, and one goes without the other", async () => {
    const second = await newRunner(variant);
    await second.ok(["stack", "init", "prod"]);
    first.declare({ app: compute("read_write"), reader: compute("read_only") });
    second.declare({ reader: compute("read_only") });
    const prod = (words: readonly string[]): readonly string[] =>
      words.map((word) => (word === "dev" ? "prod" : word));
    service.emulator.setSwitches({ lock: "project" });
    await Promise.all([first.ok(up), second.ok(prod(up))]);
    service.emulator.setSwitches({ lock: "off" });
    expect(service.computes(branchId)).toHaveLength(3);
    const taken = service.emulator.requests().filter(({ status = 0 }) => status < 300);
    expect(taken.filter(({ route }) => route === "createEndpoint")).toHaveLength(3);
    await second.ok(prod(destroy));
    expect(service.computes(branchId)).toHaveLength(2);
    await first.ok(["preview", "--expect-no-changes", "--refresh", ...stack]);
  });

  it("a run that meets another one of its stack is told so before it sends anything", async () => {
    first.declare({ app: compute("read_write") });
    const others = [await newRunner(variant), await newRunner(variant)];
    for (const other of others) other.declare({ app: compute("read_write"), reader: compute("read_only") });
    service.emulator.setTimeline({ action: "start_compute", stuck: "running" });
    const running = first.ok(up);
    await until(() => service.computes(branchId).length === 1);
    for (const { code, output } of await Promise.all(others.map((other) => other.pulumi(up)))) {
      expect(output).toMatch(lockedOut);
      expect(code).not.toBe(0);
    }
    // A preview takes no lock. It cannot know who makes the primary that it sees.
    const previewed = await others[0]!.pulumi(["preview", ...stack]);
    expect(previewed.code).not.toBe(0);
    expect(previewed.output).toMatch(
      /already has a primary \(ep-[^)]*\), and a branch can have only one[^]*- Other cases: "already has a primary" in docs/,
    );
    expect(creates()).toBe(1);
    service.emulator.clearTimelines();
    const isOpen = ({ status }: { status: string }): boolean => status === "running";
    for (const { id } of service.emulator.operations(service.projectId).filter(isOpen))
      service.emulator.endOperation(id);
    await running;
    expect(service.computes(branchId)).toHaveLength(1);
    await others[1]!.ok(up);
    expect(service.computes(branchId)).toHaveLength(2);
    expect(creates()).toBe(2);
  });
}

describeOnPostgres("with the state on PostgreSQL", () => {
  teamsOn(openPostgres, "dynamic");
});
describe("with the state in a folder", () => {
  teamsOn(openFolder, "native");
});
