/** More things that only the engine decides: a second life of each variant, and computes that already exist. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../provider/model/sizes";
import { pluginLines, run, up, useStack, variants, type CommandResult, type Variant } from "../support/stack";
import { itUnlessWindows } from "../support/systems";

/** Long enough not to occur inside another text. */
const token = "hunter2-tok-4711";

/** A policy pack that lowers every size above 2 CU to 2 CU, after the provider has checked the program. */
const capping = path.join(__dirname, "fixtures", "capping");
const cannotPress = "no process can press Ctrl-C for another there";

describe.each(variants)("a second life with the %s variant", (variant) => {
  let branches: readonly string[];
  let kept: string;
  const stack = useStack({ variant }, () => {
    branches = [stack.emptyBranch(), stack.emptyBranch()];
    const body = { branch_id: stack.defaultBranchId, type: "read_only" };
    kept = stack.emulator.createEndpoint(stack.projectId, body).endpoint.id;
    declare({ settings: { pgSettings: { "ext.token": { $secret: token } } } });
  });
  const declare = (more: object = {}): void => {
    const { projectId, defaultBranchId } = stack;
    const args = { projectId, branchId: branches[0], ...fixedSize(0.25), ...more };
    const adopted = { projectId, branchId: defaultBranchId, type: "read_only", adopt: { $output: kept } };
    stack.declare({ app: { args, lookUp: true }, adopted: { args: adopted } });
  };
  const endpoint = async () => stack.emulator.endpoint((await stack.stateOf("app"))!.id).endpoint;

  itUnlessWindows(cannotPress, "keeps a compute whose create is interrupted with one Ctrl-C", async () => {
    // Only the plugin is told of Ctrl-C, so it does not wait for an operation that takes a minute.
    const runningMs = variant === "native" ? 60_000 : 3_000;
    stack.emulator.setTimeline({ action: "start_compute", runningMs, times: 1 });
    let waitsSinceMs = 0;
    const { code, output } = await stack.interrupted(up, () => {
      const waits = stack.emulator.requests().some(({ route }) => route === "getOperation");
      if (waits && waitsSinceMs === 0) waitsSinceMs = Date.now();
      return waits;
    });
    expect(Date.now() - waitsSinceMs).toBeLessThan(20_000);
    expect(code).not.toBe(0);
    expect(output).toMatch(
      variant === "native" ? /the run was interrupted while operation \S+ \(\S+\) was running/ : /cancel/i,
    );
    const [id] = stack.computes(branches[0]);
    expect((await stack.stateOf("app"))?.id).toBe(id);
    for (const operation of stack.emulator.operations(stack.projectId))
      if (operation.status === "running") stack.emulator.endOperation(operation.id);
    stack.emulator.clearRequests();
    await stack.up();
    expect(stack.writes()).toEqual([]);
    const { app, appPrimary } = await stack.outputs();
    expect(appPrimary).toBe(app);
  });

  it("does not warn or refuse in a refresh, and then shows the change that puts the declared values back", async () => {
    const { id } = (await stack.stateOf("app"))!;
    stack.emulator.connect(id);
    stack.emulator.updateEndpoint(id, { branch_id: branches[1], ...sizeOnTheWire(4) });
    const { output } = await stack.ok(["refresh", "--yes"], { COMPUTE_ON_INTERRUPTION: "forbid" });
    expect(output).not.toMatch(/(restart|move): /);
    const { output: planned } = await stack.ok(["preview", "--diff"]);
    expect(planned).toMatch(/warning: move: branchId \S+ → \S+[^\n]* size 4 → 0\.25 CU/);
    await stack.up();
    expect(await endpoint()).toMatchObject({ branch_id: branches[0], ...sizeOnTheWire(0.25) });
    const { app, appPrimary } = await stack.outputs();
    expect(appPrimary).toBe(app);
  });

  it("judges, plans and sends the arguments as a policy pack has changed them", async () => {
    const plan = path.join(stack.folder, "plan.json");
    const pack = ["--policy-pack", capping];
    declare(fixedSize(4));
    const { warned } = await stack.previewed({}, "--save-plan", plan, ...pack);
    expect(warned.map(({ message }) => message).join()).toContain("restart: size 0.25 → 2 CU");
    stack.emulator.connect((await stack.stateOf("app"))!.id);
    const planned = [...up, "--plan", plan, ...pack];
    // The dynamic variant's notice is an input in the preview only.
    if (variant === "dynamic") expect(await stack.fails(planned)).toContain("violates plan");
    const { output } = await stack.ok(variant === "dynamic" ? [...up, ...pack] : planned);
    expect(output).toMatch(/restarted as announced/);
    expect(await endpoint()).toMatchObject(sizeOnTheWire(2));
    await stack.ok(["preview", "--expect-no-changes", ...pack]);
  });

  if (variant === "dynamic")
    it("says in one sentence that the package is missing, and what to run", async () => {
      // A user of the dynamic provider alone does not have the plugin's lines, which name a folder of the package.
      const project = path.join(stack.folder, "Pulumi.yaml");
      const withPlugin = readFileSync(project, "utf8");
      writeFileSync(project, withPlugin.replace(pluginLines, ""));
      const link = path.join(stack.folder, "node_modules", "pulumi-compute-endpoint");
      const away = path.join(stack.folder, "away");
      renameSync(link, away);
      const output = await stack.fails(["destroy", "--yes", "--skip-preview"]);
      renameSync(away, link);
      writeFileSync(project, withPlugin);
      expect(output).toContain("pulumi-compute-endpoint is missing: run npm install pulumi-compute-endpoint");
      expect(output).not.toMatch(/Cannot find module|\n\s+at /);
    });

  it("does not delete a compute if its `adopt` was an output, and shows no secret that the program no longer declares", async () => {
    await stack.destroy();
    expect(stack.computes(branches[0])).toEqual([]);
    expect(stack.computes()).toContain(kept);
    expect(stack.leaks(token)).toEqual([]);
  });
});

