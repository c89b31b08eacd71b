/** The export of a stack, by the first `pulumi` on PATH. */
import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportStack } from "../../../../provider/run/exportStack";
import { describeUnlessWindows } from "../../../support/systems";
import { temporaryFolder } from "../../../support/temporaryFolder";

/** The limit is long, so that only a script that hangs reaches it, even on a busy machine. */
const exported = (names: readonly string[], limitMs = 100_000) => exportStack(names, limitMs);

let folder: string;
const before = process.env["PATH"] ?? "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  process.env["PATH"] = before;
});

function pulumiIs(script: string): void {
  const file = path.join(folder, "pulumi");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  process.env["PATH"] = `${folder}:${before}`;
}

describeUnlessWindows("a shell script is not a program there", "the export of a stack", () => {
  it.each<[reason: string, script: string, names: readonly string[], printed: string]>([
    [
      "it is asked for this stack only",
      'echo "$@" $PULUMI_SKIP_UPDATE_CHECK',
      ["acme/app/dev"],
      "stack export --stack acme/app/dev --non-interactive true\n",
    ],
    [
      "it is asked for the next name if the backend does not know the first",
      '[ "$4" = dev ] && echo known || exit 255',
      ["organization/app/dev", "dev"],
      "known\n",
    ],
    ["all of it, even if it is long", "head -c 20000000 /dev/zero", ["dev"], "\0".repeat(20_000_000)],
  ])("is what `pulumi` prints: %s", async (...[, script, names, printed]) => {
    pulumiIs(script);
    expect((await exported(names)) === printed).toBe(true);
  });

  it.each<[reason: string, script: string, message: string]>([
    ["without showing what was printed", "echo postgres://me:secret@host >&2; exit 255", "exited with 255"],
    ["if the program hangs", "exec sleep 60", "did not end within 1 s"],
  ])("fails %s", async (_reason, script, message) => {
    pulumiIs(script);
    await expect(exported(["dev"], script.includes("sleep") ? 1_000 : undefined)).rejects.toThrow(
      new Error(`\`pulumi stack export\` ${message}`),
    );
  });

  it("fails if PATH has no `pulumi`", async () => {
    process.env["PATH"] = folder;
    await expect(exported(["dev"])).rejects.toThrow("`pulumi` is not on PATH");
  });

  it.each(["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"])(
    "runs in the folder of %s, where a backend's relative path starts, even if `main` names another folder",
    async (file) => {
      const program = path.join(folder, "sub", "program");
      mkdirSync(program, { recursive: true });
      writeFileSync(path.join(folder, file), "");
      pulumiIs("pwd");
      const cwd = jest.spyOn(process, "cwd").mockReturnValue(program);
      await expect(exported(["dev"])).resolves.toBe(`${realpathSync(folder)}\n`);
      cwd.mockReturnValue("/");
      await expect(exported(["dev"])).resolves.toBe("/\n");
      cwd.mockRestore();
    },
  );
});
