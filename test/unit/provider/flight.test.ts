import { launchIn } from "../../../provider/flight";
import { createFakeClock } from "../../support/fakeClock";

describe("a shared request", () => {
  it("is sent once, after the time in which others may join", async () => {
    const clock = createFakeClock();
    const startMs = clock.monotonicMs();
    const sent: number[] = [];
    const flight = launchIn(40, clock, () => {
      sent.push(clock.monotonicMs() - startMs);
      return Promise.resolve("answer");
    });
    expect(flight.sentAtMs).toBeUndefined();
    expect(await Promise.all([flight.answer, flight.answer])).toEqual(["answer", "answer"]);
    expect(sent).toEqual([40]);
  });

  it("says when it was sent as soon as it is, before its answer", async () => {
    const clock = createFakeClock();
    const startMs = clock.monotonicMs();
    const flight = launchIn(40, clock, () => clock.sleep(1_000));
    await clock.sleep(41);
    expect(flight.sentAtMs).toBe(startMs + 40);
    await flight.answer;
  });

  it("fails for everybody who joined", async () => {
    const flight = launchIn(5, createFakeClock(), () => Promise.reject(new Error("no answer")));
    const answers = await Promise.allSettled([flight.answer, flight.answer]);
    expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
