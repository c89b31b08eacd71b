import { createHash } from "node:crypto";
import { remoteProvider } from "../../../sdk/remote";

describe("remoteProvider", () => {
  it("never changes: every stored state carries it, and another text would be a diff everywhere", () => {
    expect(createHash("sha256").update(remoteProvider).digest("hex")).toBe(
      "66de4148692c67ec9e6285be48bbb383cb50428c18fdb3c0b99677a2a1459e5b",
    );
  });

  it("is short: the state is written at each step", () => {
    expect(remoteProvider.length).toBeLessThan(340);
  });

  it("holds no closure, no secret and no path of this machine", () => {
    expect(remoteProvider).not.toContain(process.cwd());
    expect(remoteProvider).toMatch(/^exports\.handler=\(\)=>\{/);
  });
});
