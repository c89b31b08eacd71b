import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exportStack } from "../../../../provider/host/backend";
import { describeUnlessWindows } from "../../../support/systems";
import { temporaryFolder } from "../../../support/temporaryFolder";

/** Only what hangs is to meet the limit, however busy the machine is. */
let mockWithinMs: number;
jest.mock("../../../../provider/model/timing", () => ({
  ...jest.requireActual<object>("../../../../provider/model/timing"),
  get backendAnswersWithinMs() {
    return mockWithinMs;
  },
}));

let folder: string;
const before = process.env["PATH"] ?? "";

beforeEach(() => {
  mockWithinMs = 100_000;
  folder = temporaryFolder();
});
afterEach(() => {
  process.env["PATH"] = before;
});

/** The first `pulumi` on PATH. */
function pulumiIs(script: string): void {
  const file = path.join(folder, "pulumi");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  process.env["PATH"] = `${folder}:${before}`;
}

describeUnlessWindows("a script is no program there", "the export of a stack", () => {
  it("is what the first `pulumi` on PATH prints, asked for this stack alone", async () => {
    pulumiIs('echo "$@" $PULUMI_SKIP_UPDATE_CHECK');
    await expect(exportStack(["acme/app/dev"])).resolves.toBe(
      "stack export --stack acme/app/dev --non-interactive true\n",
    );
  });

  it("is asked for by the next name where the backend does not know one", async () => {
    pulumiIs('[ "$4" = dev ] && echo known || exit 255');
    await expect(exportStack(["organization/app/dev", "dev"])).resolves.toBe("known\n");
  });

  it.each(["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"])(
    "is asked for where %s is: a relative backend counts from there, and `main` may name another folder",
    async (file) => {
      const program = path.join(folder, "sub", "program");
      mkdirSync(program, { recursive: true });
      writeFileSync(path.join(folder, file), "");
      pulumiIs("pwd");
      const cwd = jest.spyOn(process, "cwd").mockReturnValue(program);
      await expect(exportStack(["dev"])).resolves.toBe(`${realpathSync(folder)}\n`);
      cwd.mockReturnValue("/");
      await expect(exportStack(["dev"])).resolves.toBe("/\n");
      cwd.mockRestore();
    },
  );

  it("is had whole where it is long", async () => {
    pulumiIs("head -c 20000000 /dev/zero");
    await expect(exportStack(["dev"])).resolves.toHaveLength(20_000_000);
  });

  it("fails without what was printed", async () => {
    pulumiIs("echo postgres://me:secret@host >&2; exit 255");
    await expect(exportStack(["dev"])).rejects.toThrow(new Error("`pulumi stack export` ended with 255"));
  });

  it("fails where it hangs", async () => {
    mockWithinMs = 1_000;
    pulumiIs("exec sleep 60");
    const hangs = new Error("`pulumi stack export` did not end within 1 s");
    await expect(exportStack(["dev"])).rejects.toThrow(hangs);
  });

  it("fails where PATH has no `pulumi`", async () => {
    process.env["PATH"] = folder;
    await expect(exportStack(["dev"])).rejects.toThrow("PATH has no `pulumi`");
  });
});
