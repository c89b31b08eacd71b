import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../tools/checkout";
import { run, useStack } from "../support/stack";

describe("an Automation API program with its resources inline", () => {
  const stack = useStack({});

  it("creates a compute, looks it up, warns of a restart and destroys the compute, as a project on disk does", async () => {
    const script = path.join(stack.folder, "inline.js");
    copyFileSync(path.join(__dirname, "..", "support", "inline.js"), script);
    const words = [script, stack.projectId, stack.defaultBranchId];
    const { code, output, stdout } = await run(process.execPath, words, {
      cwd: stack.folder,
      env: stack.environment,
    });
    expect(`${String(code)} ${output}`).toMatch(/^0 /);
    const seen = JSON.parse(stdout) as Record<"id" | "currentState" | "preview", string>;
    expect(seen.id).toMatch(/^ep-/);
    expect(seen.currentState).toBe("active");
    expect(seen.preview).toMatch(/Endpoint app update .*warning: restart: size 0.25 → 2 CU/);
    expect(stack.computes()).toHaveLength(1);
  });

  it("uses the code from docs/pull-requests.md to write a preview that compute-preview can read", async () => {
    const page = readFileSync(path.join(checkoutFolder, "docs/pull-requests.md"), "utf8");
    const [, lines = ""] = /^```ts\n(writeFileSync.*?)```/ms.exec(page)!;
    const script = readFileSync(path.join(stack.folder, "inline.js"), "utf8");
    for (const line of lines.trim().split("\n")) expect(script).toContain(line.trim());
    const computePreview = path.join(checkoutFolder, "dist/preview/main.js");
    const words = [computePreview, "preview.ndjson", "--format", "text", "--fail-on", "restart"];
    const { code, stdout } = await run(process.execPath, words, {
      cwd: stack.folder,
      env: stack.environment,
    });
    expect({ code, stdout }).toEqual({
      code: 24,
      stdout: expect.stringContaining("size: 0.25 → 2 CU") as string,
    });
  });
});
