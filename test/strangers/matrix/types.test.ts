import path from "node:path";
import { npmInstall, packageName as name, packedOutside, succeed, writeFiles } from "../../support/packed";
import { attw, sdk, typescript } from "./versions";

/** At least one name of each entry point, so that the test notices a resolution that finds an empty module. */
const program = `import { Endpoint, fixedSize, type EndpointArgs } from "${name}";
export const args: EndpointArgs = { projectId: "p", branchId: "br", ...fixedSize(1) };
export const host = new Endpoint("app", args).host.apply((text: string) => text.length);
// @ts-expect-error -- a size that does not exist: the types are the package's, not \`any\`.
export const wrong: EndpointArgs = { projectId: "p", branchId: "br", ...fixedSize("large") };
import { Config, output } from "@pulumi/pulumi";
const config = new Config();
const delay = output(config.getNumber("delay"));
export const leftOut: EndpointArgs = { ...args, suspendTimeoutSeconds: delay, name: config.get("name") };
export const deadlines: EndpointArgs = { ...args, timeouts: { create: delay } };
import { Endpoint as Native, Provider } from "${name}/native";
export const other = new Provider("other", {
  baseUrl: "https://compute.example.com",
  onInterruption: "forbid",
  requestsPerMinute: 0,
});
export const nativeHost = new Native("native", args, { provider: other }).host;
import { endpoint } from "${name}/provider";
export const handlers: object = endpoint;
import { reportVersion, type Report } from "${name}/preview";
export const versionOf = ({ version }: Report): boolean => version === reportVersion;
import { startEmulator, type Emulator } from "${name}/emulator";
export const started: Promise<Emulator> = startEmulator();
import schema from "${name}/preview/report.schema.json";
export const title: string = schema.title;
import verified from "${name}/verify/report.schema.json";
export const verifiedTitle: string = verified.title;
`;

/**
 * A CommonJS program and an ES module. The ES module uses the compiler option that distinguishes an omitted argument from an
 * undefined one. attw checks every other way to find the types.
 */
const resolutions = [
  { resolution: "node16", file: "program.cts", options: {} },
  { resolution: "nodenext", file: "program.mts", options: { exactOptionalPropertyTypes: true } },
] as const;

/** The oldest compiler with the oldest SDK, the newest with the newest. */
const rows = [
  { compiler: typescript.oldest, sdkVersion: sdk.floor },
  { compiler: typescript.newest, sdkVersion: sdk.newest },
];

const outside = packedOutside();

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
      // Installed under another name: the SDK's peer range ends below 7, although its types work with 7.
      compiler: `npm:typescript@${compiler}`,
    };
    writeFiles(folder, { "package.json": JSON.stringify({ private: true, dependencies }) });
    await npmInstall(folder);
  });

  it.each(resolutions)("compile with the resolution $resolution", async ({ resolution, file, options }) => {
    const compilerOptions = {
      ...{ module: resolution, target: "ES2022", strict: true, noEmit: true, ...options },
      ...{ resolveJsonModule: true, types: ["node"], skipLibCheck: false },
    };
    const project = `${resolution}.json`;
    writeFiles(folder, {
      [file]: resolution === "nodenext" ? program.replace(/(\.json")/g, '$1 with { type: "json" }') : program,
      [project]: JSON.stringify({ compilerOptions, files: [file] }),
    });
    await succeed(["node", "node_modules/compiler/bin/tsc", "-p", project], folder);
  });
});

describe("the package", () => {
  const linted = packedOutside({ "@arethetypeswrong/cli": attw });

  it("has no problem that attw finds with all its rules", async () => {
    const { folder, tarball } = linted;
    const told = await succeed(["node_modules/.bin/attw", tarball, "--no-emoji"], folder);
    expect(told).toContain("No problems found");
  });
});
