/**
 * What the plugin gives beyond the dynamic provider, through the real CLI. What both give runs behind both doors in the
 * tests beside this one.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { startEmulator, type Emulator } from "../../emulator";
import { fixedSize } from "../../provider/sizes";
import { filesBelow, leaksInFiles } from "../support/leaks";
import { createStack, doors, linkPackages, pluginLines, run, type TestStack } from "../support/stack";

jest.setTimeout(180_000);

const up = ["up", "--yes", "--skip-preview"];
const native = { TESTED_PACKAGE: "pulumi-compute-endpoint/native" };

describe("a compute behind the plugin", () => {
  let stack: TestStack;
  let appId: string;
  const args = (more: object = {}): Record<string, unknown> => ({
    projectId: stack.projectId,
    branchId: stack.defaultBranchId,
    type: "read_only",
    ...fixedSize(0.25),
    ...more,
  });
  const declare = (more: object = {}, opts: Record<string, unknown> = {}): void => {
    stack.declare({
      app: { args: args(more), opts },
      replica: { args: args({ restartTriggers: { of: { $of: "app.host" } } }) },
    });
  };
  const urn = "urn:pulumi:test::tested::compute:index:Endpoint::app";

  beforeAll(async () => {
    stack = await createStack({ door: "native" });
    declare();
    await stack.ok(up);
    appId = (await stack.stateOf("app"))!.id;
  });
  afterAll(() => stack.close());
  beforeEach(() => {
    declare();
    stack.emulator.clearFaults();
    stack.emulator.clearTimelines();
  });

  it("is replaced by a change that the option replaceOnChanges names", async () => {
    declare(fixedSize(1), { replaceOnChanges: ["autoscalingLimitMaxCu"] });
    const { output } = await stack.ok(["preview"]);
    expect(output).toMatch(/Endpoint app replace \[diff: .*~autoscalingLimitMaxCu/);
  });

  it("shows in a plain preview what was changed by hand", async () => {
    stack.emulator.updateEndpoint(appId, { autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 4 });
    const { output } = await stack.ok(["preview"]);
    expect(output).toContain("restart: size 4 → 0.25 CU drops open connections (active now");
    stack.emulator.updateEndpoint(appId, { autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 0.25 });
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  it("says of a forced replacement what it costs, and forbids it where asked so", async () => {
    const notice = "replace: by force (--replace or taint), which makes a new compute and deletes this one";
    const asked = await stack.ok(["preview", "--diff", "--replace", urn]);
    expect(asked.output).toContain(
      `warning: ${notice}; its host goes away and open connections drop (active`,
    );
    expect(asked.output).toMatch(/\+ interruption\s*: "replace: by force/);
    await stack.ok(["state", "taint", urn, "--yes"]);
    expect((await stack.ok(["preview"])).output).toContain(`warning: ${notice}`);
    const forbidden = await stack.pulumi(up, { COMPUTE_ON_INTERRUPTION: "forbid" });
    expect(forbidden.code).not.toBe(0);
    expect(forbidden.output).toContain(notice);
    await stack.ok(["state", "untaint", urn, "--yes"]);
    await stack.ok(["preview", "--expect-no-changes"]);
  });

  it("goes by a policy of the stack from the moment that it is set", async () => {
    await stack.ok(["config", "set", "compute:onInterruption", "forbid"]);
    declare(fixedSize(1));
    const { code, output } = await stack.pulumi(["preview"]);
    await stack.ok(["config", "rm", "compute:onInterruption"]);
    expect(code).not.toBe(0);
    expect(output).toContain(
      '(onInterruption is "forbid"): to allow it, set onInterruption: "warn" on this resource',
    );
  });

  it("names a wrong setting once, and its key", async () => {
    await stack.ok(["config", "set", "compute:liveFacts", "maybe"]);
    const { code, output } = await stack.pulumi(["preview"]);
    await stack.ok(["config", "rm", "compute:liveFacts"]);
    expect(code).not.toBe(0);
    expect(output).toContain(
      'reading the configuration compute:liveFacts: it is "maybe". Set it to true or false',
    );
  });

  it("has its errors as one line on its own row", async () => {
    const body = { code: "bad", message: "sizes are out of stock" };
    stack.emulator.addFault({ kind: "status", status: 400, body, route: "updateEndpoint" });
    declare(fixedSize(1));
    const { code, output } = await stack.pulumi(up);
    expect(code).not.toBe(0);
    const [, diagnostics = ""] = output.split("Diagnostics:");
    expect(diagnostics).toMatch(
      /compute:index:Endpoint \(app\):\n(?: {4}warning: .*\n)? {4}error: updating compute ep-\S+: .*answered 400.*out of stock/,
    );
    expect(diagnostics).toMatch(/pulumi:pulumi:Stack \(tested-test\):\n {4}error: update failed\n/);
    expect(output).not.toMatch(/\n\s+at .+:\d+:\d+/);
  });

  it("waits as long as customTimeouts allow, and longer where `timeouts` says so, as its message advises", async () => {
    stack.emulator.setTimeline({ action: "start_compute", stuck: "running", times: 1 });
    declare(fixedSize(1), { customTimeouts: { update: "1s" } });
    const late = await stack.pulumi(up);
    expect(late.code).not.toBe(0);
    expect(late.output).toMatch(/was still running after 1 s\..*a longer wait is set with `timeouts`/);
    expect((await stack.stateOf("app"))!.outputs).not.toHaveProperty("timeouts");
    setTimeout(4_000).then(
      () => {
        for (const { id, status } of stack.emulator.operations(stack.projectId))
          if (status === "running") stack.emulator.endOperation(id);
      },
      () => undefined,
    );
    declare({ ...fixedSize(1), timeouts: { update: 60 } }, { customTimeouts: { update: "1s" } });
    await stack.ok(up);
    declare();
    await stack.ok(up);
  });

  it("ends its wait at one Ctrl-C, keeps what is pending, and goes on in the next run", async () => {
    stack.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
    declare(fixedSize(1));
    stack.emulator.clearRequests();
    let pid = 0;
    const interrupted = run("pulumi", [...up, "--color", "never"], {
      cwd: stack.folder,
      env: stack.environment,
      detached: true,
      onStart: (started) => (pid = started),
    });
    while (!stack.emulator.requests().some(({ method }) => method === "PATCH")) await setTimeout(20);
    await setTimeout(500);
    const at = Date.now();
    process.kill(-pid, "SIGINT");
    const { code, output } = await interrupted;
    // The operation takes a minute: without a word to the plugin, so would this.
    expect(Date.now() - at).toBeLessThan(20_000);
    expect(code).not.toBe(0);
    expect(output).toMatch(
      /the run was interrupted while operation \S+ \(\S+\) was running: it goes on at the service/,
    );
    const { id, outputs } = (await stack.stateOf("app"))!;
    expect(id).toBe(appId);
    expect(outputs["__operations"]).toContain(/operation \S+ \((\S+)\) was running/.exec(output)?.[1]);
    for (const operation of stack.emulator.operations(stack.projectId))
      if (operation.status === "running") stack.emulator.endOperation(operation.id);
    stack.emulator.clearRequests();
    await stack.ok(up);
    expect(stack.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    declare();
    await stack.ok(up);
  });

  describe("is imported", () => {
    const forget = (): Promise<unknown> => stack.ok(["state", "delete", urn, "--yes", "--force"]);

    it("by the command, with its project's id, and needs nothing changed afterwards", async () => {
      stack.declare({ app: { args: args() } });
      await stack.ok(up);
      await forget();
      const words = ["import", "compute:index:Endpoint", "app"];
      const options = ["--yes", "--generate-code=false", "--protect=false"];
      const refused = await stack.pulumi([...words, appId, ...options]);
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain(`pulumi import compute:index:Endpoint NAME PROJECT/${appId}`);
      await stack.ok([...words, `${stack.projectId}/${appId}`, ...options]);
      const { inputs } = (await stack.stateOf("app"))!;
      expect(inputs).toMatchObject({ ...args(), poolerEnabled: false, suspendTimeoutSeconds: 0 });
      stack.declare({ app: { args: inputs } });
      await stack.ok(["preview", "--expect-no-changes"]);
      stack.declare({ app: { args: args() } });
      await stack.ok(["preview", "--expect-no-changes"]);
    });

    it("by the option, which is read once: left in the program, it deletes nothing", async () => {
      await forget();
      const opts = { import: `${stack.projectId}/${appId}` };
      stack.declare({ app: { args: args(fixedSize(1)), opts } });
      const { output } = await stack.ok(up);
      expect(output).toContain("restart: size 0.25 → 1 CU");
      // The engine has forgotten by now what it imported, and would replace the compute by itself.
      const refused = await stack.pulumi(["preview"]);
      expect(refused.code).not.toBe(0);
      expect(refused.output).toContain("this resource has it already. Remove the option `import` from it");
      stack.declare({ app: { args: args(fixedSize(1)) } });
      await stack.ok(["preview", "--expect-no-changes"]);
      expect(stack.emulator.endpoint(appId).endpoint.id).toBe(appId);
    });

    it("without being deleted as its own original where it is not read first", async () => {
      await forget();
      const unread = { COMPUTE_REFRESH_BEFORE_UPDATE: "false" };
      const opts = { import: `${stack.projectId}/${appId}` };
      stack.declare({ app: { args: args(fixedSize(2)), opts } });
      await stack.ok(up, unread);
      const { output } = await stack.ok(up, unread);
      expect(output).toContain(`Compute ${appId} is not deleted: it was imported again in place of itself`);
      expect(stack.emulator.endpoint(appId).endpoint.id).toBe(appId);
      stack.declare({ app: { args: args(fixedSize(2)) } });
      await stack.ok(["preview", "--expect-no-changes"], unread);
      await stack.ok(["destroy", "--yes", "--skip-preview"]);
    });
  });
});

it.each(doors)("shows what uses its host as docs/plugin.md prints it, behind the %s door", async (door) => {
  const docs = readFileSync(path.join(__dirname, "../../docs/plugin.md"), "utf8");
  const [dynamic = "", plugin = ""] = [...docs.matchAll(/```text\n([^]*?)```/g)].map(([, text = ""]) => text);
  const stack = await createStack({ door });
  const args = { projectId: stack.projectId, branchId: stack.defaultBranchId, type: "read_only" };
  const declare = (cu: number): void => {
    const replica = { args: { ...args, restartTriggers: { of: { $of: "app.host" } } } };
    stack.declare({ app: { args: { ...args, ...fixedSize(cu) } }, replica });
  };
  try {
    declare(0.25);
    await stack.ok(up);
    declare(1);
    const { output } = await stack.ok(["preview"]);
    const told = output.replaceAll(/ \(active now[^)]*\)/g, "");
    for (const line of (door === "native" ? plugin : dynamic).trimEnd().split("\n"))
      expect(told).toContain(line);
    expect(/Endpoint replica.*(update|warning)/.test(told)).toBe(door === "dynamic");
  } finally {
    await stack.close();
  }
});

describe("a stack of the dynamic provider", () => {
  let stack: TestStack;
  const ids: string[] = [];

  beforeAll(async () => {
    stack = await createStack();
    const { projectId, defaultBranchId } = stack;
    const published = readFileSync(path.join(__dirname, "fixtures", "stack-0.1.0-dynamic.json"), "utf8");
    const replica = { branch_id: defaultBranchId, type: "read_only" };
    const app = {
      ...replica,
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: 1,
      suspend_timeout_seconds: 600,
      settings: { pg_settings: { work_mem: "64MB" } },
    };
    const made = [app, replica].map((body) => stack.emulator.createEndpoint(projectId, body).endpoint);
    ids.push(...made.map(({ id }) => id));
    const state = published
      .replaceAll("PROJECT", projectId)
      .replaceAll("BRANCH", defaultBranchId)
      .replaceAll("APP-ID", ids[0]!)
      .replaceAll("OTHER-ID", ids[1]!);
    writeFileSync(path.join(stack.folder, "state.json"), state);
    await stack.ok(["stack", "import", "--file", "state.json"]);
    const args = { projectId, branchId: defaultBranchId, type: "read_only" };
    stack.declare({
      app: {
        args: {
          ...args,
          autoscalingLimitMinCu: 0.25,
          autoscalingLimitMaxCu: 1,
          suspendTimeoutSeconds: 600,
          settings: { pgSettings: { work_mem: "64MB" } },
          timeouts: { create: 60 },
          restartTriggers: { release: "1" },
        },
      },
      other: { args },
    });
  });
  afterAll(() => stack.close());

  it("moves to the plugin without a change and without a request", async () => {
    stack.emulator.clearRequests();
    expect((await stack.ok(["preview", "--expect-no-changes"], native)).output).toContain("3 unchanged");
    await stack.ok([...up, "--expect-no-changes"], native);
    expect(stack.emulator.requests()).toEqual([]);
    expect((await stack.stateOf("app"))!.urn).toContain("compute:index:Endpoint");
    expect((await stack.stateOf("app"))!.id).toBe(ids[0]);
  });

  it("comes back, whatever the plugin has written meanwhile, and can be refreshed and destroyed", async () => {
    // Written by the plugin: without what the engine's own provider process needs.
    await stack.ok(["refresh", "--yes", "--skip-preview"], native);
    await stack.ok(["refresh", "--yes", "--skip-preview"], native);
    expect((await stack.stateOf("app"))!.outputs).not.toHaveProperty("__provider");
    stack.emulator.clearRequests();
    await stack.ok(up);
    expect(stack.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    expect((await stack.stateOf("app"))!.urn).toContain("pulumi-nodejs:dynamic/compute:Endpoint");
    await stack.ok(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await stack.ok(["preview", "--expect-no-changes"]);
    await stack.ok(["destroy", "--yes", "--skip-preview"]);
    const left = stack.emulator.endpoints(stack.projectId).map(({ endpoint }) => endpoint.id);
    expect(ids.filter((id) => left.includes(id))).toEqual([]);
  });
});

describe("a stack with computes of two accounts", () => {
  let stack: TestStack;
  let other: Emulator;
  const otherKey = "key-of-the-other-account";

  beforeAll(async () => {
    other = await startEmulator({ operationMs: 20, apiKey: otherKey });
    const program = (folder: string): string => {
      linkPackages(folder);
      copyFileSync(path.join(__dirname, "programs", "accounts.js"), path.join(folder, "index.js"));
      writeFileSync(path.join(folder, "package.json"), '{ "name": "program-under-test" }');
      const runtime = "runtime:\n  name: nodejs\n  options: { typescript: false }\n";
      writeFileSync(
        path.join(folder, "Pulumi.yaml"),
        `name: tested\n${runtime}main: index.js\n${pluginLines}`,
      );
      return folder;
    };
    stack = await createStack({ door: "native", program });
  });
  afterAll(async () => {
    await other.close();
    await stack.close();
  });

  it("has a provider for each, looks things up through it, and keeps the keys encrypted", async () => {
    const elsewhere = other.createProject();
    const accounts = {
      own: {
        apiKey: stack.emulator.apiKey,
        baseUrl: stack.emulator.url,
        projectId: stack.projectId,
        branchId: stack.defaultBranchId,
      },
      other: {
        apiKey: otherKey,
        baseUrl: other.url,
        projectId: elsewhere.project.id,
        branchId: elsewhere.branch.id,
      },
    };
    writeFileSync(path.join(stack.folder, "resources.json"), JSON.stringify(accounts));
    // The environment would win over both.
    const environment = { COMPUTE_API_KEY: "", COMPUTE_BASE_URL: "" };
    const { output } = await stack.ok(up, environment);
    expect(output).toMatch(/ownState\s*: "active"/);
    expect(output).toMatch(/otherState\s*: "active"/);
    expect(output).toContain("start_compute");
    const replicas = (emulator: Emulator, projectId: string): number =>
      emulator.endpoints(projectId).filter(({ endpoint }) => endpoint.type === "read_only").length;
    expect([replicas(stack.emulator, stack.projectId), replicas(other, elsewhere.project.id)]).toEqual([
      1, 1,
    ]);
    const written = filesBelow(stack.folder).filter((file) => !file.endsWith("resources.json"));
    expect(leaksInFiles(written, otherKey)).toEqual([]);
    await stack.ok(["preview", "--expect-no-changes"], environment);
    await stack.ok(["destroy", "--yes", "--skip-preview"], environment);
    expect(replicas(other, elsewhere.project.id)).toBe(0);
  });
});
