import { once } from "node:events";
import { request, type IncomingMessage, type RequestOptions } from "node:http";
import { json } from "node:stream/consumers";
import { Clock, startEmulator } from "..";
import type { Emulator } from "..";
import type { EmulatorOptions, ProjectCreationView, WireEndpoint, WireOperation } from "..";

/** The members that answers have. An expectation fails if it needs a member that its answer lacks. */
export interface Body {
  readonly endpoint: WireEndpoint;
  readonly endpoints: readonly WireEndpoint[];
  readonly operation: WireOperation;
  readonly operations: readonly WireOperation[];
  readonly pagination?: { readonly cursor?: string };
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export interface Raw {
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** An emulator with one project, whose primary is active, and a way to talk to it as a client does. */
export interface Bench {
  readonly emulator: Emulator;
  readonly project: ProjectCreationView;
  /** The project's path below /api/v2. */
  readonly at: string;
  /** Id of the primary. */
  readonly id: string;
  /** Path of the primary. */
  readonly primary: string;
  readonly send: (method: string, path: string, endpoint?: object) => Promise<Reply>;
  /** Sends any body and any headers. */
  readonly sendRaw: (method: string, path: string, raw: Raw) => Promise<Reply>;
  /** Creates a branch without a compute. @returns its id. */
  readonly emptyBranch: () => string;
}

const running: Emulator[] = [];

/** Each operation takes one second, on a clock that stands still until a test advances it. */
export async function newBench(options: EmulatorOptions = {}): Promise<Bench> {
  const emulator = await startEmulator({ clock: new Clock("manual"), operationMs: 1000, ...options });
  running.push(emulator);
  const project = emulator.createProject();
  emulator.clock.advance(10_000);
  const at = `/projects/${project.project.id}`;
  return {
    emulator,
    project,
    at,
    id: project.endpoint.id,
    primary: `${at}/endpoints/${project.endpoint.id}`,
    send: (method, path, endpoint) =>
      send(emulator, { method, path, ...(endpoint && { body: JSON.stringify({ endpoint }) }) }),
    sendRaw: (method, path, raw) => send(emulator, { method, path, ...raw }),
    emptyBranch: () => {
      const { branch } = emulator.createBranch(project.project.id, { compute: false });
      emulator.clock.advance(10_000);
      return branch.id;
    },
  };
}

/** A range of sizes, as it is on the wire. */
export function ranging(minCu: number, maxCu: number): object {
  return { autoscaling_limit_min_cu: minCu, autoscaling_limit_max_cu: maxCu };
}

export function fixedAt(cu: number): object {
  return ranging(cu, cu);
}

/** Changes the primary. @returns action and status of the operations in the answer. */
export async function changed(bench: Bench, endpoint: object): Promise<string[]> {
  const answer = await bench.send("PATCH", bench.primary, endpoint);
  expect(answer.status).toBe(200);
  return answer.body.operations.map(({ action, status }) => `${action} ${status}`);
}

/** `active`, or `active → idle` while a change is under way. */
export function stateOf(bench: Bench): string {
  const { current_state, pending_state } = bench.emulator.endpoint(bench.id).endpoint;
  return pending_state === undefined ? current_state : `${current_state} → ${pending_state}`;
}

/** For `afterEach`. */
export async function closeBenches(): Promise<void> {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
}

async function send(emulator: Emulator, sent: Raw & { method: string; path: string }): Promise<Reply> {
  const answer = await fetch(`${emulator.url}/api/v2${sent.path}`, {
    method: sent.method,
    headers: { Authorization: `Bearer ${emulator.apiKey}`, Accept: "application/json", ...sent.headers },
    redirect: "manual",
    ...(sent.body !== undefined && { body: sent.body }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: parsed(text) };
}

/** Sends a request that can have any Host and any Origin, unlike a request by `fetch`. */
export async function answerTo(
  url: string,
  { body, ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<IncomingMessage> {
  const [answer] = (await once(request(url, options).end(body), "response")) as [IncomingMessage];
  return answer;
}

/** The status of an answer in JSON, with the message if the answer is an error. */
export async function replyOf(
  answer: IncomingMessage,
): Promise<{ readonly status: number | undefined; readonly message?: string }> {
  return { ...((await json(answer)) as { message?: string }), status: answer.statusCode };
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {} as Body;
  }
}
