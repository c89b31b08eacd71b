/** What previews announce and forbid, what they say without the service's answer, and whether the update does what they said. */
import { unknownValue } from "../../provider/model/unknown";
import type { Row } from "./row";
import { scenarios } from "./scenarios";
import { preview, previewAll, refresh, size, sizes, unread, up } from "./commands";
import { byHand, clockOff, connected, deleted, othersMake, seconds } from "./events";
import { always, answers, lost } from "./faults";

const db = { ...size(1), suspendTimeoutSeconds: -1 };
/** The declared minimum stays 1 CU, so only a comparison with the live compute shows that somebody changed the minimum by hand. */
const wider = sizes(1, 4);
const resizedByHand = byHand({ autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });

scenarios("what a preview announces", [
  {
    promise: "is done by the update, in one interruption, and not announced again",
    given: { db, engine: unread },
    meanwhile: [resizedByHand],
    do: preview(wider),
    expect: { said: ["warning: restart: size 2 → 1–4 CU drops…"] },
    then: [
      {
        do: up(wider),
        expect: {
          step: "updated",
          live: { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 4 },
          restarts: 1,
          state: wider,
        },
      },
      { do: preview(wider), expect: { said: [] } },
      { do: up(wider), expect: { step: "same" } },
    ],
  },
  ...["warn", "defer"].map((onInterruption) => ({
    promise: "is not a restart if the service does not list the compute, and the preview's advice works",
    reason: `onInterruption is ${onInterruption}`,
    given: { db, engine: unread },
    meanwhile: [othersMake("replica", { type: "read_only" }), deleted()],
    do: preview({ ...size(2), onInterruption }),
    expect: {
      said: [
        "warning: The service does not list compute <db> in project <project>. If somebody deleted it, this update will fail. Run `pulumi refresh`: the next `pulumi up` then creates it again.",
      ],
    },
    then: [
      ...(onInterruption === "warn"
        ? [{ do: up({ ...size(2), onInterruption }), expect: { error: "updating…" } }]
        : []),
      { do: refresh(), expect: { state: null } },
      { do: up({ ...size(2), onInterruption }), expect: { step: "created" as const } },
    ],
  })),
  {
    promise: "is a replacement even if the service does not list the compute: it does not fail",
    given: { db: { type: "read_only" }, engine: unread },
    meanwhile: [deleted()],
    do: preview({ type: "read_write" }),
    expect: { said: ["warning: replace: type read_only → read_write…"], never: ["this update will fail"] },
    then: [{ do: up({ type: "read_write" }), expect: { step: "replaced", live: { type: "read_write" } } }],
  },
  {
    promise: "leaves out a size that somebody set by hand, if the change interrupts nothing",
    given: { db, engine: unread },
    meanwhile: [byHand({ autoscaling_limit_max_cu: 2 })],
    do: up({ suspendTimeoutSeconds: 600 }),
    expect: { sent: [{ "PATCH <db>": { suspend_timeout_seconds: 600 } }], said: [], within: 3 },
  },
  {
    promise: "leaves out a size that somebody set by hand, and is not sent again if its answer is lost",
    given: { db, engine: unread },
    meanwhile: [byHand({ autoscaling_limit_max_cu: 2 })],
    faults: { PATCH: lost },
    do: up({ suspendTimeoutSeconds: 600 }),
    expect: { sent: ["PATCH <db>"], said: [] },
  },
  {
    promise: "is certain for a compute with a line adopt, if the change interrupts nothing",
    // The dynamic provider's diff carries no verdict.
    variants: ["native"],
    given: { db: { branchId: "<default branch>", adopt: "<default primary>", suspendTimeoutSeconds: 900 } },
    do: preview({ suspendTimeoutSeconds: 600 }),
    expect: { verdict: { effect: "none", certain: true } },
  },
  ...[
    { reason: "the program changes the size", more: {} },
    { reason: "the program changes the size, and adds a trigger", more: { restartTriggers: { day: 1 } } },
  ].map(({ reason, more }) => ({
    promise: "leaves out a size that somebody set by hand, with live facts off",
    reason,
    given: { db, engine: unread, stack: { liveFacts: "false" } },
    meanwhile: [byHand({ autoscaling_limit_min_cu: 0.5 })],
    do: up({ ...wider, ...more }),
    behind: "the smallest size stays as somebody has set it",
    expect: { sent: [{ "PATCH <db>": { autoscaling_limit_max_cu: 4 } }] },
  })),
  {
    promise:
      "is nothing if somebody has already set the declared size by hand, and the update sends and reports nothing either",
    given: { db, engine: unread },
    meanwhile: [resizedByHand],
    do: up(size(2)),
    expect: { said: [], sent: [] },
  },
  {
    promise: "includes the suspension of a compute that somebody has enabled by hand",
    given: { db: { ...db, disabled: true } },
    meanwhile: [byHand({ disabled: false }), connected()],
    do: up({ ...size(2), disabled: true }),
    expect: {
      rows: ["warning: suspend: …", "info: suspended as announced…"],
      sent: ["PATCH <db>"],
    },
  },
  ...[-3, 3].map((off) => ({
    promise: "includes the time since the last access, measured by the service's clock",
    reason: `this machine's clock is off by ${off} h`,
    given: { db: size(1) },
    meanwhile: [connected(), seconds(5 * 60 - 20), clockOff(off)],
    do: preview(size(2)),
    expect: { verdict: { lastAccess: "5 min ago" } },
  })),
]);

