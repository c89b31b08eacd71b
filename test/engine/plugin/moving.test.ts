import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../../provider/pure/sizes";
import { createStack, variants, type TestStack } from "../../support/stack";

const up = ["up", "--yes", "--skip-preview"];
const native = { TESTED_PACKAGE: "pulumi-compute-endpoint/native" };

it.each(variants)(
  "shows what uses its host as docs/plugin.md prints it, with the %s variant",
  async (variant) => {
    const docs = readFileSync(path.join(__dirname, "../../../docs/plugin.md"), "utf8");
    const [dynamic = "", plugin = ""] = [...docs.matchAll(/```text\n([^]*?)```/g)].map(
      ([, text = ""]) => text,
    );
    const stack = await createStack({ variant });
    const args = { projectId: stack.projectId, branchId: stack.defaultBranchId, type: "read_only" };
    const declare = (cu: number): void => {
      const replica = { args: { ...args, settings: { pgSettings: { "app.primary": { $of: "app.host" } } } } };
      stack.declare({ app: { args: { ...args, ...fixedSize(cu) } }, replica });
    };
    try {
      declare(0.25);
      await stack.ok(up);
      declare(1);
      const { output } = await stack.ok(["preview"]);
      const told = output.replaceAll(/ \(active now[^)]*\)/g, "");
      for (const line of (variant === "native" ? plugin : dynamic).trimEnd().split("\n"))
        expect(told).toContain(line);
      expect(/Endpoint replica.*(update|warning)/.test(told)).toBe(variant === "dynamic");
    } finally {
      await stack.close();
    }
  },
);

describe("a stack of the dynamic provider", () => {
  let stack: TestStack;
  const ids: string[] = [];

  beforeAll(async () => {
    stack = await createStack();
    const { projectId, defaultBranchId } = stack;
    const published = readFileSync(path.join(__dirname, "../fixtures", "stack-0.1.0-dynamic.json"), "utf8");
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

it("changes nothing where a stack renames its computes, or moves them into a component, in the same step", async () => {
  const stack = await createStack();
  try {
    const { projectId } = stack;
    const branchId = stack.emulator.createBranch(projectId, { compute: false }).branch.id;
    const args = { projectId, branchId };
    const replica = { ...args, type: "read_only" };
    stack.declare({ app: { args }, replica: { args: replica } });
    await stack.ok(up);
    const ids = await Promise.all(["app", "replica"].map(async (name) => (await stack.stateOf(name))!.id));
    stack.emulator.clearRequests();

    const inGroup = (name: string) => ({ component: "group", aliases: [{ name, parent: null }] });
    stack.declare({
      shop: { args, opts: { aliases: [{ name: "app" }] } },
      grouped: { args: replica, opts: inGroup("replica") },
    });
    await stack.ok(up, native);
    const back = (name: string) => ({ aliases: [{ name, parent: "group" }] });
    stack.declare({
      first: { args, opts: { component: "group", aliases: [{ name: "shop", parent: null }] } },
      second: { args: replica, opts: back("grouped") },
    });
    await stack.ok(up);
    expect(stack.emulator.requests().filter(({ method }) => method !== "GET")).toEqual([]);
    const after = await Promise.all(["first", "second"].map(async (name) => (await stack.stateOf(name))!.id));
    expect(after).toEqual(ids);
  } finally {
    await stack.close();
  }
});
