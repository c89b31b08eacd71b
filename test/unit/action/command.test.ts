import { spawnSync } from "node:child_process";
import path from "node:path";
import { fixtureFile } from "../preview/previews";

const root = path.join(__dirname, "..", "..", "..");

it("the Action's file is compute-preview as well, for workflows of programs without the package", () => {
  const words = ["preview", fixtureFile("changes.json"), "--marker", "drift", "--fail-on", "restart"];
  const ran = spawnSync(process.execPath, ["-r", "ts-node/register", "action/main.ts", ...words], {
    cwd: root,
    encoding: "utf8",
  });
  expect(ran.status).toBe(24);
  expect(ran.stdout).toMatch(/^<!-- compute-preview: drift -->\n/);
  expect(ran.stderr).toContain("compute-preview: 1 compute is what --fail-on restart refuses");
});
