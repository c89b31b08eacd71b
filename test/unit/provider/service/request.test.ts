import { deadlineIn } from "../../../../provider/clock";
import type { RequestError, RequestErrorKind } from "../../../../provider/model/errors";
import { readRetryAfterMs } from "../../../../provider/service/answers";
import type { WireResult } from "../../../../provider/service/transport";
import { writeOnce } from "../../../../provider/service/writeOnce";
import { createFakeClock } from "../../../support/fakeClock";
import { answer, clientOf, failureOf, secret, type Answer } from "./scripted";

const ref = { projectId: "p", endpointId: "ep-a" };
const writes = ["createEndpoint", "updateEndpoint", "deleteEndpoint", "restartEndpoint"] as const;
const well = answer(200, { body: { endpoints: [] } });

const lost = (outcome: "unsent" | "unknown", transient = false): WireResult => ({
  kind: "failure",
  outcome,
  what: "the connection was lost",
  transient,
  requestId: "req-ours",
});

/** The failure of a PATCH with this outcome. */
const refusalOf = (outcome: WireResult): Promise<RequestError> =>
  failureOf(clientOf(outcome).api.updateEndpoint(ref, {}));

it("a write whose repeat was never sent still looks for the result of its first attempt", async () => {
  const failures = await Promise.all([refusalOf(lost("unknown")), refusalOf(lost("unsent"))]);
  const [first, unsent] = failures;
  const asked: RequestError[] = [];
  const write = writeOnce({
    deadline: deadlineIn(60_000, createFakeClock()),
    send: () => Promise.reject(asked.length === 0 ? first : unsent),
    checkResult: (error) => (asked.push(error), Promise.resolve("not done")),
    mayRepeat: ({ outcome }) => outcome === "unknown",
    unknownOutcome: (error) => error,
    refusal: () => Promise.resolve(new Error("refused")),
  });
  await expect(write).rejects.toBe(first);
  expect(asked).toEqual([first, first, first]);
});

describe("a status", () => {
  const [all, posts, none] = [writes, ["createEndpoint", "restartEndpoint"], []] as const;
  const gateways = [408, 425, 460, 499, 500, 502, 504, 507, 508, 520, 522, 524, 527, 529, 598, 599];

  /** For each group of statuses: its kind, what to do, and the writes whose outcome it leaves unknown. */
  const meanings: readonly (readonly [RequestErrorKind, readonly number[], RegExp, readonly string[]])[] = [
    ["refused", [402, 424, 431, 451, 498], /^Correct the cause/, none],
    ["refused", [300, 301, 302, 307, 308, 399], /^The provider does not follow redirects/, none],
    ["refused", [401], /COMPUTE_API_KEY/, none],
    ["refused", [403], /^Use a key/, none],
    ["badInput", [400, 413, 414, 422], /^Correct the cause/, none],
    ["notFound", [404], /ids/, none],
    ["notFound", [410], /^Correct the cause/, none],
    ["conflict", [409, 412], /^Correct the cause/, none],
    ["locked", [423], /^Another operation/, none],
    ["throttled", [429], /^The rate limit/, none],
    ["busy", [503], /^The service has a problem\./, posts],
    ["broken", [303], /^The provider does not follow redirects/, all],
    ["broken", gateways, /^The service has a problem\./, all],
  ];
  const rows = meanings.flatMap(([kind, statuses, fix, open]) =>
    statuses.map((status) => ({ status, kind, fix, open })),
  );

  const attempts: Readonly<Partial<Record<RequestErrorKind, number>>> = { throttled: 8, busy: 3, broken: 3 };

  it.each(rows)("of $status means $kind, and says what to do", async ({ status, kind, fix, open }) => {
    const transient = ["locked", "throttled", "busy", "broken"].includes(kind);
    const refused = answer(status, { body: { code: "NO" } });
    for (const write of writes) {
      const { api, sends } = clientOf(refused);
      const sent = write === "createEndpoint" ? api.createEndpoint("p", {}) : api[write](ref, {});
      const error = await failureOf(sent);
      expect(error).toMatchObject({
        kind,
        transient,
        outcome: open.includes(write) ? "unknown" : "not done",
      });
      expect(error.problem.what).toBe(`the service answered ${status} (NO)`);
      expect(error.problem.fix).toMatch(fix);
      expect(sends()).toBe(open.includes(write) ? 1 : (attempts[kind] ?? 1));
    }
    // The outcome of a read is never unknown.
    const { api, sends } = clientOf(refused);
    const error = await failureOf(api.listEndpoints("p"));
    expect(error).toMatchObject({ kind, transient, outcome: "not done" });
    expect(sends()).toBe(attempts[kind] ?? 1);
  });
});

