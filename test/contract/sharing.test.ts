import { shareLimit } from "../../bench/sharing";

describe("npm run bench -- --sharing", () => {
  it("has processes of the built package share a limit, and all end well", async () => {
    const told = await shareLimit({ processes: 2, each: 3, perMinute: 700 });
    expect(told).toContain("ended well: 2 of 2");
    expect(told).toContain('"createEndpoint":6');
  });
});
