import type { WireOutcome } from "../../../../provider/service/transport";
import { deadlineIn } from "../../../../provider/clock";
import type { RequestError } from "../../../../provider/model/errors";
import { answer, clientOf, failureOf, secret } from "./scripted";

const ref = { projectId: "p", endpointId: "ep-a" };

/** How a PATCH fails that is answered so. */
async function refusalOf(outcome: WireOutcome): Promise<RequestError> {
  return failureOf(clientOf(outcome).api.updateEndpoint(ref, {}));
}

describe("a request", () => {
  it("goes out when the limiter lets it, each time that it is sent", async () => {
    const { api, log } = clientOf(answer(503), answer(200, { body: { endpoints: [] } }));
    await expect(api.listEndpoints("p")).resolves.toEqual(new Map());
    const request = ["acquire listEndpoints", "send", "ended listEndpoints"];
    expect(log).toEqual([...request, ...request]);
  });

  it("gets the time that is left, and a little more for the answer to a last look", async () => {
    const { api, limitsMs, clock } = clientOf(answer(200, { body: { endpoints: [] } }));
    const deadline = deadlineIn(10_000, clock);
    await api.listEndpoints("p", { deadline });
    clock.advance(4_000);
    await api.listEndpoints("p", { deadline });
    clock.advance(60_000);
    await api.listEndpoints("p", { deadline });
    await api.listEndpoints("p");
    expect(limitsMs).toEqual([15_000, 11_000, 5_000, undefined]);
  });

  const refused = answer(429, { headers: { "retry-after": "7" } });

  it("tells each retry with its wait, and the limiter of a 429 and how long the service asks to wait", async () => {
    const onRetry = jest.fn();
    const { api, log, clock } = clientOf(refused, refused, answer(200, { body: { endpoints: [] } }));
    await api.listEndpoints("p", { onRetry, deadline: deadlineIn(14_000, clock) });
    expect(onRetry.mock.calls).toEqual([
      [1, 7_000],
      [2, 7_000],
    ]);
    expect(log.filter((line) => line.startsWith("refused"))).toEqual(
      Array(2).fill("refused listEndpoints 7000"),
    );
    expect(clock.sleeps).toEqual([7_000, 7_000]);
  });

  it("is not sent again where the wait would outlast its deadline", async () => {
    const { api, log, clock } = clientOf(refused);
    const refusal = api.listEndpoints("p", { deadline: deadlineIn(6_999, clock) });
    await expect(refusal).rejects.toMatchObject({ kind: "throttled" });
    expect(log.filter((line) => line === "send")).toHaveLength(1);
    expect(clock.sleeps).toEqual([]);
  });
});

