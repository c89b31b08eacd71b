/** What earlier versions had, in a program and in a state: the resource EndpointRestart. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { useStack, variants } from "../support/stack";

describe.each(variants)("a program of an earlier version, with the %s variant", (variant) => {
  const stack = useStack({ variant });
  const type =
    variant === "dynamic" ? "pulumi-nodejs:dynamic/compute:EndpointRestart" : "compute:index:EndpointRestart";

  it("that has an EndpointRestart fails with the argument to write, and sends nothing", async () => {
    const { projectId, defaultBranchId: branchId } = stack;
    const app = { args: { projectId, branchId, type: "read_only" } };
    const args = { projectId, endpointId: { $of: "app.endpointId" }, triggers: { release: 1 } };
    stack.declare({ app, weekly: { restarts: true, args } });
    const output = await stack.fails(["preview"]);
    expect(output).toContain(
      "Declaring EndpointRestart weekly: EndpointRestart is an argument now: remove the resource",
    );
    expect(output).not.toMatch(/^\s+at /m);
    stack.declare({ app });
    await stack.up();
  });

  it("loses the one in its state with the next update, which sends nothing, after a refresh too", async () => {
    const exported = path.join(stack.folder, "exported.json");
    await stack.ok(["stack", "export", "--file", exported]);
    const text = readFileSync(exported, "utf8");
    const state = JSON.parse(text) as { deployment: { resources: Record<string, unknown>[] } };
    const app = state.deployment.resources.find(({ urn }) => String(urn).endsWith("::app"))!;
    const urn = String(app["urn"]).replace(
      /compute:(index:)?Endpoint::app$/,
      "compute:$1EndpointRestart::weekly",
    );
    const { __provider } = app["outputs"] as Record<string, unknown>;
    const inputs = {
      ...{ projectId: stack.projectId, endpointId: app["id"], triggers: { release: 1 } },
      ...(variant === "dynamic" && { __provider, __urn: urn }),
    };
    state.deployment.resources.push({ ...app, urn, type, id: "restart-weekly", inputs, outputs: inputs });
    writeFileSync(exported, JSON.stringify(state));
    await stack.ok(["stack", "import", "--file", exported]);
    stack.emulator.clearRequests();
    await stack.ok(["refresh", "--yes", "--skip-preview"]);
    expect(await stack.stateOf("weekly")).toBeDefined();
    const { output } = await stack.up();
    expect(output).toMatch(/- .*weekly deleted/);
    expect(await stack.stateOf("weekly")).toBeUndefined();
    expect(stack.writes()).toEqual([]);
    await stack.destroy();
  });
});
