import type { ApiOperation } from "../../../../provider/service/schemas";
import { deadlineIn } from "../../../../provider/clock";
import { RequestError, type RequestErrorKind } from "../../../../provider/model/errors";
import type { OperationBatches } from "../../../../provider/service/operations";
import { createWritePermits, type WritePermits } from "../../../../provider/service/writePermits";
import { createFakeClock, type FakeClock } from "../../../support/fakeClock";

const running: ApiOperation = { id: "op-1", action: "start_compute", status: "running" };

/** As the service's answers are told apart: by what they mean, whatever their number was. */
function refusal(kind: RequestErrorKind): RequestError {
  const problem = { doing: "creating", what: `the service answered ${kind}`, fix: "Wait" };
  return new RequestError(problem, { kind, outcome: "refused" });
}

interface Fake {
  readonly lock: WritePermits;
  readonly clock: FakeClock;
}

/** @param unended - operations that each look shows to be under way; the last answer repeats. */
function createLock(unended: readonly (readonly ApiOperation[] | Error)[] = [[]]): Fake {
  const clock = createFakeClock();
  let looks = 0;
  const listNewest = (): Promise<readonly ApiOperation[]> => {
    const answer = unended[Math.min(looks++, unended.length - 1)] ?? [];
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { lock: createWritePermits(listNewest), clock };
}

/** Lets everything that can run without a sleep do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const accepted = (): Promise<string> => Promise.resolve("ok");

describe("a project of which nothing is known yet", () => {
  it("lets the second write in once the first is answered, and all others once the second is", async () => {
    const { lock, clock } = createLock();
    const deadline = deadlineIn(60_000, clock);
    const queued: number[] = [];
    const turns = [0, 1, 2, 3].map((index) => lock.take("p", () => queued.push(index)));
    const inside: number[] = [];
    turns.forEach((turn, index) => void turn.then(() => inside.push(index)));
    await settle();
    expect(inside).toEqual([0]);
    // Finding out takes a moment: nothing worth telling.
    expect(queued).toEqual([]);
    await (await turns[0]!).send(accepted, { deadline });
    await settle();
    expect(inside).toEqual([0, 1]);
    await (await turns[1]!).send(accepted, { deadline });
    await settle();
    expect(inside).toEqual([0, 1, 2, 3]);
    await expect(lock.take("p").then(() => "in")).resolves.toBe("in");
  });

  it("goes on with the next where one sends nothing, or fails", async () => {
    const { lock, clock } = createLock();
    const first = await lock.take("p");
    const second = lock.take("p");
    first.end();
    const failing = (await second).send(() => Promise.reject(refusal("badInput")), {
      deadline: deadlineIn(1_000, clock),
    });
    await expect(failing).rejects.toMatchObject({ kind: "badInput" });
    await expect(lock.take("p").then(() => "in")).resolves.toBe("in");
  });

  it("sends all others where the first gets no answer: nothing shows a lock", async () => {
    const { lock, clock } = createLock();
    const deadline = deadlineIn(60_000, clock);
    const turns = [0, 1, 2].map(() => lock.take("p"));
    const problem = { doing: "creating", what: "the connection was cut", fix: "Wait" };
    const cut = new RequestError(problem, { kind: "connection", outcome: "unknown" });
    const first = (await turns[0]!).send(() => Promise.reject(cut), { deadline });
    await expect(first).rejects.toBe(cut);
    await expect(Promise.all(turns)).resolves.toHaveLength(3);
  });

  it("sends all others after five seconds where the first still hangs: N take as long as one", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick"] });
    try {
      const { lock, clock } = createLock();
      const deadline = deadlineIn(60_000, clock);
      const turns = [0, 1, 2].map(() => lock.take("p"));
      const inside: number[] = [];
      turns.forEach((turn, index) => void turn.then(() => inside.push(index)));
      let answer: (text: string) => void = () => undefined;
      const first = (await turns[0]!).send(() => new Promise<string>((resolve) => (answer = resolve)), {
        deadline,
      });
      jest.advanceTimersByTime(4_900);
      await settle();
      expect(inside).toEqual([0]);
      jest.advanceTimersByTime(200);
      await settle();
      expect(inside).toEqual([0, 1, 2]);
      // Its own answer still counts, and releases nothing twice.
      answer("ok");
      await expect(first).resolves.toBe("ok");
    } finally {
      jest.useRealTimers();
    }
  });

  it("holds up no other project", async () => {
    const { lock } = createLock();
    await lock.take("p");
    await expect(lock.take("q").then(() => "in")).resolves.toBe("in");
  });
});

describe("a project that is locked", () => {
  it("takes one write at a time from then on, until its operations have ended", async () => {
    const { lock, clock } = createLock();
    const deadline = deadlineIn(60_000, clock);
    const first = await lock.take("p");
    let sends = 0;
    await first.send(() => (++sends === 1 ? Promise.reject(refusal("locked")) : accepted()), { deadline });
    let inside = false;
    let isTold = false;
    const second = lock
      .take("p", () => (isTold = true))
      .then((turn) => {
        inside = true;
        return turn;
      });
    await settle();
    expect({ inside, isTold }).toEqual({ inside: false, isTold: true });
    first.end();
    first.end();
    await (await second).send(accepted, { deadline });
  });
});

const locked = refusal("locked");
const conflict = refusal("conflict");
const uncertain = new RequestError(
  { doing: "creating", what: "the project is locked", fix: "Wait" },
  { kind: "locked", outcome: "unknown" },
);
const noAnswer = Object.assign(new Error("a bug of ours"), { kind: "locked", outcome: "refused" });

interface Refused {
  readonly reason: string;
  readonly refused: Error;
  /** How often. */
  readonly times?: number;
  readonly looks: Parameters<typeof createLock>[0];
  readonly limitMs?: number;
  readonly ends: "ok" | "refused";
  readonly sends?: number;
  readonly sleeps?: readonly number[];
}

