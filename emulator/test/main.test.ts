import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { closeServers, listen } from "../../test/support/servers";
import { itUnlessWindows } from "../../test/support/systems";
import { temporaryFolder } from "../../test/support/temporaryFolder";

const checkout = join(__dirname, "..", "..");

/** The emulator as the package contains it. */
const program = "dist/emulator/main.js";

const folder = temporaryFolder();

interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Runs the command. `whenReady` gets the emulator's URL. Once it has finished, the process gets SIGTERM. */
async function run(args: readonly string[], whenReady?: (url: string) => Promise<unknown>): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: checkout,
    // Real Postgres has tests of its own.
    env: { ...process.env, COMPUTE_POSTGRES: "off" },
  });
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
  child.stdout.on("data", (text: Buffer) => {
    stdout += text.toString();
    const url = /^emulator ready (\S+)\n$/.exec(stdout)?.[1];
    if (url === undefined) return;
    void Promise.resolve(whenReady?.(url)).finally(() => child.kill("SIGTERM"));
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { stdout, stderr, code };
}

const endsAtOnce = "a process gets no signal that it could handle there";
const prints =
  "the command prints one ready line with its URL, creates a project, logs requests on stderr, and ends on SIGTERM";

itUnlessWindows(endsAtOnce, prints, async () => {
  let projects: unknown;
  const args = ["--port", "0", "--project", "--verbose", "--api-key", "k", "--switch", "errorShape=nested"];
  const ended = await run(args, async (url) => {
    projects = await (await fetch(`${url}/_emulator/projects`)).json();
    const refused = await fetch(`${url}/api/v2/projects/a-1/endpoints`, {
      headers: { Authorization: "Bearer k" },
    });
    expect(await refused.json()).toMatchObject({ error: { code: "not_found" } });
  });
  expect(ended.stdout).toMatch(/^emulator ready http:\/\/127\.0\.0\.1:\d+\n$/);
  expect(ended.code).toBe(0);
  expect(projects).toMatchObject({ projects: [{ region_id: "local-1" }] });
  const [{ id }] = (projects as { projects: [{ id: string }] }).projects;
  const url = /ready (\S+)/.exec(ended.stdout)![1]!;
  expect(ended.stderr).toMatch(
    new RegExp(
      [
        `^export COMPUTE_BASE_URL=${url}`,
        "export COMPUTE_API_KEY=k",
        `pulumi config set projectId ${id}`,
        "pulumi config set branchId (br-\\S+)",
        "pulumi config set defaultBranchId (br-\\S+)$[^]*^  main \\2, with the primary [^]*^  dev \\1, without a primary$",
      ].join("\n"),
      "m",
    ),
  );
  expect(ended.stderr).toContain(`  pulumi stack export | curl `);
  expect(ended.stderr).toContain("computes: simulated, because COMPUTE_POSTGRES is off");
  expect(ended.stderr).toContain("GET /api/v2/projects/a-1/endpoints 404\n");
  // Node begins each of its own warnings like this.
  expect(ended.stderr).not.toMatch(/\(node:\d+\)/);
});

const leaves =
  "the command frees its port when npx is killed, although the signal ends only npx and its shell";

itUnlessWindows("there is no shell between npx and the command there", leaves, async () => {
  const command = `${process.execPath} ${program} --port 0`;
  // The shell stays the parent process, as npx's shell does.
  const shell = spawn("sh", ["-c", `${command}; true`], {
    cwd: checkout,
    env: { ...process.env, COMPUTE_POSTGRES: "off", npm_lifecycle_event: "npx" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(shell.stdout, "data")) as [Buffer];
  const url = /^emulator ready (\S+)\n$/.exec(line.toString())![1]!;
  expect((await fetch(`${url}/_emulator/projects`)).status).toBe(200);
  shell.kill("SIGKILL");
  // The emulator has the shell's stdout open too, so this pipe closes only when the emulator ends.
  await once(shell.stdout, "close");
  await expect(fetch(`${url}/_emulator/projects`)).rejects.toThrow();
});

const makes = "the command creates the branches that --branch names, and after a restart has the same ones";

itUnlessWindows(endsAtOnce, makes, async () => {
  const stateFile = join(folder, "deep", "state.json");
  const branches = ["--branch", "dev", "--branch", "test"];
  const args = ["--port", "0", ...branches, "--state-file", stateFile];
  const projectsAt = async (url: string): Promise<unknown> =>
    (await fetch(`${url}/_emulator/projects`)).json();
  const seen: unknown[] = [];
  const first = await run(args, async (url) => seen.push(await projectsAt(url)));
  const second = await run(args, async (url) => seen.push(await projectsAt(url)));
  expect(seen[1]).toEqual(seen[0]);
  const printed = /^pulumi config set projectId [^]*set branchId .*$/m;
  expect(printed.exec(second.stderr)![0]).toBe(printed.exec(first.stderr)![0]);
  const listed = [...second.stderr.matchAll(/^ {2}(\S+) br-\S+, (with\S*) /gm)].map(([, name, how]) => [
    name,
    how,
  ]);
  expect(listed).toEqual([
    ["main", "with"],
    ["dev", "without"],
    ["test", "without"],
  ]);
});

it("the command says that a port is in use, and how to choose another", async () => {
  const port = await listen(createServer());
  const ended = await run(["--port", String(port)]);
  await closeServers();
  expect(ended).toEqual({
    stdout: "",
    stderr: `emulator: Port ${port} on 127.0.0.1 is in use. Choose another with --port, or --port 0 for any that is free.\n`,
    code: 1,
  });
});

it.each([
  { args: ["--port", "x"], says: '--port takes a whole number, not "x".' },
  { args: ["--switch", "lock=maybe"], says: 'Switch lock takes off, project, not "maybe".' },
  { args: ["--prot", "1"], says: "Unknown option '--prot'" },
])("the command refuses $args in one line", async ({ args, says }) => {
  const ended = await run(args);
  expect(ended).toMatchObject({ stdout: "", code: 1 });
  expect(ended.stderr).toContain(says);
  expect(ended.stderr).not.toContain("    at ");
});
