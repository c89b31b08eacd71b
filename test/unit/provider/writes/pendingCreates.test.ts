import { deadlineIn } from "../../../../provider/clock";
import { trackPendingCreates } from "../../../../provider/writes/pendingCreates";
import { createFakeClock } from "../../../support/fakeClock";

describe("the creates of a process", () => {
  it("are not clear before they are announced, nor while a POST is out", () => {
    const creates = trackPendingCreates();
    expect(creates.isClear("a")).toBe(false);
    const create = creates.announce("a");
    expect(creates.isClear("a")).toBe(true);
    const ended = create.begin();
    expect(creates.isClear("a")).toBe(false);
    ended("nothing");
    expect(creates.isClear("a")).toBe(true);
  });

  it("are clear after a POST that was answered", () => {
    const creates = trackPendingCreates();
    const create = creates.announce("a");
    create.begin()("unknown");
    create.begin()("made");
    expect(creates.isClear("a")).toBe(true);
  });

  it("hold up nobody whose time is over", async () => {
    const creates = trackPendingCreates();
    creates.announce("a").begin();
    await creates.answered(deadlineIn(0, createFakeClock()));
    expect(creates.isClear("a")).toBe(false);
  });
});
