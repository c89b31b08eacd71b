import { readFileSync } from "node:fs";
import path from "node:path";
import { npmInstall, packageName as name, packedOutside, succeed, writeFiles } from "../../support/packed";
import { checkoutFolder } from "../../../tools/checkout";
import { sdk, typescript } from "./versions";

jest.setTimeout(240_000);

/** One name of each entry point at least, so that a resolution which finds an empty module is noticed. */
const uses: Readonly<Record<string, string>> = {
  ".": `import { Endpoint, fixedSize, type EndpointArgs } from "${name}";
export const args: EndpointArgs = { projectId: "p", branchId: "br", ...fixedSize(1) };
export const host = new Endpoint("app", args).host.apply((text: string) => text.length);
// @ts-expect-error -- a size that there is not: the types are those of the package, and no \`any\`.
export const wrong: EndpointArgs = { projectId: "p", branchId: "br", ...fixedSize("large") };`,
  "./native": `import { Endpoint as Native, Provider } from "${name}/native";
export const other = new Provider("other", {
  baseUrl: "https://compute.example.com",
  onInterruption: "forbid",
  requestsPerMinute: 0,
});
export const nativeHost = new Native("native", args, { provider: other }).host;`,
  "./provider": `import { endpoint } from "${name}/provider";
export const handlers: object = endpoint;`,
  "./preview": `import { reportVersion, type Report } from "${name}/preview";
export const versionOf = ({ version }: Report): boolean => version === reportVersion;`,
  "./emulator": `import { startEmulator, type Emulator } from "${name}/emulator";
export const started: Promise<Emulator> = startEmulator();`,
  "./preview/report.schema.json": `import schema from "${name}/preview/report.schema.json";
export const title: string = schema.title;`,
};

const program = Object.values(uses).join("\n");

interface Resolution {
  readonly resolution: string;
  readonly file: "program.cts" | "program.mts" | "program.ts";
  readonly options: Readonly<Record<string, unknown>>;
}

const resolutions: readonly Resolution[] = [
  {
    resolution: "node10",
    file: "program.ts",
    options: { module: "commonjs", moduleResolution: "node10", esModuleInterop: true },
  },
  { resolution: "node16 CJS", file: "program.cts", options: { module: "node16" } },
  { resolution: "node16 ESM", file: "program.mts", options: { module: "node16" } },
  { resolution: "nodenext", file: "program.mts", options: { module: "nodenext" } },
  { resolution: "bundler", file: "program.ts", options: { module: "esnext", moduleResolution: "bundler" } },
];

/** The oldest compiler with the oldest SDK, the newest with the newest. */
const rows = [
  { compiler: typescript.oldest, sdkVersion: sdk.floor },
  { compiler: typescript["5.9"], sdkVersion: sdk.pinned },
  { compiler: typescript["6"], sdkVersion: sdk.newest },
  { compiler: typescript.newest, sdkVersion: sdk.newest },
];
const majorOf = (version: string): number => Number.parseInt(version, 10);

/** What the SDK's gRPC takes from `long` is found by TypeScript 5.4 as a namespace, where it resolves as a bundler. */
function ownTypesAllow(compiler: string, resolution: string): boolean {
  return !(compiler === typescript.oldest && resolution === "bundler");
}

const outside = packedOutside();

it("uses every entry point that the package has", () => {
  const { exports } = JSON.parse(readFileSync(path.join(checkoutFolder, "package.json"), "utf8")) as {
    exports: Record<string, unknown>;
  };
  expect(Object.keys(uses).sort()).toEqual(
    Object.keys(exports)
      .filter((entry) => entry !== "./package.json")
      .sort(),
  );
});

describe.each(rows)("types: TypeScript $compiler, SDK $sdkVersion", ({ compiler, sdkVersion }) => {
  let folder: string;

  it("install", async () => {
    folder = path.join(outside.folder, `typescript-${compiler}`);
    const dependencies = {
      "@pulumi/pulumi": sdkVersion,
      [name]: `file:${outside.tarball}`,
      hono: "4",
      "@hono/node-server": "2",
      "@types/node": "22",
      // Under a name of its own: the SDK's peer range ends below 7, though its types do not.
      compiler: `npm:typescript@${compiler}`,
    };
    writeFiles(folder, { "package.json": JSON.stringify({ private: true, dependencies }) });
    await npmInstall(folder);
  });

  for (const { resolution, file, options } of resolutions)
    if (resolution === "node10" && majorOf(compiler) >= 7)
      it.skip(`${resolution} (skipped: TypeScript 7 has removed it)`, () => undefined);
    else
      it(resolution, async () => {
        const compilerOptions = {
          strict: true,
          target: "ES2022",
          resolveJsonModule: true,
          types: ["node"],
          skipLibCheck: !ownTypesAllow(compiler, resolution),
          noEmit: true,
          ...options,
          ...(resolution === "node10" && majorOf(compiler) === 6 && { ignoreDeprecations: "6.0" }),
        };
        const project = `${resolution}.json`;
        writeFiles(folder, {
          [file]:
            resolution === "nodenext" ? program.replace(/(\.json")/, '$1 with { type: "json" }') : program,
          [project]: JSON.stringify({ compilerOptions, files: [file] }),
        });
        await succeed(["node", "node_modules/compiler/bin/tsc", "-p", project], folder);
      });
});
