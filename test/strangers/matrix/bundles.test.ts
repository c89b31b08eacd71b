import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import { variants } from "../../support/variants";
import { folderOutside, npmInstall, packInto, writeFiles } from "../../support/packed";
import { pluginLines } from "../../support/stack";
import { comesUpAndGoesAway } from "./life";
import { programFor } from "./program";
import { sdk } from "./versions";

jest.setTimeout(240_000);

const name = "pulumi-compute-endpoint";

interface Bundle {
  readonly bundle: string;
  readonly format: "cjs" | "esm";
  readonly packages: "external" | "bundle";
}

/** The SDK stays outside of each: it loads files beside its own. The provider's process loads the package that is installed. */
const bundles: readonly Bundle[] = [
  { bundle: "CommonJS, its packages outside", format: "cjs", packages: "external" },
  { bundle: "CommonJS, the package in it", format: "cjs", packages: "bundle" },
  { bundle: "ES module, its packages outside", format: "esm", packages: "external" },
  { bundle: "ES module with a require, the package in it", format: "esm", packages: "bundle" },
];

/** What esbuild's own documentation says for CommonJS packages in a bundle that is an ES module. */
const requireBanner =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

let outside: string;

beforeAll(async () => {
  outside = folderOutside();
  const tarball = await packInto(path.join(outside, "packed"));
  // A version: the engine must not take it for the plugin's.
  const manifest = { name: "outside", version: "7.7.7", private: true };
  const dependencies = { "@pulumi/pulumi": sdk.pinned, [name]: `file:${tarball}` };
  writeFiles(outside, { "package.json": JSON.stringify({ ...manifest, dependencies }) });
  await npmInstall(outside);
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

describe.each(bundles)("bundles: $bundle", ({ format, packages }) => {
  describe.each(variants)("%s", (variant) => {
    comesUpAndGoesAway({
      prepare: () => {
        const suffix = format === "esm" ? "mjs" : "cjs";
        const bundle = path.join("bin", `${variant}-${packages}.${suffix}`);
        mkdirSync(path.join(outside, "bin"), { recursive: true });
        buildSync({
          stdin: { contents: programFor(variant, "ES module"), resolveDir: outside },
          outfile: path.join(outside, bundle),
          absWorkingDir: outside,
          bundle: true,
          platform: "node",
          format,
          packages,
          external: ["@pulumi/pulumi"],
          logLevel: "error",
          ...(format === "esm" && packages === "bundle" && { banner: { js: requireBanner } }),
        });
        const runtime = "runtime:\n  name: nodejs\n  options: { typescript: false }\n";
        rmSync(path.join(outside, "Pulumi.test.yaml"), { force: true });
        writeFiles(outside, { "Pulumi.yaml": `name: outside\n${runtime}main: ${bundle}\n${pluginLines}` });
        return outside;
      },
    });
  });
});
