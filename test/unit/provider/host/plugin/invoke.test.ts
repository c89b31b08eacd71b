import { markSecret } from "../../../../../provider/host/plugin/propertyValues";
import { connectLookups } from "../../../../../provider/lookups";
import { bench, plugin } from "./bench";

const call = (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> =>
  plugin.invoke(`compute:index:${name}`, args);

describe("a function of the package", () => {
  it("answers as the lookups of a program in TypeScript do, without what the service leaves out", async () => {
    const { projectId, defaultBranchId: branchId, defaultPrimaryId: endpointId, emulator } = bench;
    const stack: Record<string, string> = {
      "compute:apiKey": emulator.apiKey,
      "compute:baseUrl": emulator.url,
    };
    const lookups = connectLookups((key) => stack[key]);
    const found = await lookups.getEndpoint({ projectId, endpointId });
    expect(await call("getEndpoint", { projectId: markSecret(projectId), endpointId })).toStrictEqual(found);
    expect(await call("getPrimary", { projectId, branchId })).toStrictEqual(found);
    for (const args of [{ projectId }, { projectId, branchId: bench.branchId }])
      expect(await call("listEndpoints", args)).toStrictEqual({
        endpoints: await lookups.listEndpoints(args),
      });
    const { cursor, operations } = await lookups.listOperations({ projectId, pageSize: 2 });
    expect(await call("listOperations", { projectId, pageSize: 2 })).toStrictEqual({ cursor, operations });
    const last = await lookups.listOperations({ projectId, cursor });
    expect(await call("listOperations", { projectId, cursor })).toStrictEqual({
      operations: last.operations,
    });
    const { operationId } = operations[0]!;
    expect(await call("getOperation", { projectId, operationId })).toStrictEqual(operations[0]);
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
