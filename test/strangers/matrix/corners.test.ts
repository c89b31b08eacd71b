import { rmSync } from "node:fs";
import path from "node:path";
import { doors } from "../../support/doors";
import { folderOutside, packInto, succeed } from "../../support/packed";
import { createStack, type TestStack } from "../../support/stack";
import { corners, nameOf, type Corner } from "./corners";
import { computes } from "./program";
import { writeProject, type Project } from "./project";
import { installTools, type Tools } from "./tools";

jest.setTimeout(240_000);

let outside: string;
let tarball: string;
let registry: string;
let tools: Tools;

beforeAll(async () => {
  outside = folderOutside();
  tarball = await packInto(path.join(outside, "packed"));
  registry = (await succeed(["npm", "config", "get", "registry"], outside)).trim();
  tools = await installTools(path.join(outside, "tools"));
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

/** PATH with the corner's Node in front: the package manager, the CLI's hosts and the plugin take it from there. */
function withNode({ node }: Corner, before: string | undefined): { readonly PATH: string } {
  return { PATH: [tools.nodeFolder(node), before ?? ""].join(path.delimiter) };
}

const named = corners.map((corner, index) => ({ corner, index, name: nameOf(corner) }));

describe.each(named)("corners: $name", ({ corner, index }) => {
  let project: Project;
  let nodeOptions: NodeJS.ProcessEnv = {};

  it("install", async () => {
    project = writeProject(path.join(outside, `corner-${index}`), { corner, tarball });
    // Yarn and bun have a registry of their own unless told otherwise: npm's is the one that this machine is set up for.
    const environment = {
      ...withNode(corner, process.env["PATH"]),
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
      NPM_CONFIG_REGISTRY: registry,
    };
    const command = tools.commandOf(corner.manager);
    await succeed([...command, "install"], project.root, environment);
    if (corner.manager !== "yarn PnP") return;
    // What `yarn exec pulumi up` adds to what `pulumi up` has.
    const asked = [...command, "exec", "node", "-p", "process.env.NODE_OPTIONS"];
    nodeOptions = { NODE_OPTIONS: (await succeed(asked, project.root, environment)).trim() };
  });

  describe.each(doors)("%s", (door) => {
    let stack: TestStack;
    const run = async (words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> => {
      const environment = { ...withNode(corner, stack.environment["PATH"]), ...nodeOptions, ...more };
      return (await stack.ok(words, environment)).output;
    };

    beforeAll(async () => {
      project.use(door);
      stack = await createStack({ program: () => project.folder });
      const branch = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
      for (const [key, value] of Object.entries({ projectId: stack.projectId, branchId: branch }))
        await stack.ok(["config", "set", key, value]);
    });
    afterAll(() => stack.close());

    it("up", async () => {
      const told = await run(["up", "--yes", "--skip-preview"], { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
      expect(told).not.toContain("warning: ");
      expect(sizes(stack)).toEqual([0.25, 0.25, 0.25, 0.25]);
      expect(await paths(stack)).toEqual([...computes].sort());
    });

    it("preview's notice", async () => {
      await stack.ok(["config", "set", "size", "large"]);
      const told = await run(["preview", "--diff"]);
      expect(told.match(/^ *warning: restart: size 0\.25 → 1 CU drops open connections/gm)).toHaveLength(4);
      expect(told).toMatch(/~ 4 to update\n/);
    });

    it("destroy", async () => {
      expect(sizes(stack)).toHaveLength(4);
      await run(["destroy", "--yes", "--skip-preview"]);
      expect(sizes(stack)).toEqual([]);
    });
  });
});

/** The sizes of the computes on the program's branch, as the service has them. */
function sizes({ emulator, projectId, defaultBranchId }: TestStack): readonly number[] {
  return emulator
    .endpoints(projectId)
    .map(({ endpoint }) => endpoint)
    .filter((endpoint) => endpoint.branch_id !== defaultBranchId)
    .map((endpoint) => endpoint.autoscaling_limit_max_cu);
}

async function paths(stack: TestStack): Promise<readonly string[]> {
  const { stdout } = await stack.ok(["stack", "export"]);
  const urns = [...stdout.matchAll(/"urn": "urn:pulumi:test::outside::(.*?)"/g)].map(([, rest]) => rest!);
  return urns
    .filter((urn) => /compute:(index:)?Endpoint::/.test(urn))
    .map((urn) => urn.replace(/^(.*\$)?[^$]*::/, "$1"))
    .map((urn) => urn.replaceAll("outside:index:", "").replace(/\$(?=[^$]*$)/, " "))
    .sort();
}
