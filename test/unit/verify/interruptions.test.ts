/** What `compute-verify` says of interruptions that nothing announced, whenever they begin. */
import { closeBenches, namedIn, onRequest, openBench, type Bench } from "./running";

afterEach(closeBenches);

describe("an interruption that nothing announced", () => {
  it("is found where the service restarts a compute for a change that the table of fields calls harmless", async () => {
    const bench = await openBench({ switches: { service: "neon", settingsRestart: true } });
    const { emulator } = bench;
    // The service restarts the compute without naming an operation for it in its answer.
    let isDone = false;
    const stopListening = onRequest(() => {
      const [renamed] = emulator
        .endpoints(bench.projectId)
        .filter(({ endpoint }) => endpoint.name === "compute-verify");
      if (renamed === undefined || isDone) return;
      isDone = true;
      emulator.restartEndpoint(renamed.endpoint.id);
    });
    const ended = await bench.verify();
    stopListening();
    expect({ code: ended.code, counts: ended.report?.counts }).toEqual({
      code: 3,
      counts: { true: 9, "false alarm": 0, missed: 1, "cannot tell": 0 },
    });
    expect(ended.change("name")).toMatchObject({
      announced: { effect: "none", certain: true },
      service: { happened: "restarted", startedAt: "moved" },
      result: "missed",
    });
    expect(ended.printed).toMatch(/^name \(primary\) +nothing +restarted .* +MISSED$/m);
    expect(namedIn(bench, ended)).toEqual([]);
  });
});

describe("an interruption that begins when the command already makes the next change", () => {
  /** Restarts the renamed compute once, when a request for the next change is sent. */
  const restartAt = (
    bench: Bench,
    isMoment: (method: string, sinceRestart: number) => boolean,
  ): (() => void) => {
    let isDone = false;
    let sinceRestart = 0;
    return onRequest(({ method }) => {
      const [renamed] = bench.emulator
        .endpoints(bench.projectId)
        .filter(({ endpoint }) => endpoint.name === "compute-verify");
      if (renamed === undefined || isDone) return;
      // After the change of the name, the next POST is the restart of the change that follows.
      if (method === "POST" || sinceRestart > 0) sinceRestart++;
      isDone = isMoment(method, sinceRestart);
      if (isDone) bench.emulator.restartEndpoint(renamed.endpoint.id);
    });
  };

  it("counts for the change before, if the service began it first", async () => {
    const bench = await openBench();
    const stopListening = restartAt(bench, (method) => method === "POST");
    const ended = await bench.verify().finally(stopListening);
    expect([ended.code, ended.change("name").result, ended.change("restart by trigger").result]).toEqual([
      3,
      "missed",
      "true",
    ]);
    expect(ended.told).toContain("name (primary): missed after all: suspend_compute, start_compute followed");
    expect(ended.printed).toMatch(/^name \(primary\) +nothing +restarted .* +MISSED$/m);
  });

  it("leaves the change before undecided, if the service began it last", async () => {
    const bench = await openBench({ isWatched: true });
    const stopListening = restartAt(bench, (_method, sinceRestart) => sinceRestart === 2);
    const ended = await bench.verify().finally(stopListening);
    expect([ended.code, ended.change("name").result, ended.change("restart by trigger").result]).toEqual([
      0,
      "cannot tell",
      "true",
    ]);
    expect(ended.told).toContain("name (primary): cannot tell after all");
  });
});