scenarios("a forced replacement that the service is not asked about", [
  ...[
    { reason: "live facts are off", stack: { liveFacts: "false" }, more: {} },
    { reason: "its project is not known yet", stack: {}, more: { projectId: unknownValue } },
  ].map(({ reason, stack, more }): Row => ({
    promise: "is announced all the same",
    reason,
    // The dynamic provider is not told that a replacement is forced.
    variants: ["native"],
    given: { db: { type: "read_only" }, stack },
    do: preview(more, { replace: ["db"] }),
    // The read before the change sends the only LIST.
    expect: { said: [/^warning: replace: a forced replacement .* connections drop$/], requests: ["LIST"] },
  })),
]);

const adopting = { branchId: "<default branch>", adopt: "<default primary>", ...size(4) };

scenarios("an adoption without an answer from the service", [
  ...[
    { reason: "live facts are off", stack: { liveFacts: "false" }, faults: {} },
    { reason: "the list fails", stack: {}, faults: { LIST: always(answers(500)) } },
  ].flatMap(({ reason, stack, faults }) =>
    ["forbid", "forbid-when-active"].map((onInterruption) => ({
      promise: "is refused by a policy that forbids interruptions",
      reason: `${onInterruption}, and ${reason}`,
      given: { stack },
      faults,
      do: preview({ ...adopting, onInterruption }),
      expect: { error: "…may restart: …This is forbidden here…" },
      then: [
        {
          faults,
          do: up({ ...adopting, onInterruption }),
          expect: { error: "…may restart: …This is forbidden here…", sent: [] },
        },
      ],
    })),
  ),
]);

const two = { db: size(1), other: { branchId: "<other branch>", ...size(1) } };

scenarios("a preview that the service does not answer", [
  {
    promise: "reports one error, worded like the update's, if the key is refused",
    given: { engine: { apiKey: "another-key" } },
    do: previewAll(two),
    expect: {
      said: [],
      error:
        "…the service refuses the key: listing the computes of project <project>: the service answered 401…Check the API key: COMPUTE_API_KEY…",
    },
  },
  {
    promise: "reports one error if the key lacks the permission",
    faults: { ANY: always(answers(403)) },
    do: previewAll(two),
    expect: { said: [], error: "…the service refuses the key: …answered 403…Use a key that has permission…" },
  },
  {
    promise: "reports one error if the service does not know the project",
    do: previewAll({ db: { ...two.db, projectId: "no-such-project" } }),
    expect: {
      said: [],
      error: "…the service finds no project no-such-project: …answered 404…Check the ids in the program…",
    },
  },
  {
    promise: "warns once of an outage, which could be over before the update",
    faults: { ANY: always(answers(500)) },
    do: previewAll(two),
    expect: {
      said: [
        "warning: The service could not be asked, so the project's computes were not checked: listing the computes of project <project>: the service answered 500…",
      ],
    },
  },
  {
    promise: "fails if there is no API key",
    given: { engine: { apiKey: "" } },
    do: preview(size(1)),
    expect: { error: "…no API key is set…COMPUTE_API_KEY…", requests: [] },
  },
  ...["projectId", "branchId", "type"].map((name) => ({
    promise: "sends no request for a new compute while one of its arguments is unknown",
    reason: name,
    do: preview({ type: "read_only", [name]: unknownValue }),
    expect: { said: [], requests: [] },
  })),
  {
    promise: "says nothing with compute:liveFacts false",
    given: { stack: { liveFacts: "false" } },
    faults: { ANY: always(answers(401)) },
    do: previewAll(two),
    expect: { said: [] },
  },
  {
    promise: "sets `unasked` in the verdict on a change that interrupts",
    given: { db: size(1), engine: unread },
    faults: { LIST: always(answers(500)) },
    do: preview(size(2)),
    expect: { verdict: { effect: "restart", unasked: true } },
  },
  {
    promise: "gives a verdict without `unasked` on a change that needs no answer",
    given: { db: { ...size(1), suspendTimeoutSeconds: 300 }, engine: unread },
    faults: { LIST: always(answers(500)) },
    do: preview({ suspendTimeoutSeconds: 600 }),
    expect: {
      said: [],
      also: ({ engine }) => {
        expect(engine.shown.join()).not.toContain("unasked");
      },
    },
  },
  {
    promise: "sets `unasked` in the verdict on a new compute, since its branch may already have a primary",
    faults: { LIST: always(answers(500)) },
    do: preview(size(1)),
    expect: { says: ['"effect":"none"…"unasked":true'] },
  },
  {
    promise: "sets `unasked` in the verdict on an adoption",
    faults: { LIST: always(answers(500)) },
    do: preview(adopting),
    expect: { says: ['"effect":"restart"…"unasked":true'] },
  },
]);
