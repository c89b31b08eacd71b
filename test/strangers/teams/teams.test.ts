/**
 * What docs/teams.md says, with the real CLI and states that are really shared. Asked of the service afterwards, not of
 * the state.
 */
import { until } from "../../emulator/postgresSupport";
import type { Variant } from "../../support/variants";
import { onFile, onPostgres, onS3, type Backend } from "./backends";
import { openTeam, type Runner, type Team } from "./team";

jest.setTimeout(240_000);

const stack = ["--stack", "dev"] as const;
const up = ["up", "--yes", "--skip-preview", ...stack] as const;
const destroy = ["destroy", "--yes", "--skip-preview", ...stack] as const;
const lockedOut = /the stack is currently locked by \d+ lock\(s\)[^]*pulumi cancel/;

interface Plan {
  readonly variant: Variant;
  /** What becomes of a dead runner's work is not the backend's business: not every one has to show it. */
  readonly dies: boolean;
}

function teamsOn(open: () => Promise<Backend>, { variant, dies }: Plan): void {
  let backend: Backend;
  let team: Team;
  let first: Runner;
  let branchId: string;

  const compute = (type: string, more: Record<string, unknown> = {}): { args: Record<string, unknown> } => ({
    args: { projectId: team.projectId, branchId, type, ...more },
  });
  const creates = (): number =>
    team.emulator.requests().filter(({ route }) => route === "createEndpoint").length;

  beforeAll(async () => {
    backend = await open();
    team = await openTeam(backend, variant);
    first = await team.newRunner();
    await first.ok(["stack", "init", "dev"]);
  });
  afterAll(async () => {
    await team.close();
    await backend.close();
  });
  beforeEach(() => {
    branchId = team.emptyBranch();
    team.emulator.clearRequests();
  });
  afterEach(async () => {
    await first.ok(destroy);
    expect(team.computes(branchId)).toEqual([]);
  });

  it("two stacks of one project come up at once, and one goes without the other", async () => {
    const second = await team.newRunner();
    await second.ok(["stack", "init", "prod"]);
    first.declare({ app: compute("read_write"), reader: compute("read_only") });
    second.declare({ reader: compute("read_only") });
    const prod = (words: readonly string[]): readonly string[] =>
      words.map((word) => (word === "dev" ? "prod" : word));
    team.emulator.setSwitches({ lock: "project" });
    await Promise.all([first.ok(up), second.ok(prod(up))]);
    team.emulator.setSwitches({ lock: "off" });
    expect(team.computes(branchId)).toHaveLength(3);
    const taken = team.emulator.requests().filter(({ status = 0 }) => status < 300);
    expect(taken.filter(({ route }) => route === "createEndpoint")).toHaveLength(3);
    await second.ok(prod(destroy));
    expect(team.computes(branchId)).toHaveLength(2);
    await first.ok(["preview", "--expect-no-changes", "--refresh", ...stack]);
  });

  it("a run that meets another one of its stack is told so before it sends anything", async () => {
    first.declare({ app: compute("read_write") });
    const others = [await team.newRunner(), await team.newRunner()];
    for (const other of others) other.declare({ app: compute("read_write"), reader: compute("read_only") });
    team.emulator.setTimeline({ action: "start_compute", stuck: "running" });
    const running = first.ok(up);
    await until(() => team.computes(branchId).length === 1);
    for (const { code, output } of await Promise.all(others.map((other) => other.pulumi(up)))) {
      expect(output).toMatch(lockedOut);
      expect(code).not.toBe(0);
    }
    // A preview takes no lock. It cannot know who makes the primary that it sees.
    const previewed = await others[0]!.pulumi(["preview", ...stack]);
    expect(previewed.code).not.toBe(0);
    expect(previewed.output).toMatch(
      /has its one primary already, compute ep-.*Other cases: "The branch already has a primary" in docs/,
    );
    expect(creates()).toBe(1);
    team.emulator.clearTimelines();
    const isOpen = ({ status }: { status: string }): boolean => status === "running";
    for (const { id } of team.emulator.operations(team.projectId).filter(isOpen))
      team.emulator.endOperation(id);
    await running;
    expect(team.computes(branchId)).toHaveLength(1);
    await others[1]!.ok(up);
    expect(team.computes(branchId)).toHaveLength(2);
    expect(creates()).toBe(2);
  });

  it("three runs that begin together make each compute once", async () => {
    const runners = [first, await team.newRunner(), await team.newRunner()];
    const declared = { app: compute("read_write"), reader: compute("read_only") };
    for (const runner of runners) runner.declare(declared);
    const ended = await Promise.all(runners.map((runner) => runner.pulumi(up)));
    for (const { code, output } of ended) if (code !== 0) expect(output).toMatch(lockedOut);
    await runners[2]!.ok(up);
    expect(team.computes(branchId)).toHaveLength(2);
    expect(creates()).toBe(2);
  });

  if (!dies) return;
  describe("a runner that dies while it creates", () => {
    it.each(["read_write", "read_only"])(
      "leaves a %s compute that another names and adopts",
      async (type) => {
        const [dying, next] = [await team.newRunner(), await team.newRunner()];
        for (const runner of [dying, next]) runner.declare({ db: compute(type) });
        const left = await team.killInCreate(dying, up, branchId);
        expect((await next.pulumi(up)).output).toMatch(lockedOut);
        await next.ok(["cancel", "--yes", ...stack]);
        const stopped = await next.pulumi(up);
        expect(stopped.code).not.toBe(0);
        expect(stopped.output).toContain(`adopt: "${left}"`);
        next.declare({ db: compute(type, { adopt: left }) });
        await next.ok(up);
        expect(creates()).toBe(1);
        // What was adopted stays when its resource goes.
        expect(team.computes(branchId)).toEqual([left]);
        await next.ok(destroy);
        expect(team.computes(branchId)).toEqual([left]);
        team.emulator.deleteEndpoint(left);
      },
    );
  });
}

onPostgres((open) => {
  teamsOn(open, { variant: "dynamic", dies: true });
});
onS3((open) => {
  teamsOn(open, { variant: "native", dies: true });
});
onFile((open) => {
  teamsOn(open, { variant: "native", dies: false });
});
