/** The Action's file, as a process of its own. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fixtureFile } from "../preview/previews";

const node = (...words: readonly string[]): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, words, { cwd: path.join(__dirname, "../../.."), encoding: "utf8" });

it("action/bundle.js is that of today's source (else: npm run action)", () => {
  const { status, stderr } = node("tools/action/bundle.js", "--check");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});

it("the Action's file is compute-preview as well, for workflows of programs without the package", () => {
  const words = ["preview", fixtureFile("changes.json"), "--marker", "drift", "--fail-on", "restart"];
  const { status, stdout, stderr } = node("-r", "ts-node/register", "action/main.ts", ...words);
  expect(status).toBe(24);
  expect(stdout).toMatch(/^<!-- compute-preview: drift -->\n/);
  expect(stderr).toContain(
    "compute-preview: Refused: 1 compute is deleted, 1 is replaced, 3 drop their open connections, 1 may\n--fail-on restart refuses 1 restart.",
  );
});
