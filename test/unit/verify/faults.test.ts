/** What `compute-verify` does when something goes wrong: it deletes what it created, and names what it could not delete. */
import { changesFor } from "../../../verify/changes";
import type { FaultRule } from "../../../emulator";
import { until } from "../../../emulator/test/postgresSupport";
import { asMuchAs } from "../../support/extent";
import { closeBenches, namedIn, onRequest, openBench, type Bench } from "./running";

afterEach(closeBenches);

const neon = { switches: { service: "neon" } } as const;

describe("a compute of somebody else that appears during a create", () => {
  /** A colleague creates a compute when the command sends a create. @returns the colleague's compute */
  const createBeside = (bench: Bench, type: "read_write" | "read_only") => {
    const { emulator, projectId, branchId } = bench;
    const made: string[] = [];
    const stopListening = onRequest(({ method }) => {
      const isTheirs = emulator.endpoints(projectId).some(({ endpoint }) => endpoint.id === made[0]);
      const isWanted = type === "read_write" || bench.left().length === 1;
      if (method !== "POST" || isTheirs || !isWanted) return;
      const size = { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 0.25 };
      made.push(emulator.createEndpoint(projectId, { branch_id: branchId, type, ...size }).endpoint.id);
    });
    return { stopListening, theirs: () => made[0] };
  };

  it.each(["read_write", "read_only"] as const)(
    "is not taken for the compute that the command made, if the create got no answer: %s",
    async (type) => {
      const bench = await openBench(neon);
      const { stopListening, theirs } = createBeside(bench, type);
      const after = type === "read_write" ? 0 : 1;
      bench.emulator.addFault({ route: "createEndpoint", kind: "cut", when: "before", after, times: 9 });
      const ended = await bench.verify().finally(stopListening);
      expect([ended.code, bench.left(), namedIn(bench, ended)]).toEqual([4, [theirs()], [theirs()]]);
      expect(ended.told).toMatch(/ask those who use the branch\. Delete it at the service only if/);
      expect(ended.told).not.toMatch(/adopt|pulumi up|state delete/);
    },
  );

  it("is named by a refusal, which says what the service answered", async () => {
    const bench = await openBench(neon);
    const { stopListening, theirs } = createBeside(bench, "read_write");
    const ended = await bench.verify().finally(stopListening);
    expect([ended.code, bench.left()]).toEqual([1, [theirs()]]);
    expect(ended.told).toMatch(
      /^compute-verify: creating .*: the service answered 4\d\d .*already has a primary/m,
    );
    expect(ended.told).toContain("This command made nothing there. Use a branch without computes.");
    expect(ended.told).not.toContain("LEFT");
  });
});

it("a create without an answer ends with code 4 even if no new compute shows up", async () => {
  const bench = await openBench(neon);
  bench.emulator.addFault({ route: "createEndpoint", kind: "cut", when: "before", times: 99 });
  const ended = await bench.verify();
  expect([ended.code, bench.left()]).toEqual([4, []]);
  expect(ended.told).toMatch(/^LEFT: there may be a compute on branch .*no new compute has shown up so far/m);
});

describe("a refusal", () => {
  it.each<readonly [reason: string, fault: FaultRule, says: RegExp]>([
    [
      "a key that may only read",
      {
        kind: "status",
        status: 403,
        method: "POST",
        times: 99,
        body: { code: "forbidden", message: "read only" },
      },
      /^compute-verify: creating a compute on branch .*403/m,
    ],
    ["a key that is refused", { kind: "status", status: 401, times: 99 }, /^compute-verify: .*401/m],
  ])("of every write ends the run, and nothing was created: %s", async (_reason, fault, says) => {
    const bench = await openBench(neon);
    bench.emulator.addFault(fault);
    const ended = await bench.verify();
    expect([ended.code, namedIn(bench, ended)]).toEqual([1, []]);
    expect(ended.told).toMatch(says);
  });

  it.each([403, 422])(
    "of one change fails only that change, and the other changes are made: %s",
    async (status) => {
      const bench = await openBench(neon);
      const body = { code: "limit", message: `the plan of ${bench.projectId} does not allow that size` };
      bench.emulator.addFault({ kind: "status", status, method: "PATCH", after: 2, body });
      const ended = await bench.verify();
      const { code, report, change, printed } = ended;
      expect({ code, ended: report?.ended, counts: report?.counts }).toEqual({
        code: 0,
        ended: "complete",
        counts: {
          true: changesFor({ service: "neon", moveTo: "br-other" }).length - 1,
          "false alarm": 0,
          missed: 0,
          "cannot tell": 1,
        },
      });
      expect(change("maximum only")).toMatchObject({ result: "cannot tell", failure: {} });
      expect(change("maximum only").failure?.what).toMatch(/the plan of … does not allow that size/);
      expect(printed).toContain('The change "maximum only" was not made or not completed: ');
      expect(namedIn(bench, ended)).toEqual([]);
    },
  );
});

