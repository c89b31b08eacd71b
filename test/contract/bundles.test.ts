/**
 * Checks the licences and the bill of materials of the packages in the built bundles. The reference is the bundler's own
 * comments in a bundle that is not minified.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const checkout = path.join(__dirname, "..", "..");
const textOf = (file: string): string => readFileSync(path.join(checkout, file), "utf8");

interface Manifest {
  readonly name: string;
  readonly version: string;
}

/** The packages in the bundle of an entry point. */
function packagesOf(entry: string): readonly (Manifest & { readonly folder: string })[] {
  const alias = `--alias:undici=${path.join(checkout, "tools", "plugin", "undici.js")}`;
  const words = [entry, "--bundle", "--platform=node", alias, "--external:@grpc/proto-loader"];
  const options = { cwd: checkout, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  const text = execFileSync(require.resolve("esbuild/bin/esbuild"), words, options);
  const folders = text.matchAll(/^ *\/\/ (node_modules\/(?:@[^/\n]+\/)?[^/\n]+)\//gm);
  return [...new Set([...folders].map(([, folder = ""]) => folder))].map((folder) => ({
    ...(JSON.parse(textOf(path.join(folder, "package.json"))) as Manifest),
    folder,
  }));
}

const bundles = [
  { file: "dist/plugin/plugin.js", entry: "provider/plugin.ts", holds: "google-protobuf" },
  { file: "dist/provider/index.js", entry: "provider/index.ts", holds: "undici" },
  { file: "dist/emulator/main.js", entry: "emulator/main.ts", holds: "hono" },
  { file: "dist/verify/main.js", entry: "verify/main.ts", holds: "zod" },
  { file: "action/bundle.js", entry: "action/main.ts", holds: "zod" },
];

it.each(bundles)("$file ends with the licence of each package in it", ({ file, entry, holds }) => {
  const packages = packagesOf(entry);
  expect(packages.map(({ name }) => name)).toContain(holds);
  const [, notices = ""] = textOf(file).split("/*! Licences of the packages in this file.");
  for (const { name, version, folder } of packages) {
    expect(notices).toContain(`${name} ${version}`);
    const files = readdirSync(path.join(checkout, folder)).filter((each) => /^licen[cs]e/i.test(each));
    const texts = files.map((licence) => textOf(path.join(folder, licence)));
    // Without a file of its own, the licence is the last section of the README.
    if (texts.length === 0) texts.push(textOf(path.join(folder, "README.md")).split(/^## licen[cs]e$/im)[1]!);
    expect(texts.join("")).toContain("Copyright");
    for (const text of texts) {
      const lines = text.split(/\r?\n/);
      const said = lines.map((line) => line.trimEnd()).filter((line) => line !== "" && !line.includes("*/"));
      expect(said.filter((line) => !notices.includes(line))).toEqual([]);
    }
  }
});

it("the plugin's folder has this package's licence, and so do its archives", () => {
  expect(textOf("dist/plugin/LICENSE")).toBe(textOf("LICENSE"));
});

it("the bill of materials has each bundled package with its version, its licence and its bundles", () => {
  const { components } = JSON.parse(textOf("dist/bundled.cdx.json")) as {
    readonly components: readonly (Manifest & {
      readonly scope: string;
      readonly hashes: readonly { readonly content: string }[];
      readonly licenses: readonly object[];
      readonly properties: readonly { readonly value: string }[];
    })[];
  };
  const expected = bundles.flatMap(({ file, entry }) =>
    packagesOf(entry).map(({ name, version }) => `${name} ${version} in ${file}`),
  );
  const listed = components.flatMap(({ name, version, properties }) =>
    properties.map(({ value }) => `${name} ${version} in ${value}`),
  );
  expect(listed.sort()).toEqual(expected.sort());
  for (const { scope, hashes, licenses } of components) {
    expect([scope, licenses.length]).toEqual(["required", 1]);
    expect(hashes[0]?.content).toMatch(/^[0-9a-f]{128}$/);
  }
});
