import { copyFileSync } from "node:fs";
import path from "node:path";
import { run, useStack } from "../support/stack";

describe("an Automation API program with its resources inline", () => {
  const stack = useStack({});

  it("creates, looks up, warns of a restart on the row, and destroys, as a project on disk does", async () => {
    const script = path.join(stack.folder, "inline.js");
    copyFileSync(path.join(__dirname, "..", "support", "inline.js"), script);
    const words = [script, stack.projectId, stack.defaultBranchId];
    const { code, output, stdout } = await run(process.execPath, words, {
      cwd: stack.folder,
      env: stack.environment,
    });
    expect(`${String(code)} ${output}`).toMatch(/^0 /);
    const seen = JSON.parse(stdout) as Record<"id" | "currentState" | "preview", string> & {
      actions: string[];
    };
    expect(seen.id).toMatch(/^ep-/);
    expect(seen.currentState).toBe("active");
    // Page after page of one: the branch's own compute and ours.
    expect(seen.actions.filter((action) => action === "start_compute")).toHaveLength(2);
    expect(seen.preview).toMatch(/Endpoint app update .*warning: restart: size 0.25 → 2 CU/);
    expect(stack.computes()).toHaveLength(1);
  });
});
