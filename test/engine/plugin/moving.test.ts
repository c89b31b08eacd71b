import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../../provider/model/sizes";
import { up, useStack, variants, type Declared, type TestStack } from "../../support/stack";

const native = { TESTED_PACKAGE: "pulumi-compute-endpoint/native" };
const page = readFileSync(path.join(__dirname, "../../../docs/install.md"), "utf8");
const size = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };

describe.each(variants)("a preview with the %s variant", (variant) => {
  const stack = useStack({ variant });
  const declare = (cu: number): void => {
    const args = { projectId: stack.projectId, branchId: stack.defaultBranchId, type: "read_only" };
    const replica = { args: { ...args, settings: { pgSettings: { "app.primary": { $of: "app.host" } } } } };
    stack.declare({ app: { args: { ...args, ...fixedSize(cu) } }, replica });
  };

  it("shows resources that use a compute's host as docs/install.md prints them", async () => {
    const [dynamic, plugin] = [...page.matchAll(/```text\n([^]*?)```/g)].map(([, text]) => text);
    declare(0.25);
    await stack.up();
    declare(1);
    const { output } = await stack.ok(["preview"]);
    const told = output.replaceAll(/ \(compute active now[^)]*\)/g, "");
    for (const line of (variant === "native" ? plugin : dynamic)!.trimEnd().split("\n"))
      expect(told).toContain(line);
    expect(/Endpoint replica.*(update|warning)/.test(told)).toBe(variant === "dynamic");
  });
});

describe("a stack of the dynamic provider", () => {
  const ids: string[] = [];
  const stack = useStack({}, async ({ projectId, defaultBranchId: branchId }) => {
    const published = readFileSync(path.join(__dirname, "../fixtures", "stack-0.1.0-dynamic.json"), "utf8");
    const replica = { branch_id: branchId, type: "read_only" };
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
      .replaceAll("BRANCH", branchId)
      .replaceAll("APP-ID", ids[0]!)
      .replaceAll("OTHER-ID", ids[1]!);
    writeFileSync(path.join(stack.folder, "state.json"), state);
    await stack.ok(["stack", "import", "--file", "state.json"]);
    stack.declare(declared(stack));
  });
  const declared = ({ projectId, defaultBranchId: branchId }: TestStack): Declared => {
    const args = { projectId, branchId, type: "read_only" };
    const settings = { pgSettings: { work_mem: "64MB" } };
    const more = { ...size, suspendTimeoutSeconds: 600, settings, timeouts: { create: 60 } };
    return { app: { args: { ...args, ...more } }, other: { args } };
  };

  it("moves to the plugin without a change and without a request", async () => {
    stack.emulator.clearRequests();
    const { output } = await stack.ok([...up, "--expect-no-changes"], native);
    expect(output).toContain("3 unchanged");
    expect(stack.emulator.requests()).toEqual([]);
    const urn = expect.stringContaining("compute:index:Endpoint") as string;
    expect(await stack.stateOf("app")).toMatchObject({ urn, id: ids[0] });
  });

  it("is read before each preview once the last step of docs/install.md has been done, but not before", async () => {
    const [, section = ""] = page.split("## Moving a stack\n");
    const [, steps = ""] = /```sh\n([^]*?)```/.exec(section)!;
    const words = [...steps.matchAll(/^pulumi (\w+) /gm)].map(([, word]) => word!);
    const [first, ...last] = words;
    const resized = (): Promise<boolean> =>
      stack.ok(["preview"], native).then(({ output }) => /Endpoint app update/.test(output));
    // The first step was taken by the test above.
    expect(first).toBe("up");
    stack.emulator.updateEndpoint(ids[0]!, { autoscaling_limit_max_cu: 2 });
    expect(await resized()).toBe(false);
    for (const word of last) await stack.ok([word, "--yes", "--skip-preview"], native);
    expect(await resized()).toBe(true);
    const revoked = await stack.fails(["preview"], { ...native, COMPUTE_API_KEY: "revoked" });
    expect(revoked).toContain("answered 401");
    stack.emulator.updateEndpoint(ids[0]!, { autoscaling_limit_max_cu: 1 });
    expect(await resized()).toBe(false);
  });

  it("accepts a new resource as --target, with the options of docs/install.md", async () => {
    const [, more = ""] = /pulumi up --target '[^']*' (.*)/.exec(page)!;
    const before = declared(stack);
    stack.declare({ ...before, added: before["other"]! });
    const target = ["--target", "urn:pulumi:test::tested::compute:index:Endpoint::added"];
    const refused = await stack.fails(["preview", ...target], native);
    expect(refused).toContain("could not be found in the stack");
    await stack.ok([...up, ...target, ...more.split(" ")], native);
    expect(await stack.stateOf("added")).toMatchObject({ refreshBeforeUpdate: true });
    stack.declare(before);
    await stack.up(native);
  });

  it("is no longer read once refresh --run-program has stored compute:refreshBeforeUpdate as false; a plain refresh does not store it", async () => {
    expect(page.replaceAll(/\s+/g, " ")).toContain(
      "once `pulumi refresh --run-program` has stored it with each compute",
    );
    const setting = "compute:refreshBeforeUpdate";
    const quiet = ["--yes", "--skip-preview"];
    await stack.ok(["config", "set", setting, "false"]);
    await stack.ok(["refresh", ...quiet], native);
    expect(await stack.stateOf("app")).toMatchObject({ refreshBeforeUpdate: true });
    await stack.ok(["refresh", "--run-program", ...quiet], native);
    expect(await stack.stateOf("app")).not.toHaveProperty("refreshBeforeUpdate");
    await stack.ok(["config", "rm", setting]);
  });

  it("moves back to the dynamic provider, whatever the plugin has written, and can be refreshed and destroyed", async () => {
    // The plugin wrote the state, without what the engine's own provider process needs.
    expect((await stack.stateOf("app"))!.outputs).not.toHaveProperty("__provider");
    stack.emulator.clearRequests();
    await stack.up();
    expect(stack.writes()).toEqual([]);
    expect((await stack.stateOf("app"))!.urn).toContain("pulumi-nodejs:dynamic/compute:Endpoint");
    await stack.ok(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await stack.destroy();
    expect(ids.filter((id) => stack.computes().includes(id))).toEqual([]);
  });

  it("changes nothing if a move between the variants also renames computes, or moves them into a component", async () => {
    const args = { projectId: stack.projectId, branchId: stack.emptyBranch() };
    const replica = { ...args, type: "read_only" };
    const idsOf = (...names: readonly string[]) =>
      Promise.all(names.map(async (name) => (await stack.stateOf(name))!.id));
    stack.declare({ app: { args }, replica: { args: replica } });
    await stack.up();
    const before = await idsOf("app", "replica");
    stack.emulator.clearRequests();

    const inGroup = { component: "group", aliases: [{ name: "replica", parent: null }] };
    stack.declare({
      shop: { args, opts: { aliases: [{ name: "app" }] } },
      grouped: { args: replica, opts: inGroup },
    });
    await stack.up(native);
    stack.declare({
      first: { args, opts: { component: "group", aliases: [{ name: "shop", parent: null }] } },
      second: { args: replica, opts: { aliases: [{ name: "grouped", parent: "group" }] } },
    });
    await stack.up();
    expect(stack.writes()).toEqual([]);
    expect(await idsOf("first", "second")).toEqual(before);
  });
});
