import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../../support/temporaryFolder";
import { textOf } from "./checkout";

/** That the engine takes the path, whatever it is, test/engine/plugin has. */
it.each([
  { reason: "installed beside the program", installed: "apps/infra", prints: "node_modules" },
  { reason: "hoisted to the root of the workspaces", installed: ".", prints: "../../node_modules" },
])("the command of the plugin's page prints its path: $reason", ({ installed, prints }) => {
  const root = temporaryFolder();
  const [program, own] = [
    path.join(root, "apps", "infra"),
    path.join(root, installed, "node_modules", "pulumi-compute-endpoint"),
  ];
  for (const folder of [program, own]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(own, "package.json"), textOf("package.json"));
  const [, script = ""] = /^node -p '(.*)'$/m.exec(textOf("docs/plugin.md"))!;
  const printed = execFileSync(process.execPath, ["-p", script], { cwd: program, encoding: "utf8" });
  expect(printed.trim().replaceAll("\\", "/")).toBe(`${prints}/pulumi-compute-endpoint/dist/plugin`);
});
