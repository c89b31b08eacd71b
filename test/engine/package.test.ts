import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { packedOutside, succeed } from "../support/packed";

const checkout = path.join(__dirname, "..", "..");

const outside = packedOutside();

describe("the package", () => {
  let installed: string;
  const files = (): readonly string[] =>
    readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
      .map((file) => file.replaceAll(path.sep, "/"));
  const textOf = (file: string): string => readFileSync(path.join(installed, file), "utf8");

  beforeAll(async () => {
    installed = path.join(outside.folder, "unpacked", "package");
    mkdirSync(path.dirname(installed));
    await succeed(["tar", "-xzf", outside.tarball], path.dirname(installed));
  });

  it("has the same bytes if npm's scripts build it first", async () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    expect(scripts).toMatchObject({ prepack: "node tools/bootstrap.js prepack" });
    const second = path.join(outside.folder, "second");
    mkdirSync(second);
    await succeed(["npm", "pack", "--silent", "--pack-destination", second], checkout);
    const packed = readFileSync(path.join(second, path.basename(outside.tarball)));
    expect(packed.equals(readFileSync(outside.tarball))).toBe(true);
  });

  it("holds the built code, its types, the plugin and the package's texts, and nothing else", () => {
    const expected =
      /^(dist\/(sdk|provider|preview|import|emulator)\/[\w/]+\.(js|d\.ts)|package\.json|docs\/(what-happens-when|assistants)\.md|README\.md|CHANGELOG\.md|LICENSE)$/;
    const others = files().filter((file) => !expected.test(file));
    const ofPlugin = others.filter((file) => path.dirname(file) === "dist/plugin");
    expect(others.filter((file) => !ofPlugin.includes(file)).sort()).toEqual([
      "dist/bundled.cdx.json",
      "dist/package/PulumiPlugin.yaml",
      "dist/package/package.json",
      "dist/package/pulumi-resource-compute",
      "dist/package/pulumi-resource-compute.cmd",
      "dist/preview/report.schema.json",
      "dist/verify/main.js",
      "dist/verify/report.schema.json",
    ]);
    expect(ofPlugin.map((file) => path.basename(file)).sort()).toEqual([
      "LICENSE",
      "package.json",
      "plugin.js",
      "pulumi-resource-compute",
      "pulumi-resource-compute.cmd",
      "schema.json",
    ]);
    const { exports } = JSON.parse(textOf("package.json")) as { exports: object };
    expect(files()).toEqual(expect.arrayContaining(JSON.stringify(exports).match(/(?<="\.\/)dist\/[^"]+/g)!));
    expect(files()).toEqual(
      expect.arrayContaining([
        "README.md",
        "docs/assistants.md",
        "CHANGELOG.md",
        "LICENSE",
        "dist/sdk/index.d.ts",
      ]),
    );
  });

  it("holds the pages that its messages name", () => {
    const code = files().filter((file) => file.endsWith(".js"));
    const named = code.flatMap((file) => textOf(file).match(/(?<=" in )docs\/[\w/-]+\.md/g) ?? []);
    expect(named).toContain("docs/what-happens-when.md");
    expect(files()).toEqual(expect.arrayContaining(named));
  });

  it.each(["import", "preview", "verify", "emulator"])(
    "says which Node compute-%s needs, if this Node is older",
    (room) => {
      const older = path.join(outside.folder, "older.js");
      writeFileSync(older, 'Object.defineProperty(process.versions, "node", { value: "18.20.4" });');
      const ran = spawnSync("node", ["--require", older, path.join(installed, `dist/${room}/main.js`)]);
      expect([ran.status, ran.stderr.toString()]).toEqual([
        1,
        `compute-${room} needs Node 20.18.1 or later, and the node on PATH is 18.20.4.\n`,
      ]);
    },
  );

  it("names no folder of the machine that built it, and has no link to a source map", () => {
    const revealing = [`${checkout}/`, `${homedir()}/`, "//# sourceMappingURL"];
    const found = files().filter((file) => revealing.some((text) => textOf(file).includes(text)));
    expect(found).toEqual([]);
  });

  it("runs nothing when it is installed", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    for (const script of ["preinstall", "install", "postinstall", "prepare"])
      expect(scripts).not.toHaveProperty(script);
  });
});