describe("a refusal", () => {
  it.each([
    ["a number as its code", { code: 7 }, "7"],
    ["full stops at the end", { message: "so. no. \n" }, "so. no"],
    ["a nested error", { error: { code: "NO" } }, "NO"],
    ["an error that is only a text", { error: "not so" }, "not so"],
    ["a key that the service echoes", { message: `key ${secret}` }, "key [redacted]"],
    [
      "whole words, since the redactor could not find half a secret",
      { message: `${"x".repeat(590)} project-that-is-secret is unknown` },
      "x".repeat(590),
    ],
  ])("quotes what the service says: %s", async (_reason, body, says) => {
    const error = await refusalOf(answer(400, { body }));
    expect(error.problem.what).toBe(`the service answered 400 (${says})`);
    // An answer in this form comes from the service, even a "not found".
    await expect(refusalOf(answer(404, { body }))).resolves.toMatchObject({ kind: "notFound" });
  });

  it.each<[reason: string, more: Partial<Answer>]>([
    ["JSON that is not an error", { body: { hint: "none" } }],
    ["an error that says nothing", { body: { code: null, message: null } }],
    ["no body", { body: undefined }],
  ])("does not count as the service's own if it does not say what is wrong: %s", async (_reason, more) => {
    for (const status of [404, 410]) {
      const error = await refusalOf(answer(status, more));
      expect(error).toMatchObject({ kind: "notFoundBetween", isFromBetween: true });
      expect(error.problem.what).toBe(`the service answered ${status}`);
    }
  });

  it.each([
    ["by the provider's id, if the service's is not an id", "<b>req", "req-ours"],
    ["by the provider's id, if the service echoes the key", secret, "req-ours"],
  ])("names the request: %s", async (_reason, request_id, requestId) => {
    const body = { message: "no", request_id };
    expect((await refusalOf(answer(400, { body }))).problem.requestId).toBe(requestId);
    const echoed = await refusalOf(answer(400, { requestId: `req-${secret}` }));
    expect(echoed.message).not.toContain(secret);
  });
});

describe("an answer that cannot be used", () => {
  it.each<[what: RegExp, more: Partial<Answer>]>([
    [/, but endpoints is not in the expected form \(.+\)$/, { body: { endpoints: {} } }],
    [/, but the body is not in the expected form \(.+\)$/, { body: undefined }],
    [/ with something that is not JSON$/, { body: undefined, readable: false }],
  ])("makes an error that says what is wrong: %s", async (what, more) => {
    const { api, sends } = clientOf(answer(200, more));
    const error = await failureOf(api.listEndpoints("p"));
    expect(sends()).toBe(3);
    expect(error.problem.what).toMatch(/^the service answered 200/);
    expect(error.problem.what).toMatch(what);
    expect(error.problem.requestId).toBe("req-ours");
    expect(error.problem.fix).toMatch(/base URL/);
    expect(error).toMatchObject({
      kind: "unreadable",
      outcome: "not done",
      transient: false,
      isFromBetween: false,
    });
  });

  it("leaves a change uncertain, even if no answer is needed", async () => {
    const page = answer(200, { body: undefined, readable: false });
    const open = { kind: "unreadable", outcome: "unknown" };
    await expect(refusalOf(page)).resolves.toMatchObject(open);
    await expect(refusalOf(answer(200, { body: {} }))).resolves.toMatchObject(open);
    for (const write of ["deleteEndpoint", "restartEndpoint"] as const) {
      const { api, sends } = clientOf(page);
      await expect(failureOf(api[write](ref))).resolves.toMatchObject(open);
      expect(sends()).toBe(1);
    }
  });
});

it("an error says that the address may be wrong only until that address has answered", async () => {
  const early = await refusalOf(lost("unsent"));
  expect(early.problem.fix).toMatch(/^The service is down, or the base URL \(.+\) is wrong\./);
  expect(early.problem.doubtsConnection).toBe(true);
  const { api } = clientOf(answer(200, { body: { endpoints: [] } }), lost("unsent"));
  await api.listEndpoints("p");
  const { problem } = await failureOf(api.updateEndpoint(ref, {}));
  expect(problem.fix).toMatch(/^The service answered earlier in this run, but does not answer now\./);
  expect(problem.doubtsConnection).toBe(false);
});

describe("a request", () => {
  const refused = answer(429, { headers: { "retry-after": "7" } });

  it("is sent when the limiter allows it, and reports each 429 and the wait that the service asks for", async () => {
    const onRetry = jest.fn();
    const { api, log, clock } = clientOf(refused, answer(503), well);
    await api.listEndpoints("p", { onRetry, deadline: deadlineIn(14_000, clock) });
    const [acquired, sent, ended] = ["acquire listEndpoints", "send", "ended listEndpoints"];
    const slowed = "refused listEndpoints 7000";
    expect(log).toEqual([acquired, sent, slowed, ended, ...[1, 2].flatMap(() => [acquired, sent, ended])]);
    expect(onRetry.mock.calls).toEqual([
      [1, 7_000],
      [2, 0],
    ]);
    expect(clock.sleeps).toEqual([7_000, 0]);
  });
});

describe("Retry-After", () => {
  const nowMs = Date.UTC(2026, 0, 5, 8);

  it.each<[value: string | undefined, ms: number | undefined, reason: string]>([
    [undefined, undefined, "there is no header"],
    ["0", 0, "at once"],
    ["0.25", 250, "seconds, even a fraction of one"],
    ["-1", undefined, "a negative number"],
    ["1e12", undefined, "an invalid form"],
    ["Monday, 05-Jan-26 08:00:10 GMT", 10_000, "a date in the old form"],
    ["Mon, 05 Jan 2026 08:00:10 GMT", 10_000, "a date"],
    ["Mon, 05 Jan 2026 07:59:00 GMT", undefined, "a date that has passed"],
  ])("of %p is %p ms: %s", (value, ms) => {
    expect(readRetryAfterMs({ "retry-after": value }, nowMs)).toBe(ms);
  });

  it("compares a date with the service's clock, even if this machine's clock is hours off", () => {
    const [later, date] = ["Mon, 05 Jan 2026 08:00:10 GMT", "Mon, 05 Jan 2026 08:00:00 GMT"];
    for (const offMs of [-3 * 3_600_000, 0, 3 * 3_600_000])
      expect(readRetryAfterMs({ "retry-after": later, date }, nowMs + offMs)).toBe(10_000);
  });
});
