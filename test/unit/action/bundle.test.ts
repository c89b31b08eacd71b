import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.join(__dirname, "../../..");

it("action/bundle.js is that of today's source (else: npm run action)", () => {
  const ran = spawnSync(process.execPath, ["tools/action/bundle.js", "--check"], {
    cwd: root,
    encoding: "utf8",
  });
  expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 0, stderr: "" });
});
