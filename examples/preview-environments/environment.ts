/**
 * A preview environment: a branch, and a stack whose compute serves it. Both commands may be run again after a failure.
 *
 *   npx ts-node environment.ts up pr-7      makes it, or brings it up to date, and prints its host
 *   npx ts-node environment.ts down pr-7    deletes the compute, the stack and the branch
 */
import { setTimeout } from "node:timers/promises";
import { LocalWorkspace, type PulumiFn, type Stack } from "@pulumi/pulumi/automation";
import { autoscaling, Endpoint } from "pulumi-compute-endpoint";

const [command = "", name = ""] = process.argv.slice(2);
const projectId = process.env["COMPUTE_PROJECT_ID"] ?? "";
/** The branch whose data an environment starts with; the project's default branch if the variable is not set. */
const parentId = process.env["PARENT_BRANCH_ID"];

/** The time limit for all requests, and for all waits for the service. */
const deadline = AbortSignal.timeout(10 * 60_000);
const pollMs = 1000;

interface Branch {
  readonly id: string;
  readonly name: string;
}

interface Operation {
  readonly id: string;
  readonly action: string;
  readonly status: string;
}

/** The parts of the service's answers that this program reads. */
interface Answer {
  readonly branch?: Branch;
  readonly branches?: readonly Branch[];
  readonly operation?: Operation;
  readonly operations?: readonly Operation[];
}

async function up(): Promise<void> {
  const branchId = (await findBranch()) ?? (await createBranch());
  const stack = await openStack(() => {
    const app = new Endpoint("app", {
      projectId,
      branchId,
      ...autoscaling(0.25, 1),
      suspendTimeoutSeconds: 60,
    });
    return Promise.resolve({ host: app.host });
  });
  const { outputs } = await stack.up({ onOutput: showProgress });
  console.log(outputs["host"]?.value);
}

async function down(): Promise<void> {
  const stack = await openStack(() => Promise.resolve());
  await stack.destroy({ onOutput: showProgress });
  await stack.workspace.removeStack(name);
  // The branch is deleted last: as long as it exists, a failed `down` can be run again.
  const branchId = await findBranch();
  if (branchId !== undefined) await waitFor(await send("DELETE", `branches/${branchId}`));
}

function openStack(program: PulumiFn): Promise<Stack> {
  const projectName = "preview-environments";
  // The provider's process finds the package from this folder.
  const projectSettings = { name: projectName, runtime: "nodejs", main: process.cwd() } as const;
  return LocalWorkspace.createOrSelectStack({ stackName: name, projectName, program }, { projectSettings });
}

async function findBranch(): Promise<string | undefined> {
  const { branches } = await send("GET", `branches?search=${name}`);
  return branches?.find((branch) => branch.name === name)?.id;
}

async function createBranch(): Promise<string> {
  const branch = { name, ...(parentId && { parent_id: parentId }) };
  const answer = await send("POST", "branches", { branch });
  await waitFor(answer);
  if (!answer.branch) throw new Error("The service answered without a branch.");
  return answer.branch.id;
}

/** Waits until the operations of an answer have finished. */
async function waitFor({ operations = [] }: Answer): Promise<void> {
  for (const { id, action } of operations) {
    for (let status = ""; !["finished", "skipped"].includes(status);) {
      await setTimeout(pollMs, undefined, { signal: deadline });
      status = (await send("GET", `operations/${id}`)).operation?.status ?? "";
      if (["failed", "error", "cancelled"].includes(status)) throw new Error(`${action} (${id}): ${status}.`);
    }
  }
}

async function send(method: string, path: string, body?: object): Promise<Answer> {
  const url = `${process.env["COMPUTE_BASE_URL"] ?? ""}/api/v2/projects/${projectId}/${path}`;
  const key = process.env["COMPUTE_API_KEY"] ?? "";
  const headers = {
    Authorization: `Bearer ${key}`,
    Accept: "application/json",
    "Content-Type": "application/json",
  };
  for (;;) {
    const request = { method, headers, signal: deadline, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(url, request);
    if (response.status === 204) return {};
    if (response.ok) return (await response.json()) as Answer;
    // Nothing was done: another operation of the project is running, there were too many requests, or the service is
    // away.
    if (![423, 429, 503].includes(response.status))
      throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
    await setTimeout(pollMs, undefined, { signal: deadline });
  }
}

/** Prints on stderr: stdout contains only the host. */
function showProgress(text: string): void {
  process.stderr.write(text);
}

async function run(): Promise<void> {
  // `down` deletes the branch of this name, so the name must be that of a pull request.
  if (!/^pr-\d+$/.test(name)) throw new Error("Name the pull request: up pr-7, or down pr-7.");
  if (command === "up") await up();
  else if (command === "down") await down();
  else throw new Error(`There is no command "${command}". Use up or down.`);
}

run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
