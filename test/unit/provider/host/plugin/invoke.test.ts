import { markSecret } from "../../../../../provider/host/plugin/secretMarks";
import { bench, plugin } from "./bench";

const call = (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> =>
  plugin.invoke(`compute:index:${name}`, args);

describe("a function of the package", () => {
  it("finds one compute", async () => {
    const { projectId, defaultPrimaryId: endpointId } = bench;
    const found = await call("getEndpoint", { projectId: markSecret(projectId), endpointId });
    expect(found).toMatchObject({ projectId, endpointId, type: "read_write", currentState: "active" });
    expect(Object.values(found)).not.toContain(undefined);
  });

  it("finds the primary of a branch", async () => {
    const { projectId, defaultPrimaryId: endpointId } = bench;
    const found = await call("getEndpoint", { projectId, endpointId });
    expect(await call("getPrimary", { projectId, branchId: found["branchId"] })).toEqual(found);
  });

  it("lists the computes of a project, or of a branch", async () => {
    const { projectId, branchId, defaultPrimaryId } = bench;
    const of = async (args: object): Promise<unknown> =>
      ((await call("listEndpoints", { projectId, ...args }))["endpoints"] as { endpointId: string }[]).map(
        ({ endpointId }) => endpointId,
      );
    expect(await of({})).toEqual([defaultPrimaryId]);
    expect(await of({ branchId })).toEqual([]);
  });

  it("gives operations page by page, with the cursor of the next", async () => {
    const { projectId } = bench;
    const all = (await call("listOperations", { projectId }))["operations"] as { operationId: string }[];
    expect(all.length).toBeGreaterThan(2);
    const pages: unknown[] = [];
    for (let cursor: unknown; pages.length < all.length + 2;) {
      const page = await call("listOperations", {
        projectId,
        pageSize: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      pages.push(...(page["operations"] as unknown[]));
      ({ cursor } = page);
      if (cursor === undefined) break;
    }
    expect(pages).toEqual(all);
    const operationId = all[0]!.operationId;
    expect(await call("getOperation", { projectId, operationId })).toEqual(all[0]);
  });

  it.each(["getEndpoints", "constructor", ""])("is refused where there is none: %s", async (name) => {
    await expect(call(name, {})).rejects.toThrow(
      `calling compute:index:${name}: there is no such function. Call getEndpoint, getPrimary, listEndpoints, getOperation, listOperations.`,
    );
  });

  it.each([
    { name: "getEndpoint", args: {}, missing: "projectId and endpointId is missing" },
    { name: "getEndpoint", args: { projectId: "p" }, missing: "endpointId is missing" },
    { name: "getPrimary", args: { projectId: "p" }, missing: "branchId is missing" },
    { name: "listOperations", args: { projectId: 7 }, missing: "projectId is missing" },
  ])("is refused where an argument is missing: $name, $missing", async ({ name, args, missing }) => {
    await expect(call(name, args)).rejects.toThrow(missing);
    expect(bench.takeRoutes()).toEqual([]);
  });

  it("says what is wrong with the configuration each time", async () => {
    const other = bench.plugin({ apiKey: "" });
    const ask = (): Promise<unknown> =>
      other.invoke("compute:index:listEndpoints", { projectId: bench.projectId });
    await expect(ask()).rejects.toThrow("there is no API key");
    await expect(ask()).rejects.toThrow("there is no API key");
  });

  it("names no token of Pulumi in its failure, as pasted in the wrong place", async () => {
    const token = "pul-0123456789abcdef";
    jest.replaceProperty(process, "env", { ...process.env, PULUMI_ACCESS_TOKEN: token });
    const args = { projectId: bench.projectId, endpointId: token };
    const lookup = bench.plugin().invoke("compute:index:getEndpoint", args);
    await expect(lookup).rejects.toThrow("looking up compute [redacted]: ");
    jest.restoreAllMocks();
  });

  it("names no secret in its failure", async () => {
    const args = { projectId: markSecret("hidden-project-1"), endpointId: markSecret("ep-hidden-1") };
    const error: unknown = await call("getEndpoint", args).catch((thrown: unknown) => thrown);
    expect((error as Error).message).not.toMatch(/hidden/);
  });
});

describe("a list of computes", () => {
  it("has the id that an import asks for, and the name that the service has", async () => {
    const { projectId, branchId, defaultPrimaryId } = bench;
    const id = bench.madeByOthers({ name: "shop\u001b[2J\n::error::" });
    expect(await plugin.list({ projectId: markSecret(projectId) })).toEqual([
      { id: `${projectId}/${defaultPrimaryId}`, name: defaultPrimaryId },
      { id: `${projectId}/${id}`, name: "shop [2J ::error::" },
    ]);
    expect(await plugin.list({ projectId, branchId })).toHaveLength(1);
  });

  it("says what is missing, and what the service answers", async () => {
    await expect(plugin.list({})).rejects.toMatchObject({
      message: expect.stringContaining("projectId is missing") as string,
    });
    await expect(plugin.list({ projectId: "nope" })).rejects.toMatchObject({
      message: expect.stringContaining("404") as string,
    });
  });
});
