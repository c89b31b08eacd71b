/** Lists that are not as the interface says: no compute counts as gone, and none hinders another one. */
import { scenarios } from "./scenarios";
import { destroy, refresh, size, up, upAll } from "./commands";
import { hours } from "./events";
import { always, answers, answersBody, done, lists } from "./faults";

const before = { ...size(1), suspendTimeoutSeconds: 600 };
const changed = { suspendTimeoutSeconds: 900 };

const odd = { id: "ep-odd", project_id: "p", branch_id: 7, type: "read_only" };

scenarios("a compute in a list that is not as the interface says", [
  {
    promise: "hinders no other compute of its project",
    given: { db: before },
    faults: { LIST: lists((live) => [odd, live]) },
    do: refresh(),
    expect: { state: before },
    then: [
      { faults: { LIST: lists((live) => [odd, live]) }, do: up(changed), expect: { sent: ["PATCH <db>"] } },
      {
        faults: { LIST: lists((live) => [odd, live]) },
        do: upAll({ db: { ...before, ...changed }, other: { ...size(1), branchId: "<other branch>" } }),
        expect: { sent: ["POST"] },
      },
      { faults: { LIST: lists(() => [odd]) }, do: destroy({ targets: ["db"] }), expect: { state: null } },
    ],
  },
  {
    promise: "is neither gone nor changed: the error names the member",
    given: { db: before },
    meanwhile: [hours(1)],
    faults: { LIST: lists(({ id }) => [{ ...odd, id }]) },
    do: refresh(),
    expect: {
      error: "…compute <db> is listed, but its branch_id is not as the interface says…",
      state: before,
    },
  },
  {
    promise: "whose id cannot be read may be any: no compute counts as gone",
    given: { db: before },
    meanwhile: [hours(1)],
    faults: { LIST: lists(() => [{ ...odd, id: 5 }]) },
    do: refresh(),
    expect: { error: "…a compute is listed, but its id is not as the interface says…", state: before },
  },
  {
    promise: "whose id cannot be read may be any: no replica is created twice",
    faults: { POST: done(503), LIST: always(answersBody({ endpoints: [{ ...odd, id: 5 }] })) },
    do: up({ type: "read_only" }),
    expect: { error: "…", count: { POST: 1 } },
  },
]);

scenarios("a list", [
  {
    promise: "that is null is empty: the first create and the last deletion of a project",
    faults: { LIST: answersBody({ endpoints: null }) },
    do: up(size(1)),
    then: [
      {
        meanwhile: [hours(1)],
        faults: { LIST: always(answersBody({ endpoints: null })), DELETE: answers(404) },
        do: destroy(),
        expect: { state: null },
      },
    ],
    behind: "lists show nothing",
  },
  {
    promise: "that has pages is an error, never a list of fewer computes",
    given: { db: size(1) },
    faults: { LIST: always(answersBody({ endpoints: [], pagination: { cursor: "more" } })) },
    do: refresh(),
    expect: { error: "listing the computes of project…", state: size(1) },
  },
]);
