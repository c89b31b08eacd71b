import { PartialFailure, type EndpointState } from "../../../provider/model/state";
import {
  ComputeError,
  ConfigurationError,
  isKind,
  isNotFound,
  messageOf,
  RequestError,
  type Problem,
  type RequestErrorKind,
} from "../../../provider/model/errors";

const place = { projectId: "p", branchId: "br-a", type: "read_write" } as const;
const state: EndpointState = { endpointId: "ep-a", ...place, managed: [] };
const problem = { doing: "creating a compute", what: "the service answered 500", fix: "Try again" };

describe("a failure", () => {
  it.each<[reason: string, more: Partial<Problem>, says: string]>([
    ["no request", {}, "the service answered 500"],
    ["the service's id of the request", { requestId: "req-1" }, "the service answered 500, request req-1"],
    ["what a service writes must not steer a terminal", { what: "it\r\n\u001b[2Jboo" }, "it [2Jboo"],
    [
      "nor be a command to GitHub's runner",
      { what: "a ##[set-output name=a]b" },
      "a ## [set-output name=a]b",
    ],
    [
      "nor to Azure's agent, nor by a character that is taken out",
      { what: "a ##vso[task.setvariable variable=a]b, #\u202e##[error]" },
      "a ## vso[task.setvariable variable=a]b, # ## [error]",
    ],
    ["nor to TeamCity", { what: "a ##teamcity[set name='a']" }, "a ## teamcity[set name='a']"],
  ])("is one line: %s", (_reason, more, says) => {
    const cause = new Error("deeper");
    const error = new ComputeError({ ...problem, ...more, cause });
    expect([error.message, error.cause]).toEqual([`creating a compute: ${says}. Try again.`, cause]);
  });

  it.each([
    ["ComputeError", () => new ComputeError(problem)],
    ["ConfigurationError", () => new ConfigurationError(problem)],
    ["RequestError", () => new RequestError(problem, { kind: "connection", outcome: "unknown" })],
    ["PartialFailure", () => new PartialFailure(state, new Error("why"))],
  ])("is called %s", (name, make) => {
    expect(make().name).toBe(name);
  });
});

it("a request that failed is not transient unless that is known", () => {
  expect(new RequestError(problem, { kind: "busy", outcome: "unknown" }).transient).toBe(false);
});

describe("isKind", () => {
  const locked = new RequestError(problem, { kind: "locked", outcome: "refused" });

  it.each<[is: boolean, reason: string, error: unknown, kinds: readonly RequestErrorKind[]]>([
    [true, "it is", locked, ["locked"]],
    [true, "it is one of them", locked, ["conflict", "locked"]],
    [false, "it is none of them", locked, ["conflict", "busy"]],
    [false, "none is asked for", locked, []],
    [false, "it is no answer", Object.assign(new ComputeError(problem), { kind: "locked" }), ["locked"]],
    [false, "nothing was thrown", null, ["locked"]],
  ])("is %s: %s", (...[is, , error, kinds]) => {
    expect(isKind(error, ...kinds)).toBe(is);
  });

  it("is not found where the service says so: a proxy's page says nothing of the compute", () => {
    const kinds = ["notFound", "notFoundBetween"] as const;
    const found = kinds.map((kind) => isNotFound(new RequestError(problem, { kind, outcome: "refused" })));
    expect(found).toEqual([true, false]);
  });
});

describe("messageOf", () => {
  it.each<[message: string, reason: string, thrown: unknown]>([
    ["why", "an error's own message", new Error("why")],
    ["TypeError", "its name where it has none", new TypeError("")],
    ["why", "a text", "why"],
    ["unexpected failure: ", "an empty text", ""],
    ["unexpected failure: null", "null", null],
    ["unexpected failure: undefined", "undefined", undefined],
    ["unexpected failure: 7", "a number", 7],
    ["unexpected failure: object", "an object that has no text", Object.create(null)],
  ])("is %s of %s", (message, _reason, thrown) => {
    expect(messageOf(thrown)).toBe(message);
  });
});
