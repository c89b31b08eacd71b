/**
 * Builds Terraform, OpenTofu and the provider of this folder from their Go modules, into the cache:
 * `node --require ts-node/register prepare.ts`. Prints JSON.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { executableName } from "../../../tools/engine/platform";
import { go, goBuild } from "../../../tools/go";
import { folderDigest, once } from "../../../tools/languages/once";
import { withProgress } from "../../../tools/progress";

/** What the tests run. */
export interface Prepared {
  readonly programs: readonly { readonly name: string; readonly executable: string }[];
  /** The folder in which Terraform looks for each provider, by its source address. */
  readonly providers: Readonly<Record<string, string>>;
}

interface Source {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** The package, from the module's folder. */
  readonly main: string;
  /** For the linker. */
  readonly flags: string;
}

const sources: readonly Source[] = [
  {
    name: "terraform",
    module: "github.com/hashicorp/terraform",
    version: "1.14.3",
    main: ".",
    // Releases refuse experiments, and plans that leave changes for later are an experiment.
    flags: "-X github.com/hashicorp/terraform/version.dev=no -X main.experimentsAllowed=yes",
  },
  {
    name: "tofu",
    module: "github.com/opentofu/opentofu",
    version: "1.12.6",
    main: "./cmd/tofu",
    flags: "-X github.com/opentofu/opentofu/version.dev=no",
  },
];

/** Each provider is this program under another name: it serves the provider that its folder is named after. */
const providerSources = ["kislerdm/neon", "neondatabase/neon", "databricks/databricks"];

async function prepare(): Promise<Prepared> {
  const programs: Prepared["programs"][number][] = [];
  for (const source of sources)
    programs.push({ name: `${source.name} ${source.version}`, executable: await program(source) });
  return { programs, providers: await providers() };
}

async function program(source: Source): Promise<string> {
  const { name, version } = source;
  const folder = await once(`${name}-${version}`, (staging) =>
    withProgress(`Building ${name} ${version} (once, some minutes)`, buildProgram(source, staging)),
  );
  return path.join(folder, executableName(name));
}

/** `go install` refuses this module, because the module replaces others with folders that it does not contain. */
async function buildProgram({ name, module, version, main, flags }: Source, staging: string): Promise<void> {
  await go(["mod", "download", `${module}@v${version}`], staging);
  const cwd = path.join((await go(["env", "GOMODCACHE"], staging)).trim(), `${module}@v${version}`);
  const modFile = path.join(staging, "go.mod");
  for (const file of ["go.mod", "go.sum"])
    writeFileSync(path.join(staging, file), readFileSync(path.join(cwd, file)));
  await replaceMissing(modFile, staging);
  const to = path.join(staging, executableName(name));
  const built = ["build", "-mod=readonly", "-modfile", modFile, "-trimpath", "-ldflags", `-s -w ${flags}`];
  await go([...built, "-o", to, main], cwd);
}

/** Stands for the backends of remote states, which these tests do not need: they keep states in a folder. */
const leftOut = `package leftout

import "github.com/hashicorp/terraform/internal/backend"

func New() backend.Backend { panic("left out of this build") }
`;

async function replaceMissing(modFile: string, staging: string): Promise<void> {
  const missing = [...readFileSync(modFile, "utf8").matchAll(/^replace (\S+) => \.\/(\S+)$/gm)];
  for (const [, module = "", folder = ""] of missing) {
    const place = path.join(staging, folder);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, "go.mod"), `module ${module}\n\ngo 1.24.5\n`);
    writeFileSync(path.join(place, "leftout.go"), leftOut);
    await go(["mod", "edit", `-replace=${module}=${place}`, modFile], staging);
  }
}

async function providers(): Promise<Prepared["providers"]> {
  const module = path.join(__dirname, "provider");
  const folder = await once(`terraformProvider-${folderDigest(module)}`, async (staging) => {
    const program = path.join(staging, executableName("provider"));
    await goBuild(".", { cwd: module, to: program });
    for (const source of providerSources) {
      const place = path.join(staging, source);
      mkdirSync(place, { recursive: true });
      copyFileSync(program, path.join(place, executableName(`terraform-provider-${path.basename(source)}`)));
    }
  });
  return Object.fromEntries(providerSources.map((source) => [source, path.join(folder, source)]));
}

prepare().then(
  (prepared) => {
    console.log(JSON.stringify(prepared));
  },
  (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      `Terraform and OpenTofu are built here from their Go modules: install Go 1.25.8 or later (https://go.dev/dl), and let it reach its module proxy.\n${reason}`,
    );
    process.exitCode = 1;
  },
);
