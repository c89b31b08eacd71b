import { createHash } from "node:crypto";
import { remoteProvider } from "../../../sdk/remote";

it("never changes: every stored state carries it, and another text would be a diff everywhere", () => {
  expect(createHash("sha256").update(remoteProvider).digest("hex")).toBe(
    "145eb3fe3c1a910f7113dfcd92334e6c55410634e677bb81dfb219f5607c3701",
  );
});
