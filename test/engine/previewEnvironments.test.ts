import { writeFileSync } from "node:fs";
import path from "node:path";
import { checkout, copyOf } from "../support/examples";
import { run, useStack, type CommandResult } from "../support/stack";

/** The example as a folder of its own; only the test harness needs a project on disk. */
function copyWithProject(folder: string): string {
  const copy = copyOf("preview-environments")(folder);
  writeFileSync(path.join(copy, "Pulumi.yaml"), "name: unused\nruntime: nodejs\n");
  return copy;
}

describe("examples/preview-environments", () => {
  const stack = useStack({ program: copyWithProject, switches: { extraRoutes: "on" } });

  const environment = (command: string, name = "pr-7"): Promise<CommandResult> => {
    const typeScript = path.join(checkout, "node_modules/ts-node/register/transpile-only.js");
    return run(process.execPath, ["--require", typeScript, "environment.ts", command, name], {
      cwd: path.join(stack.folder, "examples", "preview-environments"),
      env: { ...stack.environment, COMPUTE_PROJECT_ID: stack.projectId },
    });
  };
  const succeed = async (command: string): Promise<string> => {
    const { code, output, stdout } = await environment(command);
    expect(`${String(code)} ${output}`).toMatch(/^0 /);
    return stdout;
  };
  const branches = (): string[] => stack.emulator.branches(stack.projectId).map(({ name }) => name);
  const stacks = async (): Promise<string[]> => {
    const { stdout } = await stack.ok(["stack", "ls", "--all", "--json"]);
    return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name.split("/").at(-1)!).sort();
  };

  it("creates the branch only once even if the answer is lost, creates its compute, prints only the host, and changes nothing in the next run", async () => {
    const { emulator, projectId } = stack;
    emulator.addFault({ route: "createBranch", kind: "status", status: 423, times: 1 });
    emulator.addFault({ route: "createBranch", kind: "cut", when: "after", times: 1 });
    expect((await environment("up")).code).toBe(1);
    expect(branches()).toEqual(["main", "pr-7"]);
    const host = await succeed("up");
    expect(branches()).toEqual(["main", "pr-7"]);
    const { id } = emulator.branches(projectId)[1]!;
    const [made] = emulator.endpoints(projectId).filter(({ endpoint }) => endpoint.branch_id === id);
    expect(made!.endpoint).toMatchObject({
      ...{ autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 60 },
    });
    expect(host).toBe(`${made!.endpoint.host}\n`);
    emulator.clearRequests();
    expect(await succeed("up")).toBe(host);
    expect(stack.writes()).toEqual([]);
  });

  it("keeps the branch while the stack cannot be destroyed, and removes both in the next run", async () => {
    stack.emulator.addFault({ route: "deleteEndpoint", kind: "status", status: 409 });
    expect((await environment("down")).code).toBe(1);
    expect([branches(), await stacks()]).toEqual([
      ["main", "pr-7"],
      ["pr-7", "test"],
    ]);
    stack.emulator.clearFaults();
    await succeed("down");
    expect([branches(), await stacks()]).toEqual([["main"], ["test"]]);
    expect(stack.computes()).toHaveLength(1);
  });

  it("succeeds if there is nothing to remove, and if the branch was deleted by hand", async () => {
    await succeed("down");
    await succeed("up");
    const { id } = stack.emulator.branches(stack.projectId)[1]!;
    const url = `${stack.emulator.url}/api/v2/projects/${stack.projectId}/branches/${id}`;
    const headers = { Authorization: `Bearer ${stack.emulator.apiKey}` };
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(200);
    await succeed("down");
    expect([branches(), await stacks()]).toEqual([["main"], ["test"]]);
  });

  it("creates no compute if the creation of the branch fails", async () => {
    stack.emulator.clearRequests();
    stack.emulator.setTimeline({ action: "create_branch", endStatus: "failed", times: 1 });
    const { code, output } = await environment("up", "pr-8");
    expect(code).toBe(1);
    expect(output).toMatch(/^create_branch \(\S+\): failed\.$/m);
    expect(stack.writes()).toEqual(["createBranch"]);
  });

  it("touches only the branches of pull requests", async () => {
    stack.emulator.clearRequests();
    expect(await environment("down", "main")).toMatchObject({
      code: 1,
      output: "Name the pull request: up pr-7, or down pr-7.\n",
    });
    expect(stack.emulator.requests()).toEqual([]);
  });
});
