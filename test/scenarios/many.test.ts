/** Many computes in one run: how many requests the run sends, and when it is each write's turn. */
import { scenarios } from "./scenarios";
import type { Switches } from "../../emulator";
import type { Values } from "../support/providerHandlers";
import { size, up, upAll } from "./commands";
import { neverEnding, othersMake, seconds } from "./events";
import { always, answers, operation } from "./faults";
import type { Event, Expected } from "./row";
import type { World } from "./world";

const replicas = (count: number): Readonly<Record<string, { readonly type: string }>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`replica${index}`, { type: "read_only" }]));
/** Starts an operation of the project that has nothing to do with the compute. */
const checked = ({ emulator, idOf }: World): void => {
  emulator.checkAvailability(idOf("project"));
};
const refusedAtMost =
  (status: number, most: number) =>
  ({ emulator }: World): void => {
    expect(emulator.requests().filter((request) => request.status === status).length).toBeLessThanOrEqual(
      most,
    );
  };

scenarios("many creates at once", [
  {
    promise: "make one compute each, and share their lists",
    do: upAll(replicas(50)),
    expect: { count: { POST: 50, LIST: "<= 20", OPERATIONS: "<= 20", OPERATION: 0 } },
  },
  ...(["missing-cursor", "missing-pagination", "empty-page", "empty-string", "repeat-cursor"] as const).map(
    (endOfList) => ({
      promise: "finish, however the list of operations ends",
      reason: `the switch endOfList is "${endOfList}"`,
      given: { service: { endOfList, defaultLimit: 3, maxLimit: 3 } },
      do: upAll(replicas(8)),
      expect: { count: { POST: 8 } },
    }),
  ),
]);

scenarios("a project that is locked while an operation runs", [
  {
    promise: "takes many creates one after the other, with at most two refusals",
    given: { service: { lock: "project" } },
    do: upAll({ ...replicas(10), last: { type: { $of: "replica1.type" } } }),
    expect: { says: ["waiting for its turn in the project"], also: refusedAtMost(423, 2) },
  },
  ...[
    { limitStatus: 422, reason: "the service answers 422" },
    { limitStatus: 500, reason: "the service answers 500" },
  ].map(({ limitStatus, reason }) => ({
    promise: "is written to once it is free, even if its operations cannot be listed",
    reason,
    given: { service: { lock: "project" } as const },
    operations: [operation("check_availability", { runningMs: 5_000 })],
    faults: { OPERATIONS: always(answers(limitStatus)) },
    during: { LIST: checked },
    do: up(),
    expect: { within: 60 },
  })),
  {
    promise: "is written to even if another operation, which locks nothing, never ends",
    operations: [operation("check_availability", { stuck: "running" })],
    during: { LIST: checked },
    faults: { POST: answers(423) },
    do: up(),
    expect: { within: 60, sent: ["POST", "POST"] },
  },
  {
    promise:
      "refuses a create whose branch got a primary while the create waited, and the error names that primary",
    given: { service: { lock: "project" } },
    during: { POST: othersMake("rival", { branch_id: "<other branch>" }) },
    operations: [operation("start_compute", { runningMs: 30_000 })],
    do: upAll({ first: {}, second: { branchId: "<other branch>" } }),
    expect: { error: "…already has a primary (<rival>), and a branch can have only one…" },
  },
]);

const named = ["first", "second", "third", "fourth", "fifth", "sixth"] as const;
const sixOf = (args: Values): Readonly<Record<string, Values>> =>
  Object.fromEntries(named.map((name) => [name, { type: "read_only", timeouts: { update: 4 }, ...args }]));
const locked: Switches["lock"] = "project";
const unlocked: Event = ({ endOperations }) => {
  endOperations();
};
/** Every update fails with one and the same operation. */
const stuckBy = (words: RegExp): Expected => ({
  error: named.map(() => words),
  within: 6,
});

scenarios("six updates of a project that an operation locks for good", [
  {
    promise:
      "give up together once the first limit has passed: each names the operation, its age, and one next step",
    given: { service: { lock: locked } },
    do: upAll(sixOf(size(1))),
    then: [
      {
        meanwhile: [neverEnding, seconds(720)],
        do: upAll(sixOf(size(2))),
        expect: stuckBy(
          /^updating compute \S+: operation apply_config \(\S+\) of compute <default primary> is still running after 12 min, and the service takes one write of a project at a time( \[request \S+\])?\. Nothing was changed\. Once that operation has ended \(see it at the service\), run the same command again\.$/,
        ),
      },
      // The advice leads to a good end.
      {
        meanwhile: [unlocked],
        do: upAll(sixOf({ ...size(2), timeouts: { update: 600 } })),
        expect: { said: named.map(() => "…restart…") },
      },
    ],
  },
  {
    promise: "give up together even if the operation is one of their own",
    given: { service: { lock: locked } },
    do: upAll(sixOf(size(1))),
    then: [
      {
        // The last rule applies to the first update, which shows that the service takes one write at a time.
        operations: [
          operation("apply_config", { stuck: "running" }),
          operation("apply_config", { runningMs: 500 }),
        ],
        do: upAll(sixOf({ ...size(2), timeouts: { update: 60 } })),
        expect: {
          error: [
            "updating compute <second>: operation apply_config (…) was still running after 60 s…",
            ...named
              .slice(2)
              .map(() => "…operation apply_config (…) of compute <second> is still running after…"),
          ],
          within: 75,
        },
      },
    ],
  },
]);

const count = 45;
/** The first and the last create are this many seconds apart, and none is refused with 429. */
const paced =
  (seconds: number) =>
  (world: World): void => {
    const creates = world.emulator.requests().filter(({ route }) => route === "createEndpoint");
    expect(Math.floor((creates.at(-1)!.atMs - creates[0]!.atMs) / 1_000)).toBe(seconds);
    refusedAtMost(429, 0)(world);
  };

scenarios("compute:requestsPerMinute", [
  ...(
    [
      ["45 creates take one second if it is not set", {}, 1],
      ["45 creates take one second if it is 680, the default", { requestsPerMinute: "680" }, 1],
      ["45 creates take eleven seconds if it is 60", { requestsPerMinute: "60" }, 11],
      ["45 creates take less than a second if it is 2000", { requestsPerMinute: "2000" }, 0],
      ["45 creates take less than a second if it is 0", { requestsPerMinute: "0" }, 0],
    ] as const
  ).map(([reason, stack, seconds]) => ({
    promise: "sets the pace",
    reason,
    given: { stack },
    do: upAll(replicas(count)),
    expect: { count: { POST: count }, also: paced(seconds) },
  })),
]);
