import type { ConnectedProject } from "../../../import/command";
import { importUsage } from "../../../import/commandLine";
import type { EndpointFacts } from "../../../provider/facts";
import { readConfig } from "../../../provider/settings/config";
import { config, ofProject, primary, replica, run, type Ended } from "./running";

const importing = (listed: readonly EndpointFacts[], ...args: readonly string[]): Promise<Ended> =>
  run([...ofProject, ...args], listed);

describe("compute-import for the plugin", () => {
  it("writes the file for `pulumi import`, with names from branches and types", async () => {
    const { code, printed, told } = await importing([replica, primary]);
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
    expect(told).toContain('load that file in the program, in TypeScript with `import "./imported";`');
  });

  it("writes no version for YAML, and suggests an output other than Pulumi.yaml, which the import would empty", async () => {
    const { printed, told } = await importing([primary], "--for", "yaml");
    expect(printed).not.toContain("version");
    expect(told).toContain("`pulumi import --file FILE --out imported.yaml`");
    expect(told).toContain("Then append its resources to Pulumi.yaml by hand.");
  });

  it("gives a compute the same name whatever else the project has", async () => {
    const others = Array.from({ length: 20 }, (_, at) => ({ ...replica, endpointId: `ep-other-${at}` }));
    const names = ({ printed }: Ended): readonly string[] => printed.match(/"name": ".*"/g) ?? [];
    const alone = names(await importing([primary, replica]));
    const among = names(await importing([...others, replica, primary]));
    expect(among).toEqual(expect.arrayContaining([...alone]));
    expect(new Set(among).size).toBe(22);
  });

  it("uses the branch names that it is given, and adds ids to computes that would share a name", async () => {
    const branches = ["--branch", "br-odd-river-22222222=main", "--branch", "br-2=main"];
    const other = { ...primary, branchId: "br-2", endpointId: "ep-2" };
    const { printed } = await importing([primary, other], ...branches);
    expect(printed).toContain('"main-primary-ep-calm-sea-11111111"');
    expect(printed).toContain('"main-primary-ep-2"');
  });
});

