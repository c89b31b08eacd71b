import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { npmInstall, packageName as name, packedOutside } from "../support/packed";
import { useStack, type TestStack } from "../support/stack";

const template = path.join(__dirname, "..", "..", "template");
const outside = packedOutside();

/** The other package managers are in test/strangers/matrix/corners.test.ts. */
describe("the template, installed with npm", () => {
  let project: string;

  const stack = useStack({}, async () => {
    project = path.join(outside.folder, "template");
    // `pulumi new` without its install, which would fetch the published package.
    const described = ["--name", "first-stack", "--description", "A first stack", "--dir", project];
    const { output } = await stack.ok(["new", template, "--generate-only", "--yes", "--force", ...described]);
    // With --yes it asks nothing, so it says what to set.
    for (const wanted of ["COMPUTE_BASE_URL", "COMPUTE_API_KEY", "projectId", "branchId"])
      expect(output).toContain(wanted);
    const manifest = path.join(project, "package.json");
    const text = readFileSync(manifest, "utf8");
    const published = new RegExp(`(?<="${name}": )"\\^[^"]+"`);
    expect(text).toMatch(published);
    writeFileSync(manifest, text.replace(published, `"file:${outside.tarball}"`));
    await npmInstall(project);
  });

  it("has the names that were given, and no placeholder", () => {
    const texts = ["Pulumi.yaml", "package.json"].map((file) =>
      readFileSync(path.join(project, file), "utf8"),
    );
    for (const text of texts) {
      expect(text).toContain("first-stack");
      expect(text).not.toContain("${");
    }
  });

  it("comes up with configuration alone and with its types checked, shows no change afterwards, and can be destroyed", async () => {
    const run = (...words: string[]): ReturnType<TestStack["ok"]> =>
      stack.ok([words[0]!, "--cwd", project, ...words.slice(1)], { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
    await run("stack", "init", "dev");
    // The branch without a primary, which the README and the emulator name.
    const [before, branchId] = [stack.computes(), stack.emptyBranch()];
    const config = { projectId: stack.projectId, branchId, maxCu: "1" };
    for (const [key, value] of Object.entries(config)) await run("config", "set", key, value);
    const { output } = await run("up", "--yes", "--skip-preview", "--debug");
    expect(output).toMatch(/Found ts-node version: 10\.\d+\.\d+ at \S*ts-node/);
    const made = stack.computes(branchId).map((id) => stack.emulator.endpoint(id).endpoint);
    const { stdout } = await run("stack", "output", "--json");
    const [primaryHost, readerHost] = ["read_write", "read_only"].map(
      (type) => made.find((endpoint) => endpoint.type === type)?.host,
    );
    expect(JSON.parse(stdout)).toEqual({ primaryHost, readerHost });
    await run("preview", "--expect-no-changes");
    await run("destroy", "--yes", "--skip-preview");
    expect(stack.computes()).toEqual(before);
  });
});
