/** Makes plans as users do: applies a configuration, changes it, plans, and shows the plan as JSON. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";

/** What to plan. */
export interface Scene {
  /** What to apply before. */
  readonly from?: string;
  readonly to: string;
  /** A module in the folder `db`. */
  readonly module?: string;
  /** More options of `plan`. */
  readonly options?: readonly string[];
  /** What the service says about computes, by id: values that were changed outside, or null if the compute is gone. */
  readonly service?: Readonly<Record<string, object | null>>;
  /** The source address of the provider `neon`. */
  readonly provider?: string;
}

export interface Planner {
  /** @returns the plan in JSON. @throws with what the program printed */
  plan(scene: Scene): string;
}

interface Tool {
  readonly executable: string;
  /** The folder of each provider, by its source address. */
  readonly providers: Readonly<Record<string, string>>;
  /** An empty folder, for states and plans. */
  readonly folder: string;
}

export function createPlanner(tool: Tool): Planner {
  const run = runnerOf(tool);
  const states = new Map<string, string>();

  const declare = (place: string, text: string, scene: Scene): void => {
    write(place, text, scene);
    if (scene.module !== undefined) run(place, ["get"]);
  };

  /** The state after a configuration was applied, once for all scenes. */
  const stateOf = (from: string, scene: Scene): string => {
    const key = JSON.stringify([scene.provider, scene.module, from]);
    const place = states.get(key) ?? mkdtempSync(path.join(tool.folder, "applied-"));
    if (!states.has(key)) {
      declare(place, from, scene);
      run(place, ["apply", "-auto-approve"]);
      states.set(key, place);
    }
    return path.join(place, "terraform.tfstate");
  };

  return {
    plan: (scene) => {
      const { from, to, options = [], service = {} } = scene;
      const place = mkdtempSync(path.join(tool.folder, "planned-"));
      if (from !== undefined) copyFileSync(stateOf(from, scene), path.join(place, "terraform.tfstate"));
      declare(place, to, scene);
      run(place, ["plan", "-input=false", "-out=plan", ...options], { SERVICE: JSON.stringify(service) });
      return run(place, ["show", "-json", "plan"]);
    },
  };
}

type Runner = (cwd: string, words: readonly string[], more?: NodeJS.ProcessEnv) => string;

/** Installs nothing: these settings say where the providers are. */
function runnerOf({ executable, providers, folder }: Tool): Runner {
  const settings = path.join(folder, "settings.tfrc");
  const overrides = Object.entries(providers).map(
    ([source, place]) => `${JSON.stringify(source)} = ${JSON.stringify(place)}`,
  );
  writeFileSync(settings, `provider_installation {\ndev_overrides {\n${overrides.join("\n")}\n}\n}\n`);
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TF_"));
  const env = { ...Object.fromEntries(inherited), TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1" };
  return (cwd, words, more) => {
    const ran = spawnSync(executable, words, { cwd, encoding: "utf8", env: { ...env, ...more } });
    // A plan that fails half-way is still written.
    if (ran.status === 0 || (words[0] === "plan" && existsSync(path.join(cwd, "plan")))) return ran.stdout;
    throw new Error(`${path.basename(executable)} ${words.join(" ")}: ${ran.stdout}${ran.stderr}`);
  };
}

function write(place: string, text: string, { module, provider = "kislerdm/neon" }: Scene): void {
  const providers = `neon = { source = "${provider}" }\ndatabricks = { source = "databricks/databricks" }\n`;
  const head = `terraform {\nrequired_providers {\n${providers}}\n}\n`;
  writeFileSync(path.join(place, "main.tf"), head + text);
  if (module === undefined) return;
  mkdirSync(path.join(place, "db"));
  writeFileSync(path.join(place, "db/main.tf"), head + module);
}
