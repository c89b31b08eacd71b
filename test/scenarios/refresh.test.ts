/** What a refresh shows, what `Endpoint.get` finds, and lists that are not as the interface says. */
import { scenarios } from "./scenarios";
import { destroy, get, pgSettings, refresh, size, up, upAll } from "./commands";
import { byHand, clockOff, deleted, hours, seconds, stateEdited } from "./events";
import { always, answers, answersBody, done, lists, times, unlisted } from "./faults";

const given = { db: size(1) };
const notListedYet =
  /^warning: The compute <db> is not listed yet, \d+ s after its creation; the state keeps the compute for now\. The service's lists may be late, so the compute counts as deleted only if it is still missing 30 s after its creation\.$/;

scenarios("a refresh", [
  {
    promise: "writes the service's values into the stored outputs and inputs",
    given,
    meanwhile: [byHand({ autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 4 })],
    do: refresh(),
    expect: {
      state: size(4),
      sent: [],
      also: ({ engine }) => {
        const inputs = engine.stored("db")?.inputs;
        expect(inputs).toMatchObject(size(4));
        expect(inputs).not.toHaveProperty("poolerEnabled");
      },
    },
  },
  {
    promise: "reads one list, and changes nothing if nothing has changed",
    given: { db: { ...size(1), suspendTimeoutSeconds: 0, ...pgSettings({ jit: true }) } },
    do: refresh(),
    expect: {
      requests: ["LIST"],
      said: [],
      state: { ...size(1), suspendTimeoutSeconds: 0, ...pgSettings({ jit: true }) },
    },
    then: [{ do: up(), expect: { step: "same", sent: [] } }],
  },
  {
    promise: "treats the compute as deleted after two lists without it",
    given,
    meanwhile: [deleted()],
    do: refresh(),
    expect: { state: null, requests: ["LIST", "LIST"] },
  },
  {
    promise: "keeps a compute that the first of two lists does not show",
    given,
    meanwhile: [seconds(600)],
    faults: { LIST: answersBody({ endpoints: [] }) },
    do: refresh(),
    expect: { state: size(1), requests: ["LIST", "LIST"] },
  },
  {
    promise: "fails if the service does not know the project: a key without access gets the same answer",
    given,
    faults: { LIST: times(2, answers(404, { body: { code: "NOT_FOUND", message: "project not found" } })) },
    do: refresh(),
    expect: { error: "…The key or the address may belong to another account…", state: size(1) },
    then: [{ do: refresh(), expect: { state: size(1) } }],
  },
  {
    promise:
      "keeps a young compute that no list shows, and says so, until lists have had the time to show it",
    given,
    faults: { LIST: unlisted },
    do: refresh(),
    expect: { said: [notListedYet], state: size(1) },
    then: [
      { meanwhile: [seconds(15)], faults: { LIST: unlisted }, do: refresh(), expect: { state: size(1) } },
      { meanwhile: [seconds(15)], faults: { LIST: unlisted }, do: refresh(), expect: { state: null } },
    ],
    behind: "the service's lists do not show it",
  },
  ...[-3, 3].map((off) => ({
    promise: "judges the age of a compute by the service's clock, whatever this machine's clock says",
    reason: `this machine's clock is off by ${off} h`,
    given,
    meanwhile: [clockOff(off)],
    faults: { LIST: unlisted },
    do: refresh(),
    expect: { state: size(1) },
  })),
  {
    promise: "treats an unlisted compute as deleted if the state does not say when it was created",
    given,
    meanwhile: [
      stateEdited((stored) => {
        const { createdAt, ...outs } = stored.outs;
        expect(createdAt).toBeDefined();
        return [{ ...stored, outs }];
      }),
    ],
    faults: { LIST: unlisted },
    do: refresh(),
    expect: { state: null },
    behind: "the service's lists do not show it",
  },
  {
    promise: "shows on its row that it tries again",
    given,
    faults: { LIST: answers(503) },
    do: refresh(),
    expect: { says: [/^no usable answer from the service; attempt 2 in \d+\.\d s$/] },
  },
]);

scenarios("a lookup by an id", [
  {
    promise: "needs only the project",
    do: get("<default primary>", { projectId: "<project>" }),
    expect: {
      also: ({ found, idOf }) => {
        expect(found).toMatchObject({ branchId: idOf("default branch"), type: "read_write" });
      },
    },
  },
  {
    promise: "fails if there is no such compute",
    do: get("ep-of-nobody-1", { projectId: "<project>" }),
    expect: { error: "reading compute ep-of-nobody-1: project <project> has no such compute. Check…" },
  },
  {
    promise: "fails if no list shows the compute yet",
    given,
    faults: { LIST: always(unlisted) },
    do: get("<db>", { projectId: "<project>" }),
    expect: { error: "…has no such compute…" },
  },
  {
    promise: "fails if no project is given, and the error asks for the project",
    do: get("ep-a", {}),
    dynamic: {
      error: "reading compute ep-a: projectId is missing. Pass it: Endpoint.get(name, id, { projectId }).",
    },
    native: { error: "importing compute ep-a: the id does not include the project. Include the project: …" },
  },
]);

const before = { ...size(1), suspendTimeoutSeconds: 600 };
const changed = { suspendTimeoutSeconds: 900 };

const odd = { id: "ep-odd", project_id: "p", branch_id: 7, type: "read_only" };

scenarios("a listed compute that is not as the interface says", [
  {
    promise: "does not hinder other computes of its project",
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
    promise: "counts neither as gone nor as changed: the error names the member",
    given: { db: before },
    meanwhile: [hours(1)],
    faults: { LIST: lists(({ id }) => [{ ...odd, id }]) },
    do: refresh(),
    expect: {
      error: "…compute <db> is listed, but its branch_id is not in the expected form…",
      state: before,
    },
  },
  {
    promise: "could be any compute if its id cannot be read, so no compute counts as gone",
    given: { db: before },
    meanwhile: [hours(1)],
    faults: { LIST: lists(() => [{ ...odd, id: 5 }]) },
    do: refresh(),
    expect: { error: "…a compute is listed, but its id is not in the expected form…", state: before },
  },
  {
    promise: "could be any compute if its id cannot be read, so no replica is created twice",
    faults: { POST: done(503), LIST: always(answersBody({ endpoints: [{ ...odd, id: 5 }] })) },
    do: up({ type: "read_only" }),
    expect: { error: "…", count: { POST: 1 } },
  },
]);

scenarios("a list", [
  {
    promise: "counts as empty if it is null: at the first create and the last deletion of a project",
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
    promise: "makes the run fail if it has pages, instead of counting as a list of fewer computes",
    given: { db: size(1) },
    faults: { LIST: always(answersBody({ endpoints: [], pagination: { cursor: "more" } })) },
    do: refresh(),
    expect: { error: "listing the computes of project…", state: size(1) },
  },
]);
