import path from "node:path";
import { variants } from "../../support/variants";
import { npmRegistry, packedOutside, succeed } from "../../support/packed";
import { corners, nameOf, type Corner } from "./corners";
import { comesUpAndGoesAway } from "./life";
import { writeProject, type Project } from "./project";
import { installTools, type Tools } from "./tools";
import { node } from "./versions";

jest.setTimeout(240_000);

const outside = packedOutside();
let tools: Tools;

beforeAll(async () => {
  tools = await installTools(path.join(outside.folder, "tools"));
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
    const { folder, tarball } = outside;
    project = writeProject(path.join(folder, `corner-${index}`), { corner, tarball });
    const registry = await npmRegistry();
    const environment = {
      ...withNode(corner, process.env["PATH"]),
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
      NPM_CONFIG_REGISTRY: registry,
    };
    expect((await succeed(["node", "-v"], project.root, environment)).trim()).toBe(`v${node[corner.node]}`);
    const command = tools.commandOf(corner.manager);
    await succeed([...command, "install"], project.root, environment);
    if (corner.manager !== "yarn PnP") return;
    // What `yarn exec pulumi up` adds to what `pulumi up` has.
    const asked = [...command, "exec", "node", "-p", "process.env.NODE_OPTIONS"];
    nodeOptions = { NODE_OPTIONS: (await succeed(asked, project.root, environment)).trim() };
  });

  describe.each(variants)("%s", (variant) => {
    comesUpAndGoesAway({
      prepare: () => {
        project.use(variant);
        return project.folder;
      },
      environment: (own) => ({ ...withNode(corner, own["PATH"]), ...nodeOptions }),
    });
  });
});
