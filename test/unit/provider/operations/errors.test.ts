import type { ApiOperation } from "../../../../provider/api/schemas";
import {
  nameOf,
  OperationFailedError,
  OperationLostError,
  OperationStatusUnknownError,
  OperationTimeoutError,
  type Awaited,
} from "../../../../provider/operations/errors";

const operation: ApiOperation = { id: "op-1", action: "start_compute", status: "running" };
const change: Awaited = { doing: "updating compute ep-a", kind: "change" };
const deletion: Awaited = { doing: "deleting compute ep-a", kind: "deletion" };

type Made = (awaited: Awaited, of?: ApiOperation) => Error;

const failed: Made = (awaited, of = operation) => new OperationFailedError(of, awaited, undefined);
const timedOut: Made = (awaited, of = operation) => new OperationTimeoutError(of, awaited, 1_499);
const unknown: Made = (awaited, of = operation) => new OperationStatusUnknownError(of, awaited, 1_500);
const lost: Made = (awaited, of = operation) => new OperationLostError(of, awaited);

describe("how a wait ends badly", () => {
  it.each([
    { make: failed, name: "OperationFailedError", what: "ended as running." },
    { make: timedOut, name: "OperationTimeoutError", what: "was still running after 1 s." },
    { make: unknown, name: "OperationStatusUnknownError", what: "is running after 2 s, a status" },
    { make: lost, name: "OperationLostError", what: "last seen running." },
  ])("is told by name, operation and status: $name", ({ make, name, what }) => {
    const error = make(change);
    expect(error).toMatchObject({ name, operation });
    expect(error.message).toMatch(/^updating compute ep-a: /);
    expect(error.message).toContain("operation start_compute (op-1)");
    expect(error.message).toContain(what);
  });

  it.each([
    { make: failed, fix: "`pulumi destroy` removes it", reason: "the compute is there" },
    { make: timedOut, fix: "`pulumi up` goes on waiting for it", reason: "a longer wait may do" },
    { make: lost, fix: "`pulumi up` looks at the compute again", reason: "it may be there" },
  ])("of a change is gone on with: $reason", ({ make, fix }) => {
    expect(make(change).message).toContain(fix);
    expect(make(deletion).message).not.toContain(fix);
  });

  it.each([
    { make: failed, reason: "it may be gone all the same" },
    { make: timedOut, reason: "it may be gone by then" },
    { make: lost, reason: "it may have gone with the compute" },
  ])("of a deletion is found out first by the same command: $reason", ({ make }) => {
    const fix = "Run the same command again: it finds out first whether the compute is gone";
    expect(make(deletion).message).toContain(fix);
    expect(make(change).message).not.toContain(fix);
  });
});

describe("nameOf", () => {
  it("names action and id, so that the operation can be looked up at the service", () => {
    expect(nameOf(operation)).toBe("operation start_compute (op-1)");
  });
});
