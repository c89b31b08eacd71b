import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { schemaFor } from "../../../../../provider/host/plugin/engineSchema";
import { temporaryFolder } from "../../../../support/temporaryFolder";

const schema = '{"name":"compute","language":{"python":{}}}';
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

function installPackage(): void {
  const modules = path.join(folder, "node_modules", "pulumi-compute-endpoint");
  mkdirSync(modules, { recursive: true });
  const exports = { "./native": "./native.js" };
  writeFileSync(
    path.join(modules, "package.json"),
    JSON.stringify({ name: "pulumi-compute-endpoint", exports }),
  );
  writeFileSync(path.join(modules, "native.js"), "");
}

describe("the schema for the engine", () => {
  it("names the npm package in a project that has it: `pulumi import` writes a program that runs", () => {
    installPackage();
    expect(JSON.parse(schemaFor(schema, { project: "shop", folders: [folder] }))).toEqual({
      name: "compute",
      language: { python: {}, nodejs: { packageName: "pulumi-compute-endpoint/native" } },
    });
  });

  it("names it too where the plugin is the package's: `pulumi convert --out` writes outside of the project", () => {
    installPackage();
    const plugin = path.join(folder, "node_modules", "pulumi-compute-endpoint", "dist", "plugin");
    const folders = [path.join(tmpdir(), "elsewhere"), plugin];
    expect(schemaFor(schema, { project: "shop", folders })).toContain("pulumi-compute-endpoint/native");
  });

  it("names no package otherwise: npm would refuse an SDK of that name", () => {
    expect(schemaFor(schema, { project: "shop", folders: [folder] })).toBe(schema);
    installPackage();
    expect(schemaFor(schema, { project: undefined, folders: [folder] })).toBe(schema);
    expect(schemaFor(schema, { project: "", folders: [folder] })).toBe(schema);
  });
});
