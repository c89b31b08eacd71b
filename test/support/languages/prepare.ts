/**
 * Makes what the examples in other languages need, in the cache: `node --require ts-node/register prepare.ts`.
 *
 * This is a process of its own, because a test file must know what it can run before it declares its tests. It prints JSON.
 */
import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../../tools/checkout";
import { findEngine } from "../../../tools/engine/environment";
import { engineVersion } from "../../../tools/engine/version";
import { go, goBuild } from "../../../tools/go";
import { digest, folderDigest, once } from "../../../tools/languages/once";
import { cachedSdks } from "../../../tools/languages/sdks";
import { pip, run, virtualenvWith } from "../preparing";
import { languages, type Language, type Prepared } from "./languages";

/** What each language's example runs on. */
const programs = {
  python: async (sdks) => {
    const sdk = path.join(sdks, "python");
    const virtualenv = await virtualenvFor(sdk);
    return { options: { virtualenv }, environment: { PYTHONPATH: await installed(sdk, virtualenv) } };
  },
  go: async (sdks) => ({ options: { binary: await goProgram(sdks) }, environment: {} }),
  yaml: () => Promise.resolve({ options: {}, environment: {} }),
} as const satisfies Record<Language, (sdks: string) => Promise<Pick<Prepared, "options" | "environment">>>;

/** What starts a language's host, if the engine was built here and has none. */
const hosts = {
  python: async () => [...standIn, "python", await pythonRunner()],
  go: () => Promise.resolve([...standIn, "go"]),
  yaml: async () => [await yamlHost()],
} as const satisfies Record<Language, () => Promise<readonly string[]>>;

const standIn = [process.execPath, path.join(__dirname, "host.js")];

/** Errors of a machine without these programs, or without access to its registries. Any other error is this project's. */
const lacking =
  /^there is no |requires go >=|lookup disabled|reading https?:|dial tcp|no such host|connection refused|i\/o timeout/;

async function prepare(): Promise<Record<string, unknown>> {
  const isBuiltHere = findEngine().origin === "build";
  const prepared: Record<string, unknown> = {};
  for (const language of languages) {
    try {
      const sdks = await cachedSdks();
      const program = await programs[language](sdks);
      prepared[language] = { sdks, ...program, ...(isBuiltHere && { host: await hosts[language]() }) };
    } catch (error) {
      if (!(error instanceof Error) || !lacking.test(error.message)) throw error;
      prepared[language] = { missing: error.message.split("\n")[0] };
    }
  }
  return prepared;
}

/** A virtual environment with the SDK's dependencies, in the engine's version. */
function virtualenvFor(sdk: string): Promise<string> {
  const project = readFileSync(path.join(sdk, "pyproject.toml"), "utf8");
  const dependencies = JSON.parse(/^ *dependencies = (.*)$/m.exec(project)?.[1] ?? "[]") as string[];
  const others = dependencies.filter((dependency) => !/^pulumi\b/.test(dependency));
  // From this version on setuptools builds wheels by itself.
  const packages = [`pulumi==${engineVersion}`, "setuptools>=77", ...others];
  return virtualenvWith(packages, "venv");
}

/** The SDK as pip installs it, outside the environment, since it changes with each word of the schema. */
function installed(sdk: string, venv: string): Promise<string> {
  return once(`python-${folderDigest(sdk)}`, (staging) => {
    // A build leaves these beside the sources.
    const copy = path.join(staging, "source");
    cpSync(sdk, copy, { recursive: true });
    const offline = ["--no-deps", "--no-build-isolation", "--no-index"];
    run("pip cannot install the SDK", [...pip(venv), ...offline, "--target", staging, copy]);
    return Promise.resolve();
  });
}

/** The example, compiled with the SDK in its go.mod, as `pulumi package add` writes it. */
async function goProgram(sdks: string): Promise<string> {
  const example = path.join(checkoutFolder, "examples/go");
  const folder = await once(`go-${digest(folderDigest(example), folderDigest(sdks))}`, async (staging) => {
    const copy = path.join(staging, "source");
    cpSync(example, copy, { recursive: true });
    const sdk = "pulumi-compute-endpoint/sdk/go";
    const edits = [`-require=${sdk}@v0.0.0`, `-replace=${sdk}=${path.join(sdks, "go")}`];
    await go(["mod", "edit", ...edits], copy);
    await goBuild(".", { cwd: copy, to: path.join(staging, "program") });
  });
  return path.join(folder, "program");
}

/** The script with which the official host starts a Python program: it comes with the SDK's Go module, not from PyPI. */
async function pythonRunner(): Promise<string> {
  const cwd = path.join(checkoutFolder, "tools/languages/generator");
  const folder = await once(`runner-${engineVersion}`, async (staging) => {
    const told = await go(["mod", "download", "-json", "github.com/pulumi/pulumi/sdk/v3"], cwd);
    const { Dir: sdk } = JSON.parse(told) as { readonly Dir: string };
    cpSync(path.join(sdk, "python/cmd/pulumi-language-python-exec"), path.join(staging, "runner"));
  });
  return path.join(folder, "runner");
}

/** The official host for YAML. Unlike the hosts for Python and Go, it is a module that Go can fetch. */
async function yamlHost(): Promise<string> {
  const cwd = path.join(__dirname, "yamlHost");
  const folder = await once(`yaml-${folderDigest(cwd)}`, (staging) =>
    goBuild("github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml", {
      cwd,
      to: path.join(staging, "host"),
    }),
  );
  return path.join(folder, "host");
}

void prepare().then((prepared) => {
  console.log(JSON.stringify(prepared));
});
