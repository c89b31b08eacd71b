/** The order in which the computes of a branch are interrupted, and what stops it. */
import { scenarios } from "./scenarios";
import type { Values } from "../support/providerHandlers";
import { pgSettings, size, upAll } from "./commands";
import { connected, othersMake, suspended } from "./events";
import { answers, operation } from "./faults";
import type { World } from "./world";

const primary = { ...size(1), type: "read_write" };
const replica = { ...size(1), type: "read_only" };
const branch = (cu: number) => ({
  db: { ...primary, ...size(cu) },
  one: { ...replica, ...size(cu) },
  two: { ...replica, ...size(cu) },
  three: { ...replica, ...size(cu) },
});
const others = [1, 2, 3, 4].map((count) =>
  othersMake(`other ${count}`, { branch_id: "<default branch>", type: "read_only" }),
);

/** The branch with these arguments in each of its computes. */
const branchWith = (more: Values) =>
  Object.fromEntries(Object.entries(branch(1)).map(([name, args]) => [name, { ...args, ...more }]));

/** Between two changes the operations of the first have ended. */
const endsBetween =
  (of: string) =>
  ({ emulator, idOf }: World): void => {
    const spans = emulator
      .operations(idOf("project"))
      .filter(({ action, endpoint_id }) => action === of && endpoint_id !== idOf("default primary"))
      .map(({ created_at, updated_at }) => [Date.parse(created_at), Date.parse(updated_at)] as const)
      .sort(([a], [b]) => a - b);
    expect(spans.filter(([from], index) => index > 0 && from < (spans[index - 1]?.[1] ?? 0))).toEqual([]);
  };
const oneByOne = endsBetween("apply_config");
const sent = ["PATCH <one>", "PATCH <two>", "PATCH <three>", "PATCH <db>"];

scenarios("a change of size on a whole branch", [
  {
    promise: "restarts its replicas one after the other, and its primary last",
    meanwhile: others,
    do: upAll(branch(1)),
    then: [
      {
        do: upAll(branch(2)),
        expect: {
          sent,
          also: oneByOne,
          says: [
            "waiting for replicas of its branch: half of its replicas keep running, and the primary is last",
            "waiting for compute <one> of its branch: half of its replicas keep running, and the primary is last",
          ],
        },
      },
    ],
  },
  {
    promise: "keeps half of many replicas running: thirty are done in two waves",
    do: upAll({ db: primary, ...many(1) }),
    then: [
      {
        do: upAll({ db: { ...primary, ...size(2) }, ...many(2) }),
        expect: {
          also: ({ emulator, idOf }) => {
            const begun = emulator
              .operations(idOf("project"))
              .filter(({ action }) => action === "apply_config")
              .map(({ created_at }) => created_at);
            const waves = [...new Set(begun)].map((at) => begun.filter((other) => other === at).length);
            expect(waves.reverse()).toEqual([15, 15, 1]);
          },
        },
      },
    ],
  },
  {
    promise: "does so in a project that takes one operation at a time",
    given: { service: { lock: "project" } },
    do: upAll(branch(1)),
    then: [{ do: upAll(branch(2)), expect: { sent, also: oneByOne } }],
  },
  {
    promise: "goes on past a compute whose change is refused",
    do: upAll(branch(1)),
    then: [
      {
        faults: { PATCH: answers(400) },
        do: upAll(branch(2)),
        expect: { error: "updating compute <one>: …", sent },
      },
    ],
  },
  {
    promise: "keeps changes that interrupt nothing side by side",
    do: upAll(branch(1)),
    then: [
      {
        do: upAll(branchWith({ suspendTimeoutSeconds: 900 })),
        expect: { within: 3.5, count: { PATCH: 4 } },
      },
    ],
  },
  {
    promise: "is kept to by restarts of its computes too",
    meanwhile: others,
    do: upAll(branch(1)),
    then: [
      {
        do: upAll(branchWith({ restartTriggers: { day: 1 } })),
        expect: {
          sent: ["RESTART <one>", "RESTART <two>", "RESTART <three>", "RESTART <db>"],
          also: endsBetween("suspend_compute"),
        },
      },
    ],
  },
]);

