/**
 * Compares each run with its row, and writes the report of a failing row.
 */
import { messageOf } from "../../provider/model/errors";
import type { LoggedRequest } from "../../emulator";
import { isExplained } from "../support/miniEngineSteps";
import type { RunResult } from "../support/miniEngine";
import type { Values } from "../support/providerHandlers";
import type { Command, Expected, Sent, Words } from "./row";
import { routeOf, type Route, type World } from "./world";

/** What a run did, with names in place of ids. */
export interface Seen {
  readonly command: Command;
  readonly result: RunResult;
  readonly requests: readonly LoggedRequest[];
  readonly rows: readonly string[];
  readonly shown: readonly string[];
  readonly errors: readonly string[];
  readonly seconds: number;
  readonly restarts: number;
}

/** @returns the differences, in one or more lines each. */
export function differences(world: World, seen: Seen, expected: Expected): readonly string[] {
  const said = seen.rows.filter((text) => !text.startsWith("info: "));
  const printed = [...seen.rows, ...seen.shown, ...seen.errors];
  const { error = [], mayFail = seen.command.isKilled } = expected;
  return [
    ...(mayFail === true ? [] : orderOf("error", seen.errors, [error].flat())),
    ...(expected.said === undefined ? [] : orderOf("said", said, expected.said)),
    ...(expected.rows === undefined ? [] : orderOf("rows", seen.rows, expected.rows)),
    ...(expected.says ?? [])
      .filter((words) => !printed.some((text) => isIn(text, words)))
      .map((words) => `says: nothing has ${String(words)}`),
    ...(expected.never ?? [])
      .filter((words) => printed.some((text) => isIn(text, words)))
      .map((words) => `never: something has ${String(words)}`),
    ...sentOf(world, seen, expected),
    ...valuesOf(world, seen, expected),
    ...timesOf(seen, expected),
    ...sentencesOf(world, seen),
    ...thrownBy("also", () => expected.also?.(world)),
  ];
}

function isAll(text: string, words: Words): boolean {
  return words instanceof RegExp ? words.test(text) : patternOf(words, "^$").test(text);
}

function isIn(text: string, words: Words): boolean {
  return words instanceof RegExp ? words.test(text) : patternOf(words).test(text);
}

function patternOf(words: string, [from = "", to = ""] = ""): RegExp {
  const parts = words.split("…").map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`${from}${parts.join("[^]*")}${to}`);
}

function orderOf(what: string, texts: readonly string[], wanted: readonly Words[]): readonly string[] {
  const isSame = texts.length === wanted.length && wanted.every((words, at) => isAll(texts[at] ?? "", words));
  return isSame ? [] : [`${what}:\n    ${wanted.map(String).join("\n    ") || "nothing"}`];
}

/** A request, as rows write it. */
function requestWords(world: World, { method, path }: LoggedRequest): string {
  const route = routeOf(method, path);
  const [id] = /ep-[^/]+/.exec(path) ?? [];
  return id === undefined ? route : `${route} ${world.named(id)}`;
}

function sentOf(world: World, { requests }: Seen, expected: Expected): readonly string[] {
  const routesSent = requests.map(({ method, path }) => routeOf(method, path));
  const found: string[] = [];
  const { sent, requests: all, count = {} } = expected;
  if (all !== undefined)
    found.push(
      ...thrownBy("requests", () => {
        expect(routesSent).toEqual(all);
      }),
    );
  if (sent !== undefined) {
    const writes = requests.filter(({ method }) => method !== "GET");
    const isSame =
      writes.length === sent.length && writes.every((one, at) => isRequest(world, one, sent[at] ?? ""));
    if (!isSame) found.push(`sent:\n    ${sent.map(inWords).join("\n    ") || "nothing"}`);
  }
  for (const [route, limit] of Object.entries(count)) {
    const number = routesSent.filter((one) => one === (route as Route)).length;
    const isRight = typeof limit === "number" ? number === limit : number <= Number(limit.slice(3));
    if (!isRight) found.push(`count: ${route} ${limit}, but ${number}`);
  }
  return found;
}

function inWords(sent: Sent): string {
  return typeof sent === "string" ? sent : JSON.stringify(sent);
}

function isRequest(world: World, request: LoggedRequest, sent: Sent): boolean {
  const words = requestWords(world, request);
  if (typeof sent === "string") return words === sent;
  const { endpoint } = (request.body ?? {}) as { readonly endpoint?: unknown };
  const body: unknown = JSON.parse(world.named(JSON.stringify(endpoint ?? null)));
  return (
    words in sent &&
    thrownBy("", () => {
      expect(body).toEqual(sent[words]);
    }).length === 0
  );
}

