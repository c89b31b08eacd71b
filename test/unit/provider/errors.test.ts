import { PartialFailure, type EndpointState } from "../../../provider/endpoint/state";
import {
  ComputeError,
  ConfigurationError,
  isKind,
  isNotFound,
  messageOf,
  RequestError,
  type RequestErrorKind,
} from "../../../provider/errors";

const state: EndpointState = {
  endpointId: "ep-a",
  projectId: "p",
  branchId: "br-a",
  type: "read_write",
  managed: [],
};
const problem = { doing: "creating a compute", what: "the service answered 500", fix: "Try again" };

describe("a failure", () => {
  it.each([
    { more: {}, message: "creating a compute: the service answered 500. Try again.", reason: "no request" },
    {
      more: { requestId: "req-1" },
      message: "creating a compute: the service answered 500, request req-1. Try again.",
      reason: "the id that the service knows the request by",
    },
    {
      more: { what: "it said\r\n\u001b[2Jboo" },
      message: "creating a compute: it said [2Jboo. Try again.",
      reason: "what a service writes must not steer a terminal",
    },
  ])("is one line: $reason", ({ more, message }) => {
    expect(new ComputeError({ ...problem, ...more }).message).toBe(message);
  });

  it("keeps its cause", () => {
    const cause = new Error("deeper");
    expect(new ComputeError({ ...problem, cause }).cause).toBe(cause);
  });

  it.each([
    { make: () => new ComputeError(problem), name: "ComputeError" },
    { make: () => new ConfigurationError(problem), name: "ConfigurationError" },
    {
      make: () => new RequestError(problem, { kind: "connection", outcome: "unknown" }),
      name: "RequestError",
    },
    { make: () => new PartialFailure(state, new Error("why")), name: "PartialFailure" },
  ])("is called $name", ({ make, name }) => {
    expect(make().name).toBe(name);
  });
});

describe("a request that failed", () => {
  it("is not transient unless that is known", () => {
    expect(new RequestError(problem, { kind: "refused", outcome: "refused" })).toMatchObject({
      transient: false,
      retryAfterMs: undefined,
    });
  });

  it("keeps what is known of it", () => {
    const facts = { kind: "busy", outcome: "unknown", transient: true, retryAfterMs: 7 } as const;
    expect(new RequestError(problem, facts)).toMatchObject(facts);
  });
});

describe("isNotFound", () => {
  const refused = (kind: RequestErrorKind): RequestError =>
    new RequestError(problem, { kind, outcome: "refused" });

  it.each([
    { error: refused("notFound"), is: true, reason: "the service says so" },
    { error: refused("notFoundBetween"), is: false, reason: "a proxy's page says nothing of the compute" },
    { error: refused("badInput"), is: false, reason: "another answer" },
    {
      error: Object.assign(new Error(), { kind: "notFound" }),
      is: false,
      reason: "not an answer",
    },
    { error: undefined, is: false, reason: "nothing" },
  ])("is $is: $reason", ({ error, is }) => {
    expect(isNotFound(error)).toBe(is);
  });
});

describe("isKind", () => {
  const locked = new RequestError(problem, { kind: "locked", outcome: "refused" });

  it.each<{ error: unknown; kinds: readonly RequestErrorKind[]; is: boolean; reason: string }>([
    { error: locked, kinds: ["locked"], is: true, reason: "it is" },
    { error: locked, kinds: ["conflict", "locked"], is: true, reason: "it is one of them" },
    { error: locked, kinds: ["conflict", "busy"], is: false, reason: "it is none of them" },
    { error: locked, kinds: [], is: false, reason: "none is asked for" },
    {
      error: Object.assign(new ComputeError(problem), { kind: "locked" }),
      kinds: ["locked"],
      is: false,
      reason: "it is no answer",
    },
    { error: null, kinds: ["locked"], is: false, reason: "nothing was thrown" },
  ])("is $is: $reason", ({ error, kinds, is }) => {
    expect(isKind(error, ...kinds)).toBe(is);
  });
});

describe("a partial failure", () => {
  it("gives its cause's sentence as the reason", () => {
    const cause = new ComputeError(problem);
    const failure = new PartialFailure(state, cause);
    expect(failure).toMatchObject({ state, cause, message: cause.message });
    expect(failure.reasons).toEqual([cause.message]);
  });
});

describe("messageOf", () => {
  it.each<{ thrown: unknown; message: string; reason: string }>([
    { thrown: new Error("why"), message: "why", reason: "an error's own message" },
    { thrown: new TypeError(""), message: "TypeError", reason: "its name where it has none" },
    { thrown: "why", message: "why", reason: "a text" },
    { thrown: "", message: "unexpected failure: ", reason: "an empty text" },
    { thrown: null, message: "unexpected failure: null", reason: "null" },
    { thrown: undefined, message: "unexpected failure: undefined", reason: "undefined" },
    { thrown: 7, message: "unexpected failure: 7", reason: "a number" },
    {
      thrown: Object.create(null),
      message: "unexpected failure: object",
      reason: "an object that has no text",
    },
  ])("is $message of $reason", ({ thrown, message }) => {
    expect(messageOf(thrown)).toBe(message);
  });
});
