import { deadlineIn, type Deadline } from "../../../../provider/clock";
import { RequestError, type RequestErrorKind, type RequestOutcome } from "../../../../provider/errors";
import { sendOnce, type WriteResult, type CheckedWrite } from "../../../../provider/writes/sendOnce";
import { createFakeClock } from "../../../support/fakeClock";

function failed(outcome: RequestOutcome, kind: RequestErrorKind = "broken"): RequestError {
  return new RequestError({ doing: "writing", what: kind, fix: "Look" }, { kind, outcome });
}

const bug = new TypeError("a bug of ours");
const lost = failed("unknown", "connection");

interface Script extends Partial<CheckedWrite<string>> {
  /** What each send answers, or fails with; the last one repeats. */
  readonly sends: readonly (string | Error)[];
  /** What each look shows, or fails with; the last one repeats. */
  readonly looks?: readonly (WriteResult<string> | Error)[];
}

interface Ran {
  /** `answered x`, or the word for how it ended. */
  readonly end: string;
  /** Sends and looks, in order, the latter with what they were about. */
  readonly did: readonly string[];
}

const next = <T>(script: readonly T[], turn: number): T => script[Math.min(turn, script.length - 1)]!;

async function run({ sends, looks = ["not done"], ...more }: Script): Promise<Ran> {
  const did: string[] = [];
  let sent = 0;
  let looked = 0;
  const play = <T>(value: T | Error): Promise<T> =>
    value instanceof Error ? Promise.reject(value) : Promise.resolve(value);
  const write: CheckedWrite<string> = {
    deadline: deadlineIn(60_000, createFakeClock()),
    send: () => {
      did.push("send");
      return play(next(sends, sent++));
    },
    checkResult: (error) => {
      did.push(`look ${error.kind}`);
      return play(next(looks, looked++));
    },
    unknownOutcome: (error) => new Error(`unknown ${error.kind}`),
    refusal: (error) => Promise.resolve(new Error(`refused: ${(error as Error).message}`)),
    ...more,
  };
  const end = await sendOnce(write).then(
    (answer) => `answered ${answer}`,
    (error: unknown) => (error as Error).message,
  );
  return { end, did };
}

const over: Deadline = {
  limitMs: 1,
  leftMs: () => 0,
  elapsedMs: () => 1,
  wait: () => Promise.resolve(),
  isInterrupted: () => false,
};

describe("sendOnce", () => {
  it.each<Script & Ran & { reason: string }>([
    { sends: ["x"], end: "answered x", did: ["send"], reason: "an answer ends it" },
    {
      sends: [failed("refused", "badInput")],
      end: "refused: writing: badInput. Look.",
      did: ["send"],
      reason: "nothing was done for sure",
    },
    {
      sends: [failed("unsent", "connection")],
      end: "refused: writing: connection. Look.",
      did: ["send"],
      reason: "it never left",
    },
    { sends: [bug], end: "refused: a bug of ours", did: ["send"], reason: "it is no answer" },
    {
      sends: [lost],
      looks: [{ done: "seen" }],
      end: "answered seen",
      did: ["send", "look connection"],
      reason: "it was done, and is not done twice",
    },
    {
      sends: [lost, "x"],
      end: "answered x",
      did: ["send", "look connection", "send"],
      reason: "it was not done",
    },
    {
      sends: [lost],
      end: "unknown connection",
      did: ["send", "look connection", "send", "look connection", "send", "look connection"],
      reason: "three times, with a look after the last one too",
    },
    {
      sends: [lost],
      looks: ["not done", "not done", { done: "late" }],
      end: "answered late",
      did: ["send", "look connection", "send", "look connection", "send", "look connection"],
      reason: "the last look shows it",
    },
    {
      sends: [lost, "x"],
      looks: ["cannot tell"],
      end: "unknown connection",
      did: ["send", "look connection"],
      reason: "nobody can tell, so that it is never sent again",
    },
    {
      sends: [lost, "x"],
      deadline: over,
      end: "unknown connection",
      did: ["send", "look connection"],
      reason: "its time is over",
    },
    {
      sends: [lost],
      deadline: over,
      looks: [{ done: "seen" }],
      end: "answered seen",
      did: ["send", "look connection"],
      reason: "its time is over, and it was done",
    },
    {
      sends: [lost, "x"],
      mayRepeat: () => false,
      end: "unknown connection",
      did: ["send", "look connection"],
      reason: "it may not be sent twice, even where it was not done",
    },
    {
      sends: [failed("unknown", "busy"), lost, "x"],
      mayRepeat: (error) => error.kind === "busy",
      end: "unknown connection",
      did: ["send", "look busy", "send", "look connection"],
      reason: "the last failure says whether it may",
    },
    {
      sends: [failed("refused", "notFound"), "x"],
      isUncertain: () => true,
      end: "answered x",
      did: ["send", "look notFound", "send"],
      reason: "the write knows better which failure is uncertain",
    },
    {
      sends: [lost, failed("refused", "conflict")],
      looks: ["not done", { done: "first" }],
      isUncertain: ({ outcome }, sends) => outcome === "unknown" || sends > 1,
      end: "answered first",
      did: ["send", "look connection", "send", "look conflict"],
      reason: "a refusal of the second may be the work of the first",
    },
    {
      sends: [bug],
      isUncertain: () => true,
      end: "refused: a bug of ours",
      did: ["send"],
      reason: "what is no answer is never uncertain",
    },
    {
      sends: [lost, "x"],
      looks: [new Error("the look failed")],
      end: "the look failed",
      did: ["send", "look connection"],
      reason: "a look that throws ends it, and nothing is sent again",
    },
  ])("ends in '$end': $reason", async ({ end, did, reason: _, ...script }) => {
    await expect(run(script)).resolves.toEqual({ end, did });
  });
});
