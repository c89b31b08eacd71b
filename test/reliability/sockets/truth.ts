import type { EndpointInputs } from "../../../provider/model/inputs";
import { toState, toUpdateBody, type EndpointState } from "../../../provider/model/state";
import { changeOf, type PlannedChange } from "../../../provider/model/interruption";
import { toStateValues } from "../../../provider/model/stored";
import {
  connected,
  newPostgresBench,
  type Connected,
  type PostgresBench,
} from "../../../emulator/test/postgresSupport";
import type { Receipt } from "../../../provider/lifecycle/receipt";
import { variants, urnOf, type Variant } from "../../support/variants";
import { createFakeClock } from "../../support/fakeClock";
import { agrees, agreesWithTimes, receiptFor, type Request, type worlds } from "../../support/receipts";
import { openHandlers, type Handlers } from "../../support/providerHandlers";

/** What a preview says of a change, what the service counts, and what an open TCP connection sees of it. */

type Values = Partial<Record<keyof EndpointInputs, unknown>>;

export interface SocketCase {
  readonly reason: string;
  readonly before: Values;
  readonly after: Values;
  /** Whether the compute is suspended before the change: no connection is open then. */
  readonly isIdle: boolean;
  /** The compute is restarted, and nothing changed. */
  readonly isRestart?: true;
}

export interface Seen {
  /** `drops`, `may drop` or `nothing`, by each variant's row; of a restart alone there is none. */
  readonly said?: Readonly<Record<Variant, string>>;
  /** What the counter says: interrupted at all, and connections dropped. */
  readonly interrupted: boolean;
  readonly counted: boolean;
  /** What the socket saw: dropped, and with which code. */
  readonly dropped: boolean;
  readonly codes: readonly string[];
  /** Whether the receipt is true of what was counted. */
  readonly receiptAgrees: boolean;
  readonly receipt: Receipt | undefined;
  /** From the end of the connection to the first answer of the next one, in milliseconds. */
  readonly silentMs: number | undefined;
  /** Whether the service applies a new size without the restart that a preview announces. */
  readonly isLive: boolean;
}

const ranging = (autoscalingLimitMinCu: number, autoscalingLimitMaxCu: number): Values => ({
  autoscalingLimitMinCu,
  autoscalingLimitMaxCu,
});
const fixed = (cu: number): Values => ranging(cu, cu);
const suspending = (suspendTimeoutSeconds: number): Values => ({ suspendTimeoutSeconds });
const settings = (workMem: string): Values => ({ settings: { pgSettings: { work_mem: workMem } } });

const changes: readonly Omit<SocketCase, "isIdle">[] = [
  { reason: "a fixed size grows", before: fixed(0.25), after: fixed(1) },
  { reason: "a fixed size shrinks", before: fixed(2), after: fixed(0.25) },
  { reason: "a fixed size becomes a range", before: fixed(1), after: ranging(1, 4) },
  { reason: "a range's maximum alone", before: ranging(0.25, 2), after: ranging(0.25, 4) },
  { reason: "a range's minimum alone", before: ranging(0.25, 4), after: ranging(1, 4) },
  { reason: "the same size", before: fixed(1), after: fixed(1) },
  { reason: "autosuspend later", before: suspending(300), after: suspending(604_800) },
  { reason: "autosuspend never", before: suspending(300), after: suspending(-1) },
  { reason: "another branch", before: {}, after: { branchId: "other" } },
  { reason: "another branch and size", before: fixed(1), after: { ...fixed(2), branchId: "other" } },
  { reason: "disabled", before: { disabled: false }, after: { disabled: true } },
  { reason: "still enabled", before: { disabled: false }, after: { disabled: false } },
  { reason: "a setting", before: settings("4MB"), after: settings("8MB") },
  { reason: "the pooler", before: { poolerEnabled: false }, after: { poolerEnabled: true } },
  {
    reason: "passwordless access",
    before: { passwordlessAccess: true },
    after: { passwordlessAccess: false },
  },
  { reason: "our own arguments", before: { onInterruption: "warn" }, after: { timeouts: { update: 5 } } },
];

const restart: SocketCase = { reason: "a restart", before: {}, after: {}, isIdle: false, isRestart: true };

/** Every kind of change, on a compute that is active and on one that is idle. */
export const allCases: readonly SocketCase[] = [
  restart,
  ...[false, true].flatMap((isIdle) => changes.map((change) => ({ ...change, isIdle }))),
];

