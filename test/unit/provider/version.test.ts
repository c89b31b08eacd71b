import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import { downloadAddressOf, packageDownloadAddress, packageVersion } from "../../../provider/version";
import { temporaryFolder } from "../../support/temporaryFolder";

const checkout = path.join(__dirname, "..", "..", "..");

it("the version is that of package.json", () => {
  const { version } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8")) as {
    version: string;
  };
  expect(packageVersion()).toBe(version);
});

it.each(["git+https://github.com/acme/compute.git", "https://github.com/acme/compute"])(
  "the plugin is downloaded from the releases of %s",
  (repository) => {
    expect(downloadAddressOf(repository)).toBe("github://api.github.com/acme/compute");
  },
);

it("no download address is named while package.json has a placeholder for the owner", () => {
  expect(downloadAddressOf("git+https://github.com/OWNER/compute.git")).toBeUndefined();
  const { repository } = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8")) as {
    repository: { url: string };
  };
  expect(packageDownloadAddress()).toBe(downloadAddressOf(repository.url));
});

it("package.json names no plugin: the engine would download it for programs of the dynamic provider too", () => {
  const manifest = JSON.parse(readFileSync(path.join(checkout, "package.json"), "utf8")) as object;
  expect(manifest).not.toHaveProperty("pulumi");
});

describe("the version, in the bundle of a program that has a version too", () => {
  let program: string;

  beforeEach(() => {
    program = temporaryFolder();
    mkdirSync(path.join(program, "bin"));
  });

  it.each([
    { format: "cjs", type: "commonjs" },
    { format: "esm", type: "module" },
  ] as const)("is undefined: it is not the program's, and nothing fails ($format)", ({ format, type }) => {
    writeFileSync(
      path.join(program, "package.json"),
      JSON.stringify({ name: "mine", version: "7.7.7", type }),
    );
    const contents = 'import { packageVersion } from "./version";\nconsole.log(String(packageVersion()));\n';
    const outfile = path.join(program, "bin", "index.js");
    const resolveDir = path.join(checkout, "provider");
    buildSync({
      stdin: { contents, resolveDir },
      bundle: true,
      platform: "node",
      format,
      outfile,
      logLevel: "silent",
    });
    const { stdout, stderr } = spawnSync(process.execPath, [outfile], { encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: "undefined\n", stderr: "" });
  });
});
