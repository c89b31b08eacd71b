import { Client } from "pg";
import { fixedSize } from "../../provider/sizes";
import { describeOnPostgres } from "../emulator/postgresSupport";
import { createStack, type Declared, type TestStack } from "../support/stack";

const names = ["primary", "one", "two", "three"];

function declareBranch(stack: TestStack, branchId: string, cu: number): void {
  const args = { projectId: stack.projectId, branchId, ...fixedSize(cu) };
  const typeOf = (name: string): string => (name === "primary" ? "read_write" : "read_only");
  stack.declare(Object.fromEntries(names.map((name) => [name, { args: { ...args, type: typeOf(name) } }])));
}

describe("a new primary in place of one that moves away", () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await createStack();
  });
  afterAll(() => stack.close());

  it("is refused where the program moves the other one afterwards, and created with the dependsOn that the refusal advises", async () => {
    // A preview that reads the state first knows that the program has the other primary.
    const unread = { COMPUTE_REFRESH_BEFORE_UPDATE: "false" };
    const [from, to] = ["from", "to"].map(
      () => stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id,
    );
    const on = (branchId: string | undefined, opts = {}): Declared[string] => ({
      args: { projectId: stack.projectId, branchId },
      opts,
    });
    stack.declare({ old: on(from) });
    await stack.ok(["up", "--yes", "--skip-preview"], unread);
    const moved = (await stack.stateOf("old"))?.id ?? "";

    stack.declare({ fresh: on(from), old: on(to, { dependsOn: ["fresh"] }) });
    stack.emulator.clearRequests();
    for (const words of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const refused = await stack.pulumi(words, unread);
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain(`the branch has its one primary already, compute ${moved}`);
      expect(refused.output).toContain(
        'Other cases: "The branch already has a primary" in docs/what-happens-when.md',
      );
    }
    expect(stack.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);

    stack.declare({ old: on(to), fresh: on(from, { dependsOn: ["old"] }) });
    await stack.ok(["preview"], unread);
    stack.emulator.clearRequests();
    await stack.ok(["up", "--yes", "--skip-preview"], unread);
    const created = (await stack.stateOf("fresh"))?.id ?? "";
    const places = stack.emulator
      .endpoints(stack.projectId)
      .map(({ endpoint: { id, branch_id, type } }) => [id, branch_id, type]);
    expect(places).toEqual(
      expect.arrayContaining([
        [moved, to, "read_write"],
        [created, from, "read_write"],
      ]),
    );
    // Nothing was refused and sent again.
    const writes = stack.emulator.requests().filter(({ method }) => method !== "GET");
    expect(writes.map(({ method, status }) => `${method} ${String(status)}`)).toEqual([
      "PATCH 200",
      "POST 201",
    ]);
    await stack.ok(["preview", "--expect-no-changes"], unread);
  });
});

/** Asks a compute again and again, and notes when it did not answer: from an answer to the next one. */
function watch(connectionString: string): {
  readonly stop: () => Promise<readonly (readonly [number, number])[]>;
} {
  const silences: (readonly [number, number])[] = [];
  const stopped = new AbortController();
  const work = (async () => {
    let answeredMs = performance.now();
    let client: Client | undefined;
    let hasFailed = false;
    while (!stopped.signal.aborted) {
      try {
        if (client === undefined) {
          client = new Client({ connectionString });
          client.on("error", () => undefined);
          await client.connect();
        }
        await client.query("SELECT 1");
        if (hasFailed) silences.push([answeredMs, performance.now()]);
        hasFailed = false;
        answeredMs = performance.now();
      } catch {
        hasFailed = true;
        await client?.end().catch(() => undefined);
        client = undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await client?.end();
  })();
  return {
    stop: async () => {
      stopped.abort();
      await work;
      return silences;
    },
  };
}

describeOnPostgres("a branch with three replicas, and clients at each of its computes", () => {
  let stack: TestStack;
  beforeAll(async () => {
    stack = await createStack({ computes: "postgres" });
  });
  afterAll(() => stack.close());

  it("has one that answers at every moment of a resize, although each is silent once", async () => {
    const { id: branchId } = stack.emulator.createBranch(stack.projectId, { compute: false }).branch;
    declareBranch(stack, branchId, 0.25);
    await stack.ok(["up", "--yes", "--skip-preview"]);
    declareBranch(stack, branchId, 1);
    const places = stack.emulator
      .endpoints(stack.projectId)
      .filter(({ endpoint }) => endpoint.branch_id === branchId)
      .map(({ place }) => place!.uri);
    const watches = places.map(watch);
    await stack.ok(["up", "--yes", "--skip-preview"]);
    const silences = await Promise.all(watches.map(({ stop }) => stop()));
    expect(silences.map((each) => each.length)).toEqual([1, 1, 1, 1]);
    const spans = silences.flat().sort(([left], [right]) => left - right);
    // No two overlap: three of the four answer at every moment.
    for (const [index, [from]] of spans.entries())
      if (index > 0) expect(from).toBeGreaterThanOrEqual(spans[index - 1]![1]);
  });
});
