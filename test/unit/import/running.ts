/** Runs `compute-import` in this process, and keeps what it prints and writes. */
import { runImport, type ConnectedProject } from "../../../import/command";
import type { EndpointFacts } from "../../../provider/facts";
import { readConfig } from "../../../provider/settings/config";

export const config = readConfig(() => undefined, {});

export const primary: EndpointFacts = {
  ...{ endpointId: "ep-calm-sea-11111111", projectId: "shy-sun-1", branchId: "br-odd-river-22222222" },
  ...{ type: "read_write", host: "somewhere", currentState: "active" },
  ...{ autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 0.25, suspendTimeoutSeconds: 300 },
};
export const replica: EndpointFacts = {
  ...primary,
  ...{ endpointId: "ep-dry-leaf-33333333", type: "read_only", autoscalingLimitMaxCu: 2 },
};

export interface Ended {
  readonly code: number;
  readonly printed: string;
  readonly told: string;
  readonly written: Readonly<Record<string, string>>;
}

export async function run(
  args: readonly string[],
  listed: readonly EndpointFacts[] | ConnectedProject,
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<Ended> {
  const [printed, told]: [string[], string[]] = [[], []];
  const written: Record<string, string> = {};
  const connected = "config" in listed ? listed : { config, listEndpoints: () => Promise.resolve(listed) };
  const code = await runImport(args, {
    connect: () => Promise.resolve(connected),
    read: (file) => Buffer.from(files[file] ?? ""),
    write: (file, text) => {
      if (file === "full-disk.ts")
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      const error = new Error(`EEXIST: file already exists, open '${file}'`);
      if (file in files) throw Object.assign(error, { code: "EEXIST" });
      written[file] = text;
    },
    version: () => "1.2.3",
    print: (text) => printed.push(text),
    complain: (text) => told.push(text),
  });
  return { code, printed: printed.join(""), told: told.join(""), written };
}

export const ofProject = ["--project", "shy-sun-1"];
