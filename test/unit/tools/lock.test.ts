import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import path from "node:path";

import { withLock } from "../../../tools/lock";
import { removeTemporaryFolders, temporaryFolder } from "./temporaryFolder";

afterEach(removeTemporaryFolders);

describe("withLock", () => {
  it("lets one task run at a time", async () => {
    const folder = temporaryFolder();
    const events: string[] = [];
    const task = (name: string) => async (): Promise<void> => {
      events.push(`${name} in`);
      await new Promise(setImmediate);
      events.push(`${name} out`);
    };
    await Promise.all(
      ["a", "b"].map((name) => withLock(folder, { purpose: "a test", pollMs: 1 }, task(name))),
    );
    expect([...events].sort()).toEqual(["a in", "a out", "b in", "b out"]);
    expect(events[1]).toBe(events[0]?.replace("in", "out"));
  });

  it("takes over from a holder that was killed", async () => {
    const folder = temporaryFolder();
    const left = path.join(folder, ".lock");
    mkdirSync(left);
    utimesSync(left, new Date(0), new Date(0));
    await expect(withLock(folder, { purpose: "a test" }, () => Promise.resolve("done"))).resolves.toBe(
      "done",
    );
  });

  it("is given back by a task that fails", async () => {
    const folder = temporaryFolder();
    const failing = withLock(folder, { purpose: "a test" }, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(readdirSync(folder)).toEqual([]);
  });
});
