import type { FaultRule } from "..";
import { closeBenches, newBench } from "./support";
import type { Bench } from "./support";

afterEach(closeBenches);

const whole = '200 {"endpoint":{"';

/** What a restart looks like to the client, and whether the service did it. */
async function restart(bench: Bench): Promise<{ seen: string; isDone: boolean }> {
  const path = `${bench.primary}/restart`;
  const seen = await bench.send("POST", path).then(
    ({ status, text }) => `${status} ${text.slice(0, 14)}`.trim(),
    () => "cut off",
  );
  return { seen, isDone: bench.emulator.counters(bench.id).restarts === 1 };
}

describe("a fault", () => {
  const rules: readonly (readonly [FaultRule, string, boolean, string])[] = [
    [{ kind: "status", status: 503 }, "503", false, "a refusal before anything was done"],
    [{ kind: "status", status: 500, when: "after" }, "500", true, "an error after it was done"],
    [{ kind: "status", status: 502, body: "<html>" }, "502 <html>", false, "a proxy's page"],
    [{ kind: "cut" }, "cut off", false, "a lost request"],
    [{ kind: "cut", when: "after" }, "cut off", true, "a lost answer"],
    [{ kind: "truncate" }, "cut off", true, "half an answer"],
    [{ kind: "garbled" }, "200 <!doctype html", true, "a page with 200"],
    [{ kind: "wrongShape", body: [] }, "200 []", true, "JSON of another shape"],
    [{ kind: "redirect", location: "http://127.0.0.1:1/" }, "307", false, "a way elsewhere"],
    [{ kind: "delay", delayMs: 1 }, whole, true, "a slow request"],
    [{ kind: "delay", delayMs: 1, when: "after" }, whole, true, "a slow answer"],
    [{ kind: "drip", everyMs: 0, bytes: 200 }, whole, true, "an answer in pieces"],
  ];

  it.each(rules)("%j is seen as %s, done: %s; %s", async (rule, seen, isDone) => {
    const bench = await newBench();
    bench.emulator.addFault(rule);
    const happened = await restart(bench);
    expect(happened.seen.slice(0, seen.length)).toBe(seen);
    expect(happened.isDone).toBe(isDone);
    expect(bench.emulator.requests().at(-1)).toMatchObject({ fault: rule.kind, isCommitted: isDone });
    expect((await bench.send("GET", `${bench.at}/endpoints`)).status).toBe(200);
  });
});

describe("a rule", () => {
  const matching: readonly (readonly [FaultRule, string, string])[] = [
    [{ kind: "cut", method: "post" }, "restart", "by its method"],
    [{ kind: "cut", route: "restartEndpoint" }, "restart", "by the name of its route"],
    [{ kind: "cut", path: "^/api/v2/projects/[^/]+/endpoints$" }, "list", "by its whole path"],
  ];

  it.each(matching)("%j meets the %s alone: %s", async (rule, met) => {
    const bench = await newBench();
    bench.emulator.addFault(rule);
    const cut: string[] = [];
    const list = bench.send("GET", `${bench.at}/endpoints`);
    await list.catch(() => cut.push("list"));
    const restarted = bench.send("POST", `${bench.primary}/restart`);
    await restarted.catch(() => cut.push("restart"));
    expect(cut).toEqual([met]);
  });

  it("meets as many requests as it says, after letting others pass", async () => {
    const bench = await newBench();
    bench.emulator.addFault({ kind: "status", status: 503, after: 1, times: 2 });
    const seen: number[] = [];
    for (let count = 0; count < 4; count += 1)
      seen.push((await bench.send("GET", `${bench.at}/endpoints`)).status);
    expect(seen).toEqual([200, 503, 503, 200]);
    expect(bench.emulator.faultsLeft()).toEqual([]);
  });

  it.each([
    { rule: { kind: "cutt" }, says: /no fault "cutt"/, reason: "a kind that is not there would do nothing" },
    { rule: { kind: "cut", path: "(" }, says: /regular expression/, reason: "a path that can't be read" },
    { rule: { kind: "status", status: 99 }, says: /status/, reason: "a status that can't be sent" },
  ])("is refused when it is added: $reason", async ({ rule, says }) => {
    const { emulator } = await newBench();
    expect(() => {
      emulator.addFault(rule as FaultRule);
    }).toThrow(says);
  });
});
