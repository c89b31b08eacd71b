/** What a refresh shows, and what `Endpoint.get` finds. */
import { scenarios } from "./scenarios";
import { get, pgSettings, refresh, size, up } from "./commands";
import { byHand, clockOff, deleted, seconds, stateEdited } from "./events";
import { always, answers, times, unlisted } from "./faults";

const given = { db: size(1) };
const notListedYet =
  /^warning: The compute <db> is not listed yet, \d+ s after its creation: the state keeps it\. The service's lists may be late, so it counts as deleted only if it is still missing 30 s after its creation\.$/;

scenarios("a refresh", [
  {
    promise: "shows the compute as the service does, and its declaration with the service's values",
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
    promise: "changes nothing where nothing has changed, and asks once",
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
    promise: "says gone after two looks that do not show the compute",
    given,
    meanwhile: [deleted()],
    do: refresh(),
    expect: { state: null, requests: ["LIST", "LIST"] },
  },
  {
    promise: "fails where the whole project is unknown: a key that may not see it looks the same",
    given,
    faults: { LIST: times(2, answers(404, { body: { code: "NOT_FOUND", message: "project not found" } })) },
    do: refresh(),
    expect: { error: "…as where the key or the address is another account's…", state: size(1) },
    then: [{ do: refresh(), expect: { state: size(1) } }],
  },
  {
    promise: "keeps the state and says so, until lists have had the time to show it",
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
    promise: "judges the age of a compute by the service's clock, whatever this machine's says",
    reason: `it is ${off} h off`,
    given,
    meanwhile: [clockOff(off)],
    faults: { LIST: unlisted },
    do: refresh(),
    expect: { state: size(1) },
  })),
  {
    promise: "has nothing to go by in a state of old, which does not say when the compute was created",
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
    expect: { says: [/^no good answer; attempt 2 in \d+\.\d s$/] },
  },
]);

scenarios("a lookup by an id", [
  {
    promise: "reads where it knows the project alone",
    do: get("<default primary>", { projectId: "<project>" }),
    expect: {
      also: ({ found, idOf }) => {
        expect(found).toMatchObject({ branchId: idOf("default branch"), type: "read_write" });
      },
    },
  },
  {
    promise: "is an error where nothing is there",
    do: get("ep-of-nobody-1", { projectId: "<project>" }),
    expect: { error: "reading compute ep-of-nobody-1: project <project> has no such compute. Correct…" },
  },
  {
    promise: "is an error where no list shows the compute yet",
    given,
    faults: { LIST: always(unlisted) },
    do: get("<db>", { projectId: "<project>" }),
    expect: { error: "…has no such compute…" },
  },
  {
    promise: "asks for the project where it is missing",
    do: get("ep-a", {}),
    dynamic: {
      error:
        "reading compute ep-a: its project is not known. Pass it: Endpoint.get(name, id, { projectId }).",
    },
    native: { error: "importing compute ep-a: its project is not known. Name the project as well: …" },
  },
]);
