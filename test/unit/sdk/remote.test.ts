import { createHash } from "node:crypto";
import { remoteProvider } from "../../../sdk/remote";

describe("remoteProvider", () => {
  it("never changes: every stored state carries it, and another text would be a diff everywhere", () => {
    expect(createHash("sha256").update(remoteProvider).digest("hex")).toBe(
      "3dc8870adb8375e19e55bba2a3f271056532bf8f2825699c778f2e5ceb5e9fef",
    );
  });

  it("is short: the state is written at each step", () => {
    expect(remoteProvider.length).toBeLessThan(300);
  });

  it("holds no closure, no secret and no path of this machine", () => {
    expect(remoteProvider).not.toContain(process.cwd());
    expect(remoteProvider).toMatch(/^exports\.handler=\(\)=>\{/);
  });
});
