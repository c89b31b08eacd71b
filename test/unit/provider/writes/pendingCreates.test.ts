import { trackPendingCreates } from "../../../../provider/writes/pendingCreates";

describe("the creates of a process", () => {
  it("are not clear before they are announced, nor while a POST is out", () => {
    const creates = trackPendingCreates();
    expect(creates.isClear("a")).toBe(false);
    creates.announce("a");
    expect(creates.isClear("a")).toBe(true);
    const ended = creates.begin("a");
    expect(creates.isClear("a")).toBe(false);
    ended("nothing");
    expect(creates.isClear("a")).toBe(true);
  });

  it("are clear after a POST that was answered, and their computes claimed", () => {
    const creates = trackPendingCreates();
    creates.begin("a")("unknown");
    creates.begin("a")({ endpointId: "ep-a" });
    expect(creates.isClear("a")).toBe(true);
    expect(creates.isClaimed("ep-a")).toBe(true);
    expect(creates.isClaimed("ep-b")).toBe(false);
  });

  it("claim a compute once", () => {
    const creates = trackPendingCreates();
    expect(creates.claim("ep-a")).toBe(true);
    expect(creates.claim("ep-a")).toBe(false);
  });

  it("know whom they took over", () => {
    const creates = trackPendingCreates();
    creates.takeOver("ep-a");
    expect([creates.wasTakenOver("ep-a"), creates.wasTakenOver("ep-b")]).toEqual([true, false]);
  });
});
