import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import { variants } from "../../support/variants";
import { packedOutside, writeFiles } from "../../support/packed";
import { pluginLines } from "../../support/stack";
import { comesUpAndGoesAway, programFor } from "./life";
import { sdk } from "./versions";

jest.setTimeout(240_000);

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

const outside = packedOutside({ "@pulumi/pulumi": sdk.pinned });

describe.each(bundles)("bundles: $bundle", ({ format, packages }) => {
  describe.each(variants)("%s", (variant) => {
    comesUpAndGoesAway({
      prepare: () => {
        const { folder } = outside;
        const suffix = format === "esm" ? "mjs" : "cjs";
        const bundle = path.join("bin", `${variant}-${packages}.${suffix}`);
        mkdirSync(path.join(folder, "bin"), { recursive: true });
        buildSync({
          stdin: { contents: programFor(variant, "ES module"), resolveDir: folder },
          outfile: path.join(folder, bundle),
          absWorkingDir: folder,
          bundle: true,
          platform: "node",
          format,
          packages,
          external: ["@pulumi/pulumi"],
          logLevel: "error",
          ...(format === "esm" && packages === "bundle" && { banner: { js: requireBanner } }),
        });
        const runtime = "runtime:\n  name: nodejs\n  options: { typescript: false }\n";
        rmSync(path.join(folder, "Pulumi.test.yaml"), { force: true });
        writeFiles(folder, { "Pulumi.yaml": `name: outside\n${runtime}main: ${bundle}\n${pluginLines}` });
        return folder;
      },
    });
  });
});
