/**
 * The plugin as users without Node have it: an archive from a download server, on a PATH without Node. The emulator runs in this
 * process.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { archiveName, packFolder } from "../../../tools/plugin/pack";
import { ownPlatform } from "../../../tools/release/node";
import { builtExecutable, pathWithoutNode, whyNoExecutable } from "../../support/executable";
import { whyNot } from "../../support/hosts";
import { packedOutside, succeed, writeFiles } from "../../support/packed";
import { closeServers, listen } from "../../support/servers";
import { pulumiIn, up, useStack, type Commands } from "../../support/stack";

const checkout = path.join(__dirname, "../../..");
const { version } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8")) as {
  readonly version: string;
};
/** Programs in YAML, Python and Go need the language hosts that come with an official engine. */
const whyNotHere = whyNoExecutable ?? whyNot("official");
const describeHere = whyNotHere === undefined ? describe : describe.skip;

describeHere(`the plugin's executable${whyNotHere === undefined ? "" : ` (${whyNotHere})`}`, () => {
  const outside = packedOutside();
  const archive = archiveName(version, ownPlatform ?? "");
  let address: string;
  let withoutNode: string | undefined;
  /** The paths that were requested from the download server. */
  const asked: string[] = [];

  beforeAll(async () => {
    const file = path.join(outside.folder, archive);
    await packFolder(builtExecutable(), file);
    const server = createServer(({ url = "" }, response) => {
      asked.push(url);
      const content = readFileSync(file);
      response.writeHead(200, { "content-length": content.length }).end(content);
    });
    address = `http://127.0.0.1:${String(await listen(server))}`;
  });
  afterAll(closeServers);

  /** The stack's environment, in which the engine may download, and finds no Node. */
  const userOf = (stack: { readonly environment: NodeJS.ProcessEnv }): NodeJS.ProcessEnv => {
    withoutNode ??= pathWithoutNode(stack.environment["PATH"] ?? "", path.join(outside.folder, "bin"));
    return {
      ...stack.environment,
      PATH: withoutNode,
      // The executable does not listen to it. If it did, it would not start.
      NODE_OPTIONS: "--require ./missing.js",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "",
      PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
      PULUMI_STACK: "test",
    };
  };

  describe("with a YAML program", () => {
    const stack = useStack(
      { program: (folder) => yamlProgram(folder, { size: 0.25 }), operationMs: 5 },
      () => {
        pulumi = pulumiIn(stack.folder, userOf(stack));
        declare({ size: 1 });
      },
    );
    let pulumi: Commands;
    const declare = (how: { readonly size: number; readonly policy?: string }): void => {
      yamlProgram(stack.folder, {
        ...how,
        projectId: stack.projectId,
        branchId: (branch ??= stack.emptyBranch()),
      });
    };
    let branch: string | undefined;

    it("is downloaded from a server, and no Node is on PATH", async () => {
      expect(spawnSync("node", { env: userOf(stack) }).error).toMatchObject({ code: "ENOENT" });
      await pulumi.ok(["plugin", "install", "resource", "compute", version, "--server", address]);
      expect(asked).toEqual([`/${archive}`]);
    });

    it("keeps a compute whose create is interrupted with one Ctrl-C, and the next run continues", async () => {
      stack.emulator.setTimeline({ action: "start_compute", runningMs: 60_000, times: 1 });
      const { code, output } = await pulumi.interrupted(up, () =>
        stack.emulator.requests().some(({ route }) => route === "getOperation"),
      );
      expect(code).not.toBe(0);
      expect(output).toContain("the run was interrupted while operation");
      for (const operation of stack.emulator.operations(stack.projectId))
        if (operation.status === "running") stack.emulator.endOperation(operation.id);
      await pulumi.up();
      expect(await pulumi.outputs()).toEqual({
        host: expect.stringMatching(/^ep-\S+\.localhost$/) as string,
      });
      expect(stack.computes(branch)).toHaveLength(1);
    });

    it("announces a restart, and forbids one", async () => {
      declare({ size: 2 });
      const { output } = await pulumi.ok(["preview", "--diff"]);
      expect(output).toContain("restart: size 1 → 2 CU drops open connections");
      await pulumi.up();
      declare({ size: 4, policy: "forbid" });
      expect(await pulumi.fails(["preview"])).toContain("forbid");
      expect(stack.emulator.endpoint(stack.computes(branch)[0]!).endpoint.autoscaling_limit_max_cu).toBe(2);
      declare({ size: 2 });
    });

    it("imports a compute, and destroys all", async () => {
      const [id = ""] = stack.computes(stack.defaultBranchId);
      const words = ["import", "compute:index:Endpoint", "theirs", `${stack.projectId}/${id}`, "--yes"];
      await pulumi.ok([...words, "--protect=false", "--out", path.join(outside.folder, "imported.yaml")]);
      expect((await pulumi.stateOf("theirs"))?.id).toBe(id);
      await pulumi.destroy();
      expect(stack.computes()).toEqual([]);
    });
  });

  describe.each(["python", "go"])("with examples/%s and a generated SDK", (language) => {
    const lacks = whyNot("official");
    if (lacks !== undefined) {
      it.skip(`comes up: ${lacks}`, () => undefined);
      return;
    }
    const copy = (): string => path.join(outside.folder, language);
    const stack = useStack({
      program: () => {
        cpSync(path.join(checkout, "examples", language), copy(), { recursive: true });
        // As the page says: with this line, the CLI takes the name for a folder of npm's.
        const project = readFileSync(path.join(copy(), "Pulumi.yaml"), "utf8");
        writeFiles(copy(), { "Pulumi.yaml": project.replace(/^packages:\n.*\n/m, "") });
        return copy();
      },
    });

    it("comes up, announces a restart, and goes", async () => {
      const pulumi = pulumiIn(copy(), userOf(stack));
      const branchId = stack.emptyBranch();
      await pulumi.ok(["plugin", "install", "resource", "compute", version, "--server", address]);
      await pulumi.ok(["package", "add", `compute@${version}`]);
      expect(readFileSync(path.join(copy(), "Pulumi.yaml"), "utf8")).toContain(
        `compute: compute@${version}\n`,
      );
      await pulumi.ok(["config", "set", "projectId", stack.projectId]);
      await pulumi.ok(["config", "set", "branchId", branchId]);
      await pulumi.up();
      expect(stack.computes(branchId)).toHaveLength(2);
      await pulumi.ok(["config", "set", "size", "1"]);
      expect((await pulumi.ok(["preview"])).output).toContain(
        "restart: size 0.25 → 1 CU drops open connections",
      );
      await pulumi.destroy();
      expect(stack.computes(branchId)).toEqual([]);
    });
  });

  describe("with a TypeScript program and two lines in Pulumi.yaml", () => {
    const stack = useStack({ variant: "native" });

    it("is downloaded when the program first uses it, from the owner's releases", async () => {
      const folder = path.join(outside.folder, "typescript");
      writeFiles(folder, { "package.json": '{ "name": "typescript" }', "index.js": nodeProgram(stack) });
      writeFiles(folder, {
        "Pulumi.yaml": "name: tested\nruntime: { name: nodejs, options: { typescript: false } }\n",
      });
      await succeed(["npm", "install", ...npm, outside.tarball], folder);
      symlinkSync(path.join(checkout, "node_modules/@pulumi"), path.join(folder, "node_modules/@pulumi"));
      const installed = path.join(folder, "node_modules/pulumi-compute-endpoint/package.json");
      writeFileSync(installed, readFileSync(installed, "utf8").replaceAll("/OWNER/", "/acme/"));
      asked.length = 0;
      const environment = {
        ...userOf(stack),
        PATH: stack.environment["PATH"],
        NODE_OPTIONS: "",
        PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `^github://api.github.com/acme/pulumi-compute-endpoint$=${address}`,
      };
      const pulumi = pulumiIn(folder, environment);
      const before = stack.computes().length;
      const { output } = await pulumi.up();
      expect(asked).toEqual([`/${archive}`]);
      expect(output).not.toMatch(/warning/);
      expect(stack.computes()).toHaveLength(before + 1);
      await pulumi.destroy();
      expect(stack.computes()).toHaveLength(before);
    });
  });
});

const npm = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--legacy-peer-deps"];

function nodeProgram(stack: { readonly projectId: string; emptyBranch(): string }): string {
  return `
const { Endpoint, fixedSize } = require("pulumi-compute-endpoint/native");
const args = { projectId: "${stack.projectId}", branchId: "${stack.emptyBranch()}", ...fixedSize(1) };
exports.host = new Endpoint("app", args).host;
`;
}

interface Declared {
  readonly size: number;
  readonly policy?: string;
  readonly projectId?: string;
  readonly branchId?: string;
}

/** Writes a program with one compute. @returns its folder */
function yamlProgram(folder: string, { size, policy, projectId = "", branchId = "" }: Declared): string {
  const lines = [
    "name: tested",
    "runtime: yaml",
    "resources:",
    "  app:",
    "    type: compute:Endpoint",
    "    properties:",
    `      projectId: ${projectId}`,
    `      branchId: ${branchId}`,
    `      autoscalingLimitMinCu: ${size}`,
    `      autoscalingLimitMaxCu: ${size}`,
    ...(policy === undefined ? [] : [`      onInterruption: ${policy}`]),
    "outputs:",
    "  host: ${app.host}",
    "",
  ];
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, { "Pulumi.yaml": lines.join("\n") });
  return folder;
}
