import { startEmulator, type Emulator } from "../../../emulator";
import { importUsage } from "../../../import/commandLine";
import { runImport, type ConnectedProject } from "../../../import/command";
import { lookupsWith } from "../../../provider/lookups";
import type { EndpointFacts } from "../../../provider/facts";
import { readConfig } from "../../../provider/settings/config";

const config = readConfig(() => undefined, {});

const primary: EndpointFacts = {
  endpointId: "ep-calm-sea-11111111",
  projectId: "shy-sun-1",
  branchId: "br-odd-river-22222222",
  type: "read_write",
  host: "somewhere",
  autoscalingLimitMinCu: 0.25,
  autoscalingLimitMaxCu: 0.25,
  suspendTimeoutSeconds: 300,
  currentState: "active",
};
const replica: EndpointFacts = {
  ...primary,
  endpointId: "ep-dry-leaf-33333333",
  type: "read_only",
  autoscalingLimitMaxCu: 2,
};

interface Ended {
  readonly code: number;
  readonly printed: string;
  readonly told: string;
  readonly written: Readonly<Record<string, string>>;
}

async function run(
  args: readonly string[],
  listed: readonly EndpointFacts[] | ConnectedProject,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Ended> {
  const printed: string[] = [];
  const told: string[] = [];
  const written: Record<string, string> = {};
  const connected = "config" in listed ? listed : { config, listEndpoints: () => Promise.resolve(listed) };
  const code = await runImport(args, {
    connect: () => Promise.resolve(connected),
    read: (file) => Buffer.from(files[file] ?? ""),
    write: (file, text) => {
      if (file in files) {
        const message = `EEXIST: file already exists, open '${file}'`;
        throw Object.assign(new Error(message), { code: "EEXIST" });
      }
      written[file] = text;
    },
    version: () => "1.2.3",
    print: (text) => printed.push(text),
    complain: (text) => told.push(text),
  });
  return { code, printed: printed.join(""), told: told.join(""), written };
}

const ofProject = ["--project", "shy-sun-1"];

describe("compute-import for the plugin", () => {
  it("writes the file for `pulumi import`, with names from branches and types", async () => {
    const { code, printed, told } = await run(ofProject, [replica, primary]);
    expect(code).toBe(0);
    const common = { type: "compute:index:Endpoint", version: "1.2.3" };
    expect(JSON.parse(printed)).toEqual({
      resources: [
        { ...common, name: "odd-river-22222222-primary", id: "shy-sun-1/ep-calm-sea-11111111" },
        { ...common, name: "odd-river-22222222-replica-33333333", id: "shy-sun-1/ep-dry-leaf-33333333" },
      ],
    });
    expect(told).toContain("Project shy-sun-1: 2 computes, 2 to import, 0 left out.\n");
    expect(told).toMatch(
      /^odd-river-22222222-replica-33333333 {2}ep-dry-leaf-33333333 {2}br-odd-river-22222222 {2}read_only {3}0.25 to 2 CU$/m,
    );
    expect(told).toContain("pulumi import --file FILE --out PROGRAM");
  });

  it("writes to a file where one is named, and then prints nothing", async () => {
    const { printed, written, told } = await run([...ofProject, "--out", "c.json"], [primary]);
    expect(printed).toBe("");
    expect(Object.keys(written)).toEqual(["c.json"]);
    expect(told).toContain("pulumi import --file c.json");
    expect(told).not.toContain("append");
    expect(importUsage).toContain("do not let `pulumi import` write to Pulumi.yaml, which it would empty");
  });

  it("names no version for YAML, whose programs name none, nor Pulumi.yaml, which the import would empty", async () => {
    const { printed, told } = await run([...ofProject, "--for", "yaml"], [primary]);
    expect(printed).not.toContain("version");
    expect(told).toContain("`pulumi import --file FILE --out imported.yaml`");
    expect(told).toContain("Then append its resources to Pulumi.yaml by hand.");
  });

  it("gives a compute the same name whatever else the project has", async () => {
    const others = Array.from({ length: 20 }, (_, at) => ({
      ...replica,
      endpointId: `ep-other-${String(at)}`,
    }));
    const names = (text: string): readonly string[] =>
      (JSON.parse(text) as { resources: { name: string }[] }).resources.map(({ name }) => name);
    const alone = names((await run(ofProject, [primary, replica])).printed);
    const among = names((await run(ofProject, [...others, replica, primary])).printed);
    expect(among).toEqual(expect.arrayContaining([...alone]));
    expect(new Set(among).size).toBe(22);
  });

  it("names branches as it is told, and computes that would share a name by their ids", async () => {
    const branches = ["--branch", "br-odd-river-22222222=main", "--branch", "br-2=main"];
    const { printed } = await run(
      [...ofProject, ...branches],
      [primary, { ...primary, branchId: "br-2", endpointId: "ep-2" }],
    );
    expect(printed).toContain('"main-primary-ep-calm-sea-11111111"');
    expect(printed).toContain('"main-primary-ep-2"');
  });
});

describe("compute-import for the dynamic provider", () => {
  it("writes a program that adopts each compute with the service's own values", async () => {
    const { code, printed } = await run([...ofProject, "--for", "dynamic"], [primary, replica]);
    expect(code).toBe(0);
    expect(printed).toContain('import { autoscaling, Endpoint, fixedSize } from "pulumi-compute-endpoint";');
    expect(printed).toContain(`new Endpoint("odd-river-22222222-replica-33333333", {
  projectId,
  branchId: "br-odd-river-22222222",
  type: "read_only",
  adopt: "ep-dry-leaf-33333333",
  ...autoscaling(0.25, 2),
  suspendTimeoutSeconds: 300,
});`);
  });

  it("leaves a value out that a program could not declare, and says why", async () => {
    const large = {
      ...primary,
      autoscalingLimitMinCu: 16,
      autoscalingLimitMaxCu: 16,
      suspendTimeoutSeconds: 5,
    };
    const { printed, told } = await run([...ofProject, "--for", "dynamic"], [large]);
    expect(printed).not.toMatch(/Size|Limit|suspend/);
    expect(told).toContain("not managed: autoscalingLimitMinCu is 16, but must be one of 0.25,");
    expect(told).toContain("not managed: suspendTimeoutSeconds is 5, but must be 0");
  });
});

describe("what compute-import leaves out", () => {
  it.each(["utf8", "utf16le"] as const)("is what the stack has, in PowerShell's %s", async (encoding) => {
    const held = { urn: "urn:pulumi:dev::app::compute:index:Endpoint::db", id: primary.endpointId };
    const text = Buffer.from(`\uFEFF${JSON.stringify({ deployment: { resources: [held] } })}`, encoding);
    const { code, told } = await run([...ofProject, "--stack", "s"], [primary], { s: text });
    expect(told).toContain("the stack has it: db");
    expect(code).toBe(3);
  });

  it("is what the stack has, by `pulumi stack export`", async () => {
    const resources = [
      { urn: "urn:pulumi:dev::shop::compute:index:Endpoint::app", id: primary.endpointId },
      { urn: "urn:pulumi:dev::shop::compute:index:Endpoint::read", id: replica.endpointId, external: true },
    ];
    const files = { "stack.json": JSON.stringify({ version: 3, deployment: { resources } }) };
    const { printed, told } = await run([...ofProject, "--stack", "stack.json"], [primary, replica], files);
    expect(told).toContain("2 computes, 1 to import, 1 left out");
    expect(told).toContain(`${primary.endpointId}: left out: the stack has it: app`);
    expect(printed).not.toContain(primary.endpointId);
  });

  it("is what no program could name", async () => {
    const { code, told } = await run(ofProject, [{ ...primary, branchId: "main" }]);
    expect(code).toBe(3);
    expect(told).toContain(
      `${primary.endpointId}: left out: branchId is "main", but must be the id of a branch`,
    );
  });

  it("is a branch that --branch does not name, and the Postgres settings", async () => {
    const withSettings = { ...primary, settings: { pgSettings: { work_mem: "4MB" } } };
    const args = [...ofProject, "--branch", primary.branchId];
    const { told } = await run(args, [withSettings, { ...replica, branchId: "br-2" }]);
    expect(told).toContain(`${replica.endpointId}: left out: not a branch of --branch`);
    expect(told).toContain("primary: not managed: Postgres settings: declare those to manage (work_mem)");
  });
});

describe("a call of compute-import", () => {
  it.each([
    ["--project is missing: name the project to import", []],
    ['--project takes the id of a project such as shy-sun-123456, not "br-1"', ["--project", "br-1"]],
    ['--for takes plugin, yaml or dynamic, not "go"', [...ofProject, "--for", "go"]],
    ["--branch takes a branch's id", [...ofProject, "--branch", "main"]],
    ["more", [...ofProject, "more"]],
    ["s is no output of `pulumi stack export`: it is not JSON", [...ofProject, "--stack", "s"]],
  ])("is refused with the way to call it: %s", async (says, args) => {
    const { code, told, printed } = await run(args, []);
    expect(code).toBe(2);
    expect(told).toContain(says);
    expect(told).toContain(importUsage);
    expect(printed).toBe("");
  });

  it.each(["{}", '{"deployment": null}', '{"deployment": 3}'])(
    "is refused for a stack of %s",
    async (text) => {
      const { code, told } = await run([...ofProject, "--stack", "s"], [], { s: text });
      expect(code).toBe(2);
      expect(told).toContain("s is no output of `pulumi stack export`: it has no deployment");
    },
  );

  it("explains itself and tells its version", async () => {
    expect(await run(["--help"], [])).toMatchObject({ code: 0, printed: importUsage });
    expect(await run(["--version"], [])).toMatchObject({
      code: 0,
      printed: "pulumi-compute-endpoint 1.2.3\n",
    });
  });

  it("says what fails at the service", async () => {
    const listEndpoints = (): Promise<never> => Promise.reject(new Error("the service answered 401"));
    const ended = await run(ofProject, { config, listEndpoints });
    expect(ended).toMatchObject({ code: 1, told: "compute-import: the service answered 401\n", printed: "" });
  });

  it("says that it does not write over a file, and what to do", async () => {
    const { code, told } = await run([...ofProject, "--out", "x.ts"], [primary], { "x.ts": "// by hand" });
    expect(code).toBe(1);
    expect(told).toContain(
      "compute-import: x.ts exists already, and it was left as it is. Name another file with --out, or remove this one first\n",
    );
    expect(told).not.toContain("EEXIST");
  });

  it.each([
    { environment: {}, says: "there is no API key. Set the environment variable COMPUTE_API_KEY." },
    { environment: { COMPUTE_API_KEY: "k" }, says: "Set COMPUTE_BASE_URL (without /api/v2)." },
    {
      environment: { COMPUTE_API_KEY: "k", COMPUTE_BASE_URL: "http://127.0.0.1:9" },
      says: "Check the base URL (COMPUTE_BASE_URL) and the network",
    },
  ])("advises the environment alone, since it reads no stack: $says", async ({ environment, says }) => {
    const live = readConfig(() => undefined, environment);
    const listEndpoints = (of: { readonly projectId: string }) => lookupsWith(live).listEndpoints(of);
    const { code, told } = await run(ofProject, { config: live, listEndpoints });
    expect(code).toBe(1);
    expect(told).toContain(says);
    expect(told).not.toMatch(/pulumi config|compute:/);
  });
});

describe("against a service", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => emulator.close());

  it("names the variable alone where the service refuses the key", async () => {
    const { project } = emulator.createProject();
    const environment = { COMPUTE_API_KEY: "another", COMPUTE_BASE_URL: emulator.url };
    const live = readConfig(() => undefined, environment);
    const { code, told } = await run(["--project", project.id], { config: live, ...lookupsWith(live) });
    expect(code).toBe(1);
    expect(told).toMatch(/answered 401.*Check the API key: COMPUTE_API_KEY\.\n$/);
    emulator.clearRequests();
  });

  it("sends one list and nothing else", async () => {
    const { project } = emulator.createProject();
    const environment = { COMPUTE_API_KEY: emulator.apiKey, COMPUTE_BASE_URL: emulator.url };
    const live = readConfig(() => undefined, environment);
    const { code } = await run(["--project", project.id], { config: live, ...lookupsWith(live) });
    expect(code).toBe(0);
    expect(emulator.requests().map(({ method, route }) => `${method} ${String(route)}`)).toEqual([
      "GET listEndpoints",
    ]);
  });
});
