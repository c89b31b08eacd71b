import { createCondition } from "../../../provider/condition";
import { createFakeClock } from "../../support/fakeClock";

it("ends a wait with a limit when the time is over, and wakes nobody in its place later", async () => {
  const clock = createFakeClock();
  const condition = createCondition();
  await condition.wait({ clock, ms: 700 });
  expect(clock.sleeps).toEqual([700]);
  expect(condition.notify()).toBe(false);
});