it("a failed operation fails only its own change, and the other changes are made", async () => {
  const bench = await openBench(neon);
  const stopListening = onRequest(({ method }, count) => {
    if (count === 1) return;
    if (method === "PATCH")
      bench.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
  });
  const failing = bench.verify();
  const ended = await failing.finally(stopListening);
  const failed = ended.report?.changes.filter(({ failure }) => failure?.kind === "operation") ?? [];
  expect(failed.map(({ change }) => change)).toContain("size up");
  expect([ended.report?.ended, namedIn(bench, ended)]).toEqual(["complete", []]);
});

describe("a service that goes away", () => {
  it.each([1, 4, 20, 60])("after request %s leaves only computes that the command names", async (after) => {
    const bench = await openBench(neon);
    bench.emulator.addFault({ kind: "cut", after, times: 1_000_000 });
    const ended = await bench.verify("--timeout", "20");
    const isLeft = namedIn(bench, ended).length > 0 || ended.told.includes("LEFT: there may be");
    expect(ended.code).toBe(isLeft ? 4 : 1);
    expect(bench.left().length === 0 || isLeft).toBe(true);
  });

  it("leaves nothing behind if it comes back", async () => {
    const bench = await openBench(neon);
    bench.emulator.addFault({ kind: "status", status: 503, after: 30, times: 6 });
    const ended = await bench.verify();
    expect(namedIn(bench, ended)).toEqual([]);
  });
});

describe("Ctrl-C", () => {
  /** Presses Ctrl-C at a request. @returns false if the run ended before it */
  const stopAt = async (isThere: (method: string, count: number) => boolean): Promise<boolean> => {
    const bench = await openBench(neon);
    const { signal } = bench.stop;
    const stopListening = onRequest(({ method }, count) => {
      if (!signal.aborted && isThere(method, count)) bench.stop.abort(130);
    });
    const ended = await bench.verify().finally(stopListening);
    const left = namedIn(bench, ended);
    const isUncertain = ended.told.includes("LEFT: there may be");
    expect(ended.code).toBe(!signal.aborted ? 0 : left.length > 0 || isUncertain ? 4 : 130);
    return signal.aborted;
  };

  it("at each write deletes what was created, or names it", async () => {
    for (let at = 1, isStopped = true; isStopped; at++) {
      let writes = 0;
      isStopped = await stopAt((method) => method !== "GET" && ++writes === at);
      expect(at).toBeLessThan(40);
    }
  });

  it("at each request deletes what was created, or names it", async () => {
    const step = asMuchAs({ quick: 13, full: 3 });
    for (let at = 1; await stopAt((_method, count) => count === at); at += step) expect(at).toBeLessThan(400);
  });

  it("during a create whose answer is lost names the compute that it may have made", async () => {
    const bench = await openBench(neon);
    bench.emulator.addFault({ route: "createEndpoint", kind: "cut", when: "after" });
    const stopListening = onRequest(({ method }) => {
      if (method !== "POST") return;
      bench.stop.abort(130);
      // The list lags behind: the provider looks once after it was stopped.
      bench.emulator.addFault({ route: "listEndpoints", kind: "stale", times: 2 });
    });
    const ended = await bench.verify().finally(stopListening);
    expect([ended.code, namedIn(bench, ended)]).toEqual([4, bench.left()]);
    expect(bench.left()).toHaveLength(1);
    expect(ended.told).toContain("may come from the create that got no answer, or from somebody else");
  });

  /** Presses Ctrl-C three times when the command sends a request with this method. */
  const abandonAt = (wanted: string, { stop, abandon }: Awaited<ReturnType<typeof openBench>>) =>
    onRequest(({ method }) => {
      if (method !== wanted) return;
      stop.abort(130);
      abandon.abort();
    });

  it("three times ends at once, and names what was created", async () => {
    const bench = await openBench(neon);
    const stopListening = abandonAt("PATCH", bench);
    const told: string[] = [];
    const { code } = await bench.verifyWith({ complain: (text) => told.push(text) }).finally(stopListening);
    const named = told.flatMap((text) => /^LEFT: compute (ep-[\w-]+)/.exec(text)?.[1] ?? []);
    expect([code, named.sort()]).toEqual([4, [...bench.left()].sort()]);
    // The real process ends here; in this one, the deletion goes on.
    await until(() => told.some((text) => text.startsWith("deleted the primary")));
  });

  it("three times during a create ends at once, and names the branch", async () => {
    const bench = await openBench(neon);
    const stopListening = abandonAt("POST", bench);
    const { code, told } = await bench.verify().finally(stopListening);
    expect([code, told]).toEqual([4, expect.stringContaining("LEFT: there may be a compute on branch br-")]);
    await until(() => bench.left().length === 1);
  });
});
