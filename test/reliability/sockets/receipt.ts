import { toState, toUpdateBody, type EndpointState } from "../../../provider/endpoint/state";
import type { Receipt } from "../../../provider/pure/receipt";
import { changeOf, type PlannedChange } from "../../../provider/pure/plan";
import type { EndpointInputs } from "../../../provider/endpoint/planning/inputs";
import {
  connected,
  newPostgresBench,
  until,
  type Connected,
  type PostgresBench,
} from "../../emulator/postgresSupport";
import { receiptFor, type restartedBy, type Request } from "../../support/receipts";

/** The bound of a receipt, beside the silence that a client with an open connection saw. */

export interface Silence {
  readonly change: string;
  readonly receipt: Receipt | undefined;
  /** From the end of its connection to the first answer of the next one, in milliseconds; undefined if it stood. */
  readonly silentMs: number | undefined;
  /** What it takes to connect and to get an answer once the compute runs, in milliseconds. */
  readonly connectingMs: number;
}

export interface SilenceWorld {
  /** Gives the compute another size, or restarts it, while a client is connected. */
  readonly change: (to: number | "restart" | "a setting") => Promise<Silence>;
}

export async function openSilenceWorld(by: (typeof restartedBy)[number]): Promise<SilenceWorld> {
  const bench = await newPostgresBench();
  bench.emulator.setSwitches({ restartedBy: by });
  return { change: (to) => changeUnder(bench, to) };
}

async function changeUnder(bench: PostgresBench, to: number | "restart" | "a setting"): Promise<Silence> {
  const { emulator, id } = bench;
  const open = await bench.connect();
  await open.query("SELECT 1");
  await bench.rest();
  const seen = emulator.endpoint(id).endpoint as unknown as Parameters<typeof toState>[0];
  const old = declaredIn(seen);
  const next = nextOf(old, to);
  const state = toState(seen, { inputs: old });
  const change = to === "restart" ? restartOf(state, old) : changeOf(state, next);
  const silence = watch(bench, open);
  const answer =
    to === "restart"
      ? { operations: emulator.restartEndpoint(id).operations }
      : emulator.updateEndpoint(id, { ...toUpdateBody(next, change.changed) });
  await bench.rest();
  const silentMs = await silence();
  const ids = answer.operations.map((operation) => operation.id);
  const all = emulator.operations(bench.project.project.id);
  const ended = ids.flatMap((wanted) => all.filter((operation) => operation.id === wanted));
  const request: Request = { answer, ended };
  const receipt = receiptFor([request], change);
  return { change: String(to), receipt, silentMs, connectingMs: await connectingTo(bench) };
}

async function connectingTo(bench: PostgresBench): Promise<number> {
  const begunAt = performance.now();
  const again = await bench.connect();
  await again.query("SELECT 1");
  const tookMs = performance.now() - begunAt;
  await again.client.end();
  return tookMs;
}

type Sized = { autoscaling_limit_min_cu?: number | null | undefined; branch_id: string; project_id: string };

function declaredIn(seen: Sized): EndpointInputs {
  const cu = seen.autoscaling_limit_min_cu ?? 1;
  return {
    projectId: seen.project_id,
    branchId: seen.branch_id,
    type: "read_write",
    autoscalingLimitMinCu: cu,
    autoscalingLimitMaxCu: cu,
    suspendTimeoutSeconds: 300,
  };
}

function nextOf(old: EndpointInputs, to: number | "restart" | "a setting"): EndpointInputs {
  if (to === "restart") return old;
  if (to === "a setting") return { ...old, suspendTimeoutSeconds: 600 };
  return { ...old, autoscalingLimitMinCu: to, autoscalingLimitMaxCu: to };
}

/** What is announced of a restart alone. */
function restartOf(state: EndpointState, inputs: EndpointInputs): PlannedChange {
  const interruption = { effect: "restart", certain: true, text: "restart" } as const;
  return { ...changeOf(state, inputs), interruption };
}

/** Connects again as soon as the connection ends. @returns the silence, once the change is over. */
function watch(bench: PostgresBench, open: Connected): () => Promise<number | undefined> {
  let endedAt: number | undefined;
  let backAt: number | undefined;
  let isOver = false;
  void open.closed.then(async () => {
    endedAt = performance.now();
    const { uri } = bench.emulator.endpoint(bench.id).place!;
    while (backAt === undefined && !isOver) {
      const again = await connected({ connectionString: uri }).catch(() => undefined);
      if (again === undefined) continue;
      const answered = await again.query("SELECT 1").then(
        () => true,
        () => false,
      );
      if (answered) backAt = performance.now();
      await again.client.end().catch(() => undefined);
    }
  });
  return async () => {
    const stands = await Promise.race([
      open.closed.then(() => false),
      open.query("SELECT 1").then(
        () => true,
        () => false,
      ),
    ]);
    try {
      if (!stands) {
        await until(() => backAt !== undefined);
        return (backAt ?? 0) - (endedAt ?? 0);
      }
    } finally {
      // The end of our own connection is no interruption.
      isOver = true;
    }
    await open.client.end();
    return undefined;
  };
}
