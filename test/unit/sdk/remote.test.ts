import { createHash } from "node:crypto";
import { remoteProvider } from "../../../sdk/remote";

describe("remoteProvider", () => {
  it("never changes: every stored state carries it, and another text would be a diff everywhere", () => {
    expect(createHash("sha256").update(remoteProvider).digest("hex")).toBe(
      "145eb3fe3c1a910f7113dfcd92334e6c55410634e677bb81dfb219f5607c3701",
    );
  });

  it("is short: the state is written at each step", () => {
    expect(remoteProvider.length).toBeLessThan(290);
  });

  it("holds no closure, no secret and no path of this machine", () => {
    expect(remoteProvider).not.toContain(process.cwd());
    expect(remoteProvider).toMatch(/^exports\.handler=\(\)=>\{/);
  });
});
