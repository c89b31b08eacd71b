import {
  ComputeError,
  ConfigurationError,
  isNotFound,
  messageOf,
  PartialFailure,
  RequestError,
  type RequestOutcome,
} from "../../../provider/errors";

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
    { make: () => new RequestError(problem, { outcome: "unknown" }), name: "RequestError" },
    { make: () => new PartialFailure("ep-a", {}, new Error("why")), name: "PartialFailure" },
  ])("is called $name", ({ make, name }) => {
    expect(make().name).toBe(name);
  });
});

describe("a request that failed", () => {
  it("is neither transient nor the service's own unless that is known", () => {
    expect(new RequestError(problem, { outcome: "refused" })).toMatchObject({
      transient: false,
      fromService: false,
      status: undefined,
      retryAfterMs: undefined,
    });
  });

  it("keeps what is known of it", () => {
    const facts = {
      outcome: "unknown" as RequestOutcome,
      status: 503,
      transient: true,
      retryAfterMs: 7,
      fromService: true,
    };
    expect(new RequestError(problem, facts)).toMatchObject(facts);
  });
});

describe("isNotFound", () => {
  const refused = (status: number, fromService: boolean): RequestError =>
    new RequestError(problem, { outcome: "refused", status, fromService });

  it.each([
    { error: refused(404, true), is: true, reason: "the service says so" },
    { error: refused(404, false), is: false, reason: "a proxy's page says nothing of the compute" },
    { error: refused(410, true), is: true, reason: "gone is not there either" },
    { error: refused(400, true), is: false, reason: "another status" },
    {
      error: Object.assign(new Error(), { status: 404, fromService: true }),
      is: false,
      reason: "not an answer",
    },
    { error: undefined, is: false, reason: "nothing" },
  ])("is $is: $reason", ({ error, is }) => {
    expect(isNotFound(error)).toBe(is);
  });
});

describe("a partial failure", () => {
  it("gives its cause's sentence as the reason", () => {
    const cause = new ComputeError(problem);
    const failure = new PartialFailure("ep-a", { a: 1 }, cause);
    expect(failure).toMatchObject({ id: "ep-a", properties: { a: 1 }, cause, message: cause.message });
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
