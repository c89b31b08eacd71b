import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { exportStack } from "../../../../provider/host/exportStack";
import { describeUnlessWindows } from "../../../support/systems";

jest.mock("../../../../provider/pure/timing", () => ({
  ...jest.requireActual<object>("../../../../provider/pure/timing"),
  backendAnswersWithinMs: 1_000,
}));

let folder: string;
const before = process.env["PATH"] ?? "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "compute-export-"));
});
afterEach(() => {
  process.env["PATH"] = before;
  rmSync(folder, { recursive: true, force: true });
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
    await expect(exportStack("acme/app/dev")).resolves.toBe(
      "stack export --stack acme/app/dev --non-interactive true\n",
    );
  });

  it("is had whole where it is long", async () => {
    pulumiIs("head -c 20000000 /dev/zero");
    await expect(exportStack("dev")).resolves.toHaveLength(20_000_000);
  });

  it.each([
    { reason: "it fails", script: "echo postgres://me:secret@host >&2; exit 255", says: "ended with 255" },
    { reason: "it hangs", script: "exec sleep 60", says: "did not end within 1 s" },
  ])("fails without what was printed where $reason", async ({ script, says }) => {
    pulumiIs(script);
    await expect(exportStack("dev")).rejects.toThrow(new Error(`\`pulumi stack export\` ${says}`));
  });

  it("fails where PATH has no `pulumi`", async () => {
    process.env["PATH"] = folder;
    await expect(exportStack("dev")).rejects.toThrow("PATH has no `pulumi`");
  });
});