/** A sample that is fast, and has each effect. */
export const sampleCases: readonly SocketCase[] = allCases.filter(
  ({ reason, isIdle }) =>
    ["a restart", "a fixed size grows", "another branch", "disabled"].includes(reason) ||
    (!isIdle && ["autosuspend later", "a setting", "a range's maximum alone"].includes(reason)),
);

export interface SocketWorld {
  readonly tryCase: (one: SocketCase) => Promise<Seen>;
}

/** A primary on Postgres at one of the services, and both variants of the provider. */
export async function openSocketWorld({
  service,
  by,
  resize,
}: (typeof worlds)[number]): Promise<SocketWorld> {
  const bench = await newPostgresBench();
  bench.emulator.setSwitches({ service, restartedBy: by, resize });
  const { project, emulator } = bench;
  const { branch: other } = emulator.createBranch(project.project.id, { compute: false });
  await bench.rest();
  let said: string[] = [];
  const stack = {
    "compute:apiKey": "local-key",
    "compute:baseUrl": "http://127.0.0.1:1",
    "compute:service": service,
    "compute:liveFacts": "false",
  };
  const clock = createFakeClock();
  const onSaid = (message: string): void => void said.push(message);
  const handlers = Object.fromEntries(
    variants.map((variant) => [variant, openHandlers({ variant, clock, stack, onSaid })]),
  ) as Record<Variant, Handlers>;

  const declare = ({ branchId, ...values }: Values): EndpointInputs =>
    ({
      projectId: project.project.id,
      branchId: branchId === "other" ? other.id : project.branch.id,
      type: "read_write",
      ...values,
    }) as unknown as EndpointInputs;

  const sayings = async (sides: Sides): Promise<Record<Variant, string>> => {
    const rows: [Variant, string][] = [];
    for (const variant of variants) {
      said = [];
      await previewAt(handlers[variant], urnOf(variant, "db"), sides);
      const row = said[0]?.replace(/^warning: /, "") ?? "";
      rows.push([variant, row === "" ? "nothing" : row.startsWith("may ") ? "may drop" : "drops"]);
    }
    return Object.fromEntries(rows) as Record<Variant, string>;
  };

  const listed = (): Parameters<typeof toState>[0] =>
    emulator.endpoint(bench.id).endpoint as unknown as Parameters<typeof toState>[0];

  const tryCase = async ({ before, after, isIdle, isRestart }: SocketCase): Promise<Seen> => {
    const old = declare(before);
    const next = declare(after);
    await prepare(bench, old);
    const open = isIdle ? undefined : await bench.connect();
    if (isIdle) emulator.suspendEndpoint(bench.id);
    await bench.rest();
    const seen = listed();
    const state = toState(seen, { inputs: old });
    const previewed = isRestart ? {} : { said: await sayings({ old, next, state }) };
    const counters = emulator.counters(bench.id);
    const change = isRestart ? restartOf(state, old) : changeOf(state, next, { service });
    // What was disabled, or moved away, does not answer.
    const mayComeBack = open !== undefined && change.interruption?.effect === "restart";
    const silence = mayComeBack ? silenceAfter(open, emulator.endpoint(bench.id).place!.uri) : undefined;
    const body = toUpdateBody(next, change.changed);
    const sends = (): { readonly operations: readonly { readonly id: string }[] } | undefined => {
      if (isRestart) return emulator.restartEndpoint(bench.id);
      return Object.keys(body).length > 0 ? emulator.updateEndpoint(bench.id, { ...body }) : undefined;
    };
    const answer = sends();
    await bench.rest();
    const now = emulator.counters(bench.id);
    const all = emulator.operations(project.project.id);
    const sent: Request | undefined = answer && {
      answer,
      ended: answer.operations.flatMap(({ id }) => all.filter((operation) => operation.id === id)),
      ...(service === "neon" && { before: seen, after: listed() }),
    };
    const wasDropped = now.connectionsDropped > counters.connectionsDropped;
    const interrupted = now.interruptions > counters.interruptions;
    const receipt = receiptFor(sent, change);
    const look = open ? await lookAt(open) : { dropped: false, codes: [] };
    const silentMs = await silence;
    return {
      receipt,
      silentMs: look.dropped ? silentMs : undefined,
      receiptAgrees:
        service === "neon" ? agreesWithTimes(receipt, wasDropped) : agrees(receipt, wasDropped, by),
      isLive: resize === "live" && change.interruption?.effect === "restart" && !interrupted,
      ...previewed,
      interrupted,
      counted: wasDropped,
      ...look,
    };
  };
  return { tryCase };
}