function valuesOf(world: World, { result, restarts }: Seen, expected: Expected): readonly string[] {
  const { engine, emulator } = world;
  const stored = engine.stored("db");
  const { state, live, step, verdict } = expected;
  const id = stored?.id ?? world.ids.get("db");
  const liveNow = (): object | undefined =>
    emulator.endpoints(world.idOf("project")).find(({ endpoint }) => endpoint.id === id)?.endpoint;
  return [
    ...thrownBy("state", () => {
      if (state === null) expect(stored).toBeUndefined();
      else if (state !== undefined) expectMembers(stored?.outs, world.resolved(state));
    }),
    ...thrownBy("live", () => {
      if (live === null) expect(liveNow()).toBeUndefined();
      else if (live !== undefined) expectMembers(liveNow(), world.resolved(live));
    }),
    ...thrownBy("computes", () => {
      if (expected.computes !== undefined) expect(oursOf(world)).toEqual([...expected.computes].sort());
    }),
    ...thrownBy("step", () => {
      if (step !== undefined) expect(result.steps["db"]).toBe(step);
    }),
    ...thrownBy("verdict", () => {
      if (verdict !== undefined) expectMembers(result.verdicts["db"], world.resolved(verdict));
    }),
    ...thrownBy("restarts", () => {
      if (expected.restarts !== undefined) expect(restarts).toBe(expected.restarts);
    }),
  ];
}

/** Compares only the expected members, but each of them completely: one extra setting is a difference. */
function expectMembers(values: object | undefined, wanted: Values): void {
  const all: Values = { ...values };
  expect(Object.fromEntries(Object.keys(wanted).map((name) => [name, all[name]]))).toEqual(wanted);
}

function timesOf({ seconds }: Seen, { within, atLeast }: Expected): readonly string[] {
  return [
    ...(within !== undefined && seconds > within ? [`within ${within} s, but it took ${seconds} s`] : []),
    ...(atLeast !== undefined && seconds < atLeast
      ? [`at least ${atLeast} s, but it took ${seconds} s`]
      : []),
  ];
}

/**
 * Each error has the form `<doing>: <what happened>. <what to do>.`, perhaps followed by choices on lines of their own.
 * No text contains the API key.
 */
function sentencesOf({ emulator }: World, { result, rows, shown, errors }: Seen): readonly string[] {
  const form = /^(?![^]*\.\. )[a-z][^\n]+: [^\n]+\. [A-Z`][^\n]+\.(\n- [A-Z][^\n]+\.)*$/;
  const odd = result.failures.filter((failure) => !isExplained(failure) || !form.test(messageOf(failure)));
  const leaks = [...rows, ...shown, ...errors].filter((text) => text.includes(emulator.apiKey));
  return [
    ...odd.map((failure) => `an error that is no sentence for users: ${String((failure as Error).stack)}`),
    ...leaks.map((text) => `the key is in: ${text}`),
  ];
}

/** Names of the computes at the service, except those that others made. */
function oursOf({ emulator, others, idOf, named }: World): readonly string[] {
  const ids = emulator.endpoints(idOf("project")).map(({ endpoint }) => endpoint.id);
  return ids
    .filter((id) => !others.has(id))
    .map((id) => named(id).replaceAll(/[<>]/g, ""))
    .sort();
}

/**
 * Compares the state with the service: both must have the same computes, with the same values.
 *
 * @param computes - the computes that the service must have, if the state does not have them all.
 */
export function untruths(world: World, computes?: readonly string[]): readonly string[] {
  const { engine, emulator, others } = world;
  const stored = engine.state();
  const there = emulator.endpoints(world.idOf("project")).map(({ endpoint }) => endpoint);
  const ids = [...new Set(stored.map(({ id }) => id))].filter(
    (id) => id.startsWith("ep-") && !others.has(id),
  );
  const names = computes ?? ids.map((id) => world.named(id).replaceAll(/[<>]/g, ""));
  return [
    ...thrownBy("the computes of the state, and those of the service", () => {
      expect(oursOf(world)).toEqual([...names].sort());
    }),
    ...stored.flatMap(({ id, outs }) =>
      there
        .filter((one) => one.id === id)
        .flatMap((one) =>
          thrownBy(`what the state and the service have of ${world.named(id)}`, () => {
            expect(outs).toMatchObject({
              branchId: one.branch_id,
              autoscalingLimitMinCu: one.autoscaling_limit_min_cu,
              autoscalingLimitMaxCu: one.autoscaling_limit_max_cu,
            });
          }),
        ),
    ),
  ];
}

function thrownBy(what: string, act: () => void): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [`${what}: ${(error as Error).message}`];
  }
}

/** What a failing row prints: what was expected, sent and said. */
export function report(world: World, seen: Seen, wrong: readonly string[]): string {
  const writes = seen.requests.map((request) => {
    const body = request.body === undefined ? "" : ` ${JSON.stringify(request.body)}`;
    const { status, fault } = request;
    return `${requestWords(world, request)}${world.named(body)} → ${status ?? "no answer"}${fault === undefined ? "" : ` (${fault})`}`;
  });
  const part = (title: string, lines: readonly string[]): string =>
    `${title}:\n${lines.map((line) => `    ${line}`).join("\n") || "    nothing"}`;
  return [
    `${seen.command.words}, with the ${world.variant} variant, took ${seen.seconds} s.`,
    `NOT AS EXPECTED\n  ${wrong.join("\n  ")}`,
    part("SENT", writes),
    part("SAID", seen.rows),
    part("SHOWN", seen.shown),
    part("FAILED WITH", seen.errors),
  ].join("\n");
}
