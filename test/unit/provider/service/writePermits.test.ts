import { deadlineIn } from "../../../../provider/clock";
import type { RequestError } from "../../../../provider/model/errors";
import type { ApiOperation } from "../../../../provider/service/schemas";
import { createWritePermits, type WritePermit } from "../../../../provider/service/writePermits";
import { createFakeClock } from "../../../support/fakeClock";
import { failureAs } from "./scripted";

const running: ApiOperation = { id: "op-1", action: "start_compute", status: "running" };
type Look = readonly ApiOperation[];

/** @param looks - the operations that each list shows; the last one repeats. */
function openProject(looks: readonly Look[] = [[]]) {
  const clock = createFakeClock();
  const deadline = deadlineIn(60_000, clock);
  let asked = 0;
  const permits = createWritePermits(
    () => Promise.resolve(looks[Math.min(asked++, looks.length - 1)] ?? []),
    () => Date.parse("2026-01-05T08:10:00Z"),
  );
  /** The names of writes that have their permit, and of writes that were told to wait. */
  const [inside, queued]: string[][] = [[], []];
  const take = async (name: string) => {
    const permit = await permits.take("p", () => queued!.push(name));
    inside!.push(name);
    return {
      end: () => {
        permit.end();
      },
      send: sendWith(permit),
    };
  };
  return { clock, deadline, take, inside: inside!, queued: queued! };
}

/** Sends as `service/request.ts` does. */
const sendWith =
  (permit: WritePermit) =>
  async <T>(request: () => Promise<T>, limits: Parameters<WritePermit["begin"]>[0]): Promise<T> => {
    const write = permit.begin(limits);
    for (;;) {
      try {
        const answer = await request();
        write.accepted();
        return answer;
      } catch (error) {
        if (!(await write.outlastsLock(error))) throw error;
      }
    }
  };

/** Lets everything run that needs no sleep. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const accepted = (): Promise<string> => Promise.resolve("ok");

describe("a project about which nothing is known yet", () => {
  it("lets all other writes go if the first gets no answer, since nothing shows a lock", async () => {
    const { take, inside, deadline } = openProject();
    const [first] = ["1", "2", "3"].map(take);
    const cut = failureAs("connection", { outcome: "unknown" });
    await expect((await first!).send(() => Promise.reject(cut), { deadline })).rejects.toBe(cut);
    await settle();
    expect(inside).toEqual(["1", "2", "3"]);
  });

  it("lets all other writes go after five seconds if the first still hangs, so that N writes take as long as one", async () => {
    const { take, inside, deadline } = openProject();
    const timers = jest.spyOn(globalThis, "setTimeout");
    const [first] = ["1", "2", "3"].map(take);
    const permit = await first!;
    // The first write may hang before it sends anything, while it waits for operations that an earlier run began.
    const [[late, afterMs] = []] = timers.mock.calls;
    timers.mockRestore();
    let answer: (text: string) => void = () => undefined;
    const sent = permit.send(() => new Promise<string>((resolve) => (answer = resolve)), { deadline });
    await settle();
    expect([inside, afterMs]).toEqual([["1"], 5_000]);
    late?.();
    await settle();
    expect(inside).toEqual(["1", "2", "3"]);
    // The first's own answer still counts, and releases no other write twice.
    answer("ok");
    await expect(sent).resolves.toBe("ok");
  });
});

describe("a project that is locked", () => {
  it("takes one write at a time, each once the operations of the previous one have ended", async () => {
    const { take, inside, queued, deadline } = openProject();
    const first = await take("1");
    let sends = 0;
    const refusedOnce = (): Promise<string> =>
      ++sends === 1 ? Promise.reject(failureAs("locked")) : accepted();
    await first.send(refusedOnce, { deadline });
    const [second] = ["2", "3"].map(take);
    await settle();
    expect([inside, queued]).toEqual([["1"], ["2", "3"]]);
    first.end();
    first.end();
    void take("4");
    await (await second!).send(accepted, { deadline });
    expect(inside).toEqual(["1", "2"]);
  });

  it("takes one write at a time again, once all writes that were sent while it counted as free have ended", async () => {
    const { take, inside, deadline } = openProject();
    for (const name of ["1", "2"]) await (await take(name)).send(accepted, { deadline });
    const [third, fourth] = [await take("3"), await take("4")];
    let sends = 0;
    await third.send(() => (++sends === 1 ? Promise.reject(failureAs("locked")) : accepted()), { deadline });
    await fourth.send(accepted, { deadline });
    const [fifth] = ["5", "6"].map(take);
    third.end();
    await settle();
    expect(inside).toEqual(["1", "2", "3", "4"]);
    fourth.end();
    await fifth!;
    await settle();
    expect(inside).toEqual(["1", "2", "3", "4", "5"]);
  });
});

interface Refused {
  readonly reason: string;
  readonly by: RequestError;
  /** How often the write is refused. Default: each time. */
  readonly times?: number;
  readonly looks: readonly Look[];
  readonly sends: number;
  readonly sleeps: readonly number[];
}

/** test/scenarios/many, limits and update test other refusals, and locks that end. */
it.each<Refused>([
  {
    reason: "no operation runs, and the refusal counts after five more attempts at growing intervals",
    ...{ by: failureAs("locked"), looks: [[]], sends: 6, sleeps: [300, 300, 500, 1_000, 2_000] },
  },
  {
    reason: "a conflict counts as a lock while operations run",
    ...{ by: failureAs("conflict"), times: 1, looks: [[running], []], sends: 2, sleeps: [300] },
  },
  {
    reason: "the write may have been carried out",
    ...{ by: failureAs("locked", { outcome: "unknown" }), looks: [[running]], sends: 1, sleeps: [] },
  },
])(
  "a refused write is sent again only because of a lock: $reason",
  async ({ by, times = Infinity, ...row }) => {
    const { take, clock } = openProject(row.looks);
    const permit = await take("1");
    let sends = 0;
    const send = (): Promise<string> => (++sends <= times ? Promise.reject(by) : accepted());
    const sent = permit.send(send, { deadline: deadlineIn(600_000, clock) });
    if (times === Infinity) await expect(sent).rejects.toBe(by);
    else await expect(sent).resolves.toBe("ok");
    expect([sends, clock.sleeps]).toEqual([row.sends, row.sleeps]);
  },
);