const fatal = pgSettings({ shared_buffers: "400GB" });
const startFails = operation("start_compute", { endStatus: "failed" });
const service = { settingsRestart: true };
/** What the rows of the computes after the one that has not come back say. */
const stops = (names: readonly string[]) =>
  names.map(
    (name) => `changing compute <${name}>: nothing was sent, because one (<one>) of the same branch…`,
  );

scenarios("a compute that does not come back from its change", [
  ...(
    [
      ["its operation fails", startFails, fatal],
      ["its restart fails", startFails, { restartTriggers: { day: 1 } }],
      [
        "its operation does not end in time",
        operation("start_compute", { schedulingMs: 9_000_000 }),
        { ...fatal, timeouts: { update: 60 } },
      ],
    ] as const
  ).map(([reason, rule, args]) => ({
    promise: "stops those after it, whose rows name it",
    reason,
    given: { service },
    meanwhile: others,
    do: upAll(branch(1)),
    then: [
      {
        operations: [rule],
        do: upAll(branchWith(args)),
        expect: { error: ["…start_compute…", ...stops(["two", "three", "db"])] },
      },
    ],
  })),
  {
    promise: "stops them in the next run too while it is down, and they go on once it runs",
    given: { service },
    meanwhile: others,
    do: upAll(branch(1)),
    then: [
      { operations: [startFails], do: upAll(branchWith(fatal)), expect: { error: ["…", "…", "…", "…"] } },
      {
        meanwhile: [suspended("one")],
        do: upAll(branchWith(fatal)),
        expect: { error: ["…ended as failed…", ...stops(["two", "three", "db"])], sent: [] },
      },
      {
        meanwhile: [connected("one")],
        do: upAll(branchWith(fatal)),
        expect: { sent: ["PATCH <two>", "PATCH <three>", "PATCH <db>"] },
      },
    ],
  },
  {
    promise:
      "stops them in the next run too where that changes it again, and waits in vain for the earlier change",
    given: { service },
    meanwhile: others,
    do: upAll(branch(1)),
    then: [
      {
        operations: [operation("start_compute", { schedulingMs: 9_000_000 })],
        do: upAll(branchWith({ ...fatal, timeouts: { update: 60 } })),
        expect: { error: ["…", "…", "…", "…"] },
      },
      {
        do: upAll(branchWith({ ...pgSettings({ shared_buffers: "1GB" }), timeouts: { update: 60 } })),
        expect: { error: ["…was still scheduling…", ...stops(["two", "three", "db"])], sent: [] },
      },
    ],
  },
  {
    promise: "stops them in the next run too where its next change is refused",
    given: { service },
    meanwhile: others,
    do: upAll(branch(1)),
    then: [
      { operations: [startFails], do: upAll(branchWith(fatal)), expect: { error: ["…", "…", "…", "…"] } },
      {
        faults: { PATCH: answers(400) },
        do: upAll(branchWith(size(2))),
        expect: { error: ["…the service answered 400…", ...stops(["two", "three", "db"])] },
      },
    ],
  },
  {
    promise: "lets them be where its earlier value is put back, which it gets alone",
    given: { service },
    meanwhile: others,
    do: upAll(branchWith(pgSettings({ shared_buffers: "128MB" }))),
    then: [
      { operations: [startFails], do: upAll(branchWith(fatal)), expect: { error: ["…", "…", "…", "…"] } },
      {
        do: upAll(branchWith(pgSettings({ shared_buffers: "128MB" }))),
        expect: { sent: ["PATCH <one>"] },
      },
    ],
  },
  {
    promise: "leaves computes of other branches alone, and changes that interrupt nothing",
    given: { service },
    do: upAll({ one: replica, two: replica, other: { ...primary, branchId: "<other branch>" } }),
    then: [
      {
        operations: [startFails],
        do: upAll({
          one: { ...replica, ...fatal },
          two: { ...replica, suspendTimeoutSeconds: 900 },
          other: { ...primary, branchId: "<other branch>", restartTriggers: { day: 1 } },
        }),
        expect: { error: "…", count: { PATCH: 2, RESTART: 1 } },
      },
    ],
  },
]);

function many(cu: number): Record<string, Record<string, unknown>> {
  const names = Array.from({ length: 30 }, (_, index) => `replica${index}`);
  return Object.fromEntries(names.map((name) => [name, { ...replica, ...size(cu) }]));
}
