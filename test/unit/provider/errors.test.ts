import { ComputeError, type Problem } from "../../../provider/model/errors";

const problem = { doing: "creating a compute", what: "the service answered 500", fix: "Try again" };

describe("a failure", () => {
  it.each<[reason: string, more: Partial<Problem>, says: string]>([
    ["without the id of a request", {}, "the service answered 500"],
    [
      "with the service's id of the request",
      { requestId: "req-1" },
      "the service answered 500 [request req-1]",
    ],
    ["text from a service cannot steer a terminal", { what: "it\r\n\u001b[2Jboo" }, "it [2Jboo"],
    [
      "text from a service cannot command GitHub's runner",
      { what: "a ##[set-output name=a]b" },
      "a ## [set-output name=a]b",
    ],
    [
      "text from a service cannot command Azure's agent, even behind an invisible character",
      { what: "a ##vso[task.setvariable variable=a]b, #\u202e##[error]" },
      "a ## vso[task.setvariable variable=a]b, # ## [error]",
    ],
    [
      "text from a service cannot command TeamCity",
      { what: "a ##teamcity[set name='a']" },
      "a ## teamcity[set name='a']",
    ],
  ])("is one line: %s", (_reason, more, says) => {
    const cause = new Error("deeper");
    const error = new ComputeError({ ...problem, ...more, cause });
    expect([error.message, error.cause]).toEqual([`creating a compute: ${says}. Try again.`, cause]);
  });
});