const passedOn = [
  "connection",
  "unreadable",
  "badInput",
  "notFound",
  "notFoundBetween",
  "throttled",
  "busy",
  "broken",
  "refused",
] as const satisfies readonly RequestErrorKind[];
const atOnce = { looks: [[running]], ends: "refused", sends: 1, sleeps: [] } as const;

describe("a write that is refused", () => {
  it.each<Refused>([
    {
      reason: "a lock is waited for until its operations have ended",
      ...{ refused: locked, times: 1, looks: [[running], [running], []] },
      ...{ ends: "ok", sends: 2, sleeps: [300, 300, 500] },
    },
    {
      reason: "a lock is waited for through looks that fail",
      ...{ refused: locked, times: 1, looks: [refusal("broken"), [running], []] },
      ...{ ends: "ok", sends: 2, sleeps: [300, 300, 500] },
    },
    {
      reason: "a lock is given up at the deadline, to the millisecond",
      ...{ refused: locked, looks: [[running]], limitMs: 10_000 },
      ...{ ends: "refused", sleeps: [300, 300, 500, 1_000, 2_000, 5_000, 900] },
    },
    {
      reason: "no operation runs: five refusals more, ever later, and the refusal stands",
      ...{ refused: locked, looks: [[]], limitMs: 600_000 },
      ...{ ends: "refused", sends: 6, sleeps: [300, 300, 500, 1_000, 2_000] },
    },
    {
      reason: "a lock that is taken again and again: refusals count while nothing runs alone",
      ...{ refused: locked, times: 10, looks: Array.from({ length: 10 }, () => [[running], []]).flat() },
      ...{ limitMs: 600_000, ends: "ok", sends: 11 },
    },
    {
      reason: "a conflict is taken for a lock while operations run",
      ...{ refused: conflict, times: 1, looks: [[running], []], ends: "ok", sends: 2 },
    },
    { reason: "a conflict stands where none runs", refused: conflict, ...atOnce, looks: [[]] },
    { reason: "and where the look fails", refused: conflict, ...atOnce, looks: [refusal("broken")] },
    { reason: "it may have been carried out", refused: uncertain, ...atOnce },
    { reason: "it is no answer of the service", refused: noAnswer, ...atOnce },
    ...passedOn.map((kind) => ({ reason: `${kind} is no lock`, refused: refusal(kind), ...atOnce })),
  ])("is sent again for a lock alone: $reason", async ({ refused, times = Infinity, ...row }) => {
    const { lock, clock } = createLock(row.looks);
    const turn = await lock.take("p");
    let sends = 0;
    const sent = turn.send(() => (++sends <= times ? Promise.reject(refused) : accepted()), {
      deadline: deadlineIn(row.limitMs ?? 60_000, clock),
    });
    if (row.ends === "ok") await expect(sent).resolves.toBe("ok");
    else await expect(sent).rejects.toBe(refused);
    expect({ sends, sleeps: clock.sleeps }).toMatchObject({
      ...(row.sends !== undefined && { sends: row.sends }),
      ...(row.sleeps && { sleeps: row.sleeps }),
    });
  });
});

it("hands the write's time on to its looks", async () => {
  const clock = createFakeClock();
  const calls: unknown[] = [];
  const listNewest: OperationBatches["listNewest"] = (projectId, call) => {
    calls.push([projectId, call]);
    return Promise.resolve(calls.length === 1 ? [running] : []);
  };
  const turn = await createWritePermits(listNewest).take("p");
  const deadline = deadlineIn(60_000, clock);
  let sends = 0;
  await turn.send(() => (++sends === 1 ? Promise.reject(refusal("conflict")) : accepted()), { deadline });
  expect(calls).toEqual([
    ["p", { deadline }],
    ["p", { deadline }],
  ]);
});