describe("compute-import for the dynamic provider", () => {
  it("writes a program that adopts each compute with the service's own values", async () => {
    const { code, printed } = await importing([primary, replica], "--for", "dynamic");
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

  it("leaves out what has no effect with Neon", async () => {
    const neon = readConfig(() => undefined, { COMPUTE_SERVICE: "neon" });
    const ineffective = { poolerEnabled: false, poolerMode: "transaction", passwordlessAccess: true };
    const listEndpoints = () => Promise.resolve([{ ...primary, ...ineffective }]);
    const printedWith = async (used: ConnectedProject["config"]): Promise<string> =>
      (await run([...ofProject, "--for", "dynamic"], { config: used, listEndpoints })).printed;
    for (const name of Object.keys(ineffective)) {
      expect(await printedWith(config)).toContain(`  ${name}: `);
      expect(await printedWith(neon)).not.toContain(name);
    }
    expect(await printedWith(neon)).toContain("suspendTimeoutSeconds: 300");
  });

  it("leaves out a value that a program cannot declare, and says why", async () => {
    const large = {
      ...primary,
      autoscalingLimitMinCu: 16,
      autoscalingLimitMaxCu: 16,
      suspendTimeoutSeconds: 5,
    };
    const { printed, told } = await importing([large], "--for", "dynamic");
    expect(printed).not.toMatch(/Size|Limit|suspend/);
    expect(told).toContain("values not managed: autoscalingLimitMinCu is 16, but must be one of 0.25,");
    expect(told).toContain("values not managed: suspendTimeoutSeconds is 5, but must be 0");
  });
});

it.each([
  {
    variant: "plugin",
    steering: { endpointId: "ep-a-\u001b[2J\u202eb" },
    written: '/ep-a-\\u001b[2J\\u202eb"',
  },
  {
    variant: "dynamic",
    steering: { name: "a\u202eb\u2028c\u{e0041}" },
    written: '"a\\u202eb\\u2028c\\udb40\\udc41"',
  },
])(
  "a character that can steer a terminal, or hide what a program does, is escaped: $variant",
  async ({ variant, steering, written }) => {
    const steered = { ...replica, poolerMode: "a\u202eb\u2028c\u{e0041}", ...steering };
    const { printed, told } = await importing([steered], "--for", variant);
    expect(`${told}${printed}`).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(printed).toContain(written);
    const odd = { ...steered, branchId: "br-a\u202eb" };
    expect((await importing([odd], "--for", variant)).told).toContain("br-a\\u{202e}b");
  },
);

describe("compute-import leaves out", () => {
  const type = "urn:pulumi:dev::shop::compute:index:Endpoint";
  const held = { urn: `${type}::app`, id: primary.endpointId };
  const external = { urn: `${type}::read`, id: replica.endpointId, external: true };
  const exported = JSON.stringify({ version: 3, deployment: { resources: [held, null, external] } });

  it.each([
    ["`pulumi stack export`", exported],
    ["PowerShell's UTF-16", Buffer.from(`\uFEFF${exported}`, "utf16le")],
  ])("a compute that the stack has, as read from %s", async (_form, stack) => {
    const args = [...ofProject, "--stack", "s"];
    const { code, printed, told } = await run(args, [primary, replica], { s: stack });
    expect(code).toBe(0);
    expect(told).toContain("2 computes, 1 to import, 1 left out");
    expect(told).toContain(`${primary.endpointId}: left out: the stack already has it as app`);
    expect(printed).not.toContain(primary.endpointId);
    expect((await run(args, [primary], { s: stack })).code).toBe(3);
  });

  const settings = { pgSettings: { work_mem: "4MB" } };
  const elsewhere = { ...replica, branchId: "br-2" };
  it.each<[what: string, listed: EndpointFacts[], args: string[], says: string]>([
    [
      "a compute that no program can name",
      [{ ...primary, branchId: "main" }],
      [],
      `${primary.endpointId}: left out: branchId is "main", but must be the id of a branch`,
    ],
    [
      "a compute that no program can adopt",
      [{ ...primary, endpointId: "ep-_a" }],
      ["--for", "dynamic"],
      'ep-_a: left out: adopt is "ep-_a", but must be a compute id',
    ],
    [
      "the computes of a branch that --branch does not name",
      [primary, elsewhere],
      ["--branch", primary.branchId],
      `${replica.endpointId}: left out: its branch is not selected by --branch`,
    ],
    [
      "the Postgres settings",
      [{ ...primary, settings }],
      [],
      "primary: values not managed: Postgres settings (work_mem). To manage a setting, declare it",
    ],
  ])("%s", async (...[, listed, args, says]) => {
    const { code, told, printed } = await importing(listed, ...args);
    expect(told).toContain(says);
    expect(code).toBe(printed.includes('"name"') ? 0 : 3);
  });
});

describe("a call of compute-import", () => {
  const ofStack = [...ofProject, "--stack", "s"];
  const noDeployment = "s is not the output of `pulumi stack export`: it has no deployment";
  it.each<[says: string, args: string[], stack?: string]>([
    ["--project is missing: name the project to import", []],
    ['--project takes the id of a project such as shy-sun-123456, not "br-1"', ["--project", "br-1"]],
    ['--for takes plugin, yaml or dynamic, not "go"', [...ofProject, "--for", "go"]],
    ["--branch takes the id of a branch", [...ofProject, "--branch", "main"]],
    ["s is not the output of `pulumi stack export`: it is not JSON", ofStack],
    [noDeployment, ofStack, "{}"],
  ])("is refused with the usage: %s, %j", async (...[says, args, stack = ""]) => {
    const { code, told, printed } = await run(args, [], { s: stack });
    expect({ code, printed }).toEqual({ code: 2, printed: "" });
    expect(told).toContain(says);
    expect(told).toContain(importUsage);
  });

  it("names the file that a full disk cannot take, and says what to do", async () => {
    const { code, told } = await run([...ofProject, "--out", "full-disk.ts"], [primary]);
    expect(code).toBe(1);
    expect(told).toContain(
      "compute-import: full-disk.ts could not be written (ENOSPC: no space left on device, write). Make room for it, or choose another file with --out\n",
    );
  });

  it("does not overwrite a file, and says what to do", async () => {
    const { code, told } = await run([...ofProject, "--out", "x.ts"], [primary], { "x.ts": "// by hand" });
    expect(code).toBe(1);
    expect(told).toContain(
      "compute-import: x.ts already exists and was not overwritten. Choose another file with --out, or remove this one first\n",
    );
    expect(told).not.toContain("EEXIST");
  });
});