interface Sides {
  readonly old: EndpointInputs;
  readonly next: EndpointInputs;
  readonly state: EndpointState;
}

async function previewAt(provider: Handlers, urn: string, { old, next, state }: Sides): Promise<void> {
  const before = { ...old, __urn: urn };
  const { inputs, failures } = await provider.check(before, { ...next, __urn: urn, __dryRun: true });
  expect(failures).toEqual([]);
  await provider.diff(state.endpointId, toStateValues(state, { urn, secrets: [] }), inputs);
}

/** Brings the compute to where a case begins: declared, enabled and active. */
async function prepare({ emulator, id, rest, connect }: PostgresBench, old: EndpointInputs): Promise<void> {
  const plain = {
    ...{ autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 0.25, suspend_timeout_seconds: 300 },
    ...{ settings: { pg_settings: {} }, pooler_enabled: false, disabled: false, passwordless_access: true },
  };
  const { project_id: _projectId, type: _type, ...declared } = toDeclaredBody(old);
  const wanted = { ...plain, ...declared };
  const now = emulator.endpoint(id).endpoint as unknown as Record<string, unknown>;
  const differs = Object.entries(wanted).filter(
    ([name, value]) => JSON.stringify(now[name]) !== JSON.stringify(value),
  );
  if (differs.length > 0) emulator.updateEndpoint(id, Object.fromEntries(differs));
  await rest();
  // A client wakes it, whatever the last case left.
  await (await connect()).client.end();
  await rest();
}

function toDeclaredBody(old: EndpointInputs): Record<string, unknown> {
  return { ...toUpdateBody(old, Object.keys(old) as Parameters<typeof toUpdateBody>[1]) };
}

/** What is announced of a restart alone. */
function restartOf(state: EndpointState, inputs: EndpointInputs): PlannedChange {
  const interruption = { effect: "restart", certain: true, text: "restart" } as const;
  return { ...changeOf(state, inputs), interruption };
}

/** Connects again as soon as a connection ends. @returns how long nothing answered, in milliseconds */
async function silenceAfter(open: Connected, connectionString: string): Promise<number> {
  await open.closed;
  const endedAt = performance.now();
  for (;;) {
    const again = await connected({ connectionString }).catch(() => undefined);
    const answer = await again?.query("SELECT 1").catch(() => undefined);
    await again?.client.end().catch(() => undefined);
    if (answer !== undefined) return performance.now() - endedAt;
  }
}

/** A connection that stands answers; one that was dropped has been told why. */
async function lookAt(open: Connected): Promise<{ dropped: boolean; codes: readonly string[] }> {
  const stands = await open.query("SELECT 1").then(
    () => true,
    () => false,
  );
  if (stands) {
    await open.client.end();
    return { dropped: false, codes: [] };
  }
  await open.closed;
  return { dropped: true, codes: open.codes };
}

/** What is wrong with a case, in words; undefined where preview, counter and socket agree. */
export function wrongIn(
  { isIdle }: SocketCase,
  { said, interrupted, counted, dropped, codes, receiptAgrees, receipt, silentMs, isLive }: Seen,
): string | undefined {
  const faults = [
    counted !== dropped && `the counter says ${counted}, the socket ${dropped}`,
    interrupted !== counted && !isIdle && `interrupted ${interrupted}, counted ${counted}`,
    !receiptAgrees && "the receipt is not true of it",
    (silentMs ?? 0) > (receipt?.mostMs ?? Infinity) &&
      `${silentMs} ms without an answer, the receipt says at most ${receipt?.mostMs}`,
    isIdle && dropped && "an idle compute dropped a connection",
    dropped && codes.join() !== "57P01" && `the connection was told "${codes.join()}"`,
    ...variants.map(
      (variant) =>
        said?.[variant] === "drops" &&
        !interrupted &&
        !isLive &&
        `${variant} says drops, and nothing was interrupted`,
    ),
    ...variants.map(
      (variant) =>
        said?.[variant] === "nothing" && interrupted && `${variant} says nothing, and it was interrupted`,
    ),
  ].filter((fault) => fault !== false);
  return faults.length === 0 ? undefined : faults.join("; ");
}
