import * as pulumi from "@pulumi/pulumi";
import { startEmulator, type Emulator } from "../../../emulator";
import { getEndpoint, listEndpoints } from "../../../sdk";
import { declarationsOf } from "../../../tools/schema/declarations";

/** Comments of the functions that users call, by name. */
function commentsIn(file: string) {
  const functions = [...declarationsOf(file)].filter(([name]) =>
    /^(get|list)[A-Z][A-Za-z]+(?<!Args)$/.test(name),
  );
  return Object.fromEntries(functions.map(([name, { comment }]) => [name, comment]));
}

describe("the lookups of both variants", () => {
  it("have the same names and the same comments: editors need a comment beside each function", () => {
    const dynamic = commentsIn("sdk/lookups.ts");
    expect(Object.keys(dynamic)).toHaveLength(10);
    expect(commentsIn("sdk/nativeLookups.ts")).toEqual(dynamic);
  });
});

describe("the account of a lookup", () => {
  const emulators: Emulator[] = [];
  afterEach(async () => {
    pulumi.runtime.setAllConfig({});
    await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
  });

  /** A run of its own, as an inline program of the Automation API is, beside others in one process. */
  async function computesInRun(replicas: number): Promise<number> {
    const emulator = await startEmulator({ operationMs: 0 });
    emulators.push(emulator);
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    pulumi.runtime.setAllConfig({
      "compute:baseUrl": emulator.url,
      "compute:apiKey": emulator.apiKey,
    });
    const { project, branch } = emulator.createProject();
    for (let made = 0; made < replicas; made++)
      emulator.createEndpoint(project.id, { branch_id: branch.id, type: "read_only" });
    return (await listEndpoints({ projectId: project.id })).length;
  }

  it("is that of the program's own stack, though another one ran in this process before", async () => {
    await expect(computesInRun(0)).resolves.toBe(1);
    await expect(computesInRun(2)).resolves.toBe(3);
  });

  it("shows neither its key nor Pulumi's token in a failure, as pasted in the wrong place", async () => {
    const token = "pul-0123456789abcdef";
    jest.replaceProperty(process, "env", { ...process.env, PULUMI_ACCESS_TOKEN: token });
    const emulator = await startEmulator({ apiKey: "key-0123456789" });
    emulators.push(emulator);
    pulumi.runtime.setAllConfig({ "compute:baseUrl": emulator.url, "compute:apiKey": emulator.apiKey });
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    const projectId = emulator.createProject().project.id;
    for (const endpointId of [token, emulator.apiKey])
      await expect(getEndpoint({ projectId, endpointId })).rejects.toThrow("looking up compute [redacted]: ");
    jest.restoreAllMocks();
  });
});