describe("a refusal", () => {
  it.each([
    ["both", { code: "NO", message: "not so" }, "the service answered 400 (NO: not so)"],
    ["a number for a code", { code: 7 }, "the service answered 400 (7)"],
    ["one full stop", { message: "not so." }, "the service answered 400 (not so)"],
    ["stops at the end", { message: "so. no. \n" }, "the service answered 400 (so. no)"],
    ["an empty code", { code: "", message: "no" }, "the service answered 400 (no)"],
    ["a null code", { code: null, message: "no" }, "the service answered 400 (no)"],
    ["nested", { error: { code: "NO" } }, "the service answered 400 (NO)"],
    ["a text alone", { error: "not so" }, "the service answered 400 (not so)"],
    [
      "a key that the service echoes",
      { message: `key ${secret}` },
      "the service answered 400 (key [redacted])",
    ],
    [
      "600 characters are enough, in whole words: of half a secret argument, a lookup would not know what to hide",
      { message: `${"x".repeat(590)} project-that-is-secret is unknown` },
      `the service answered 400 (${"x".repeat(590)})`,
    ],
  ])("quotes what the service says: %s", async (_reason, body, what) => {
    const error = await refusalOf(answer(400, { body }));
    expect(error.problem.what).toBe(what);
    // In this form it is the service's own, and so is a "not found".
    await expect(refusalOf(answer(404, { body }))).resolves.toMatchObject({ kind: "notFound" });
  });

  it.each([
    { more: { body: { hint: "none" } }, reason: "JSON that is no error" },
    { more: { body: { code: null, message: null } }, reason: "an error that says nothing" },
    { more: { body: "no" }, reason: "a text" },
    { more: { body: undefined }, reason: "no body" },
    { more: { body: { code: "NO" }, readable: false }, reason: "a body that is no JSON" },
  ])("is not the service's own where it does not say what it is: $reason", async ({ more }) => {
    await expect(refusalOf(answer(410, more))).resolves.toMatchObject({ kind: "notFoundBetween" });
    const error = await refusalOf(answer(404, more));
    expect(error.kind).toBe("notFoundBetween");
    expect(error.problem.what).toBe("the service answered 404");
  });

  it.each([
    ["the service's", { message: "no", request_id: "req-theirs" }, "req-theirs"],
    ["ours, where it gives none", { message: "no" }, "req-ours"],
    ["ours, where it does not begin as an id", { message: "no", request_id: "<b>req" }, "req-ours"],
    ["ours, where it is no id", { message: "no", request_id: "<b>" }, "req-ours"],
    ["ours, where the service echoes the key", { message: "no", request_id: secret }, "req-ours"],
  ])("names the request: %s", async (_reason, body, requestId) => {
    expect((await refusalOf(answer(400, { body }))).problem.requestId).toBe(requestId);
  });

  it("takes the key out of a request id that a header echoes", async () => {
    const error = await refusalOf(answer(400, { requestId: `req-${secret}` }));
    expect(error.message).not.toContain(secret);
  });

  it("keeps how long the service asks to wait", async () => {
    const locked = answer(423, { headers: { "retry-after": "3" } });
    await expect(refusalOf(locked)).resolves.toMatchObject({ retryAfterMs: 3_000 });
    await expect(refusalOf(answer(423))).resolves.toMatchObject({ retryAfterMs: undefined });
  });
});

describe("an answer that cannot be used", () => {
  it.each([
    {
      more: { body: { endpoints: {} } },
      what: /^the service answered 200, but endpoints is not as the interface says \(.+\)$/,
      reason: "a member is wrong",
    },
    {
      more: { body: undefined },
      what: /^the service answered 200, but the body is not as the interface says \(.+\)$/,
      reason: "there is no body",
    },
    {
      more: { body: undefined, readable: false },
      what: /^the service answered 200 with something that is not JSON$/,
      reason: "a proxy's page",
    },
  ])("says where it is not as the interface says: $reason", async ({ more, what }) => {
    const error = await failureOf(clientOf(answer(200, more)).api.listEndpoints("p"));
    expect(error.problem.what).toMatch(what);
    expect(error.problem).toMatchObject({
      requestId: "req-ours",
      fix: expect.stringMatching(/base URL/) as string,
    });
    expect(error).toMatchObject({ kind: "unreadable", outcome: "refused" });
  });

  it("is never taken for one, even where the shape asks for nothing", async () => {
    const page = answer(200, { body: undefined, readable: false });
    await expect(refusalOf(page)).resolves.toMatchObject({ kind: "unreadable" });
    await expect(failureOf(clientOf(page).api.deleteEndpoint(ref))).resolves.toMatchObject({
      kind: "unreadable",
    });
  });

  it("leaves a change uncertain: it may have been carried out", async () => {
    await expect(refusalOf(answer(200, { body: {} }))).resolves.toMatchObject({ outcome: "unknown" });
  });
});

describe("no answer", () => {
  const failure = (sent: "unsent" | "unknown", transient = false): WireOutcome => ({
    kind: "failure",
    sent,
    what: "the connection was lost",
    transient,
    requestId: "req-ours",
  });

  it.each([
    { sent: "unsent", outcome: "unsent", fix: /base URL .* and the network/, reason: "it never left" },
    { sent: "unknown", outcome: "unknown", fix: /finds out first/, reason: "it may have been carried out" },
  ] as const)("of a PATCH is $outcome: $reason", async ({ sent, outcome, fix }) => {
    const error = await refusalOf(failure(sent));
    expect(error).toMatchObject({ kind: "connection", outcome, transient: false });
    expect(error.problem).toMatchObject({ what: "the connection was lost", requestId: "req-ours" });
    expect(error.problem.fix).toMatch(fix);
  });

  it("of a GET leaves nothing uncertain", async () => {
    const error = await failureOf(clientOf(failure("unknown", true)).api.listEndpoints("p"));
    expect(error).toMatchObject({ outcome: "unsent", transient: true });
  });
});