function sizeOnTheWire(cu: number): object {
  return { autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu };
}

describe.each(variants)("computes that already exist, with the %s variant", (variant) => {
  const command = path.join(__dirname, "../../dist/import/main.js");
  const stack = useStack({ variant }, ({ emulator, projectId }) => {
    for (const type of ["read_write", "read_only"])
      emulator.createEndpoint(projectId, { branch_id: stack.emptyBranch(), type });
  });
  const importing = (...words: readonly string[]): Promise<CommandResult> => {
    const all = [command, "--project", stack.projectId, ...words];
    return run(process.execPath, all, { cwd: stack.folder, env: stack.environment });
  };

  /** Brings the computes into the state, and has the program declare them. */
  const bringUnderCode: Readonly<Record<Variant, () => Promise<void>>> = {
    native: async () => {
      expect(await importing("--out", "computes.json")).toMatchObject({ code: 0 });
      await stack.ok([
        ...["import", "--file", "computes.json", "--yes"],
        ...["--generate-code=false", "--protect=false"],
      ]);
      const all = await stack.resources();
      const computes = all.filter(({ urn }) => urn.includes("compute:index:Endpoint::"));
      stack.declare(
        Object.fromEntries(computes.map(({ urn, inputs }) => [urn.split("::").at(-1)!, { args: inputs }])),
      );
    },
    dynamic: async () => {
      expect(await importing("--out", "made.ts", "--for", "dynamic")).toMatchObject({ code: 0 });
      const source = readFileSync(path.join(stack.folder, "made.ts"), "utf8");
      // Compiles the program by hand: it has one import, and no types.
      const program = source.replace(/^import (.*) from (.*);$/m, "const $1 = require($2);");
      writeFileSync(path.join(stack.folder, "index.js"), program);
      expect((await stack.up()).output).not.toMatch(/warning|restart|interruption/);
    },
  };

  it("are imported or adopted with the file that compute-import writes, and nothing changes", async () => {
    await bringUnderCode[variant]();
    // The engine does not count `[diff: ~provider]` as a change, but a reader would.
    expect((await stack.ok(["preview", "--expect-no-changes"])).output).not.toContain("[diff:");
    await stack.ok(["stack", "export", "--file", "stack.json"]);
    expect(await importing("--stack", "stack.json")).toMatchObject({
      code: 3,
      output: expect.stringContaining("3 computes, 0 to import, 3 left out") as string,
    });
    expect(stack.writes()).toEqual([]);
    if (variant === "native") return;
    // The adopted computes stay.
    await stack.destroy();
    expect(stack.computes()).toHaveLength(3);
  });
});
