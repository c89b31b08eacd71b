/** What a deletion sends, and what proves that a compute is gone. */
import type { Row } from "./row";
import { scenarios } from "./scenarios";
import { destroy, size, unread, up } from "./commands";
import { deleted, justDeleted, seconds } from "./events";
import { always, answers, cut, operation, page, unlisted } from "./faults";

const given = { db: size(1), engine: unread };
const gone = { live: null, state: null, said: [] };

scenarios("a deletion", [
  {
    promise: "takes one request, and does not hinder a later create of the same name",
    given,
    do: destroy(),
    expect: { ...gone, requests: ["DELETE"] },
    then: [{ do: up(), expect: { step: "created", said: [] } }],
  },
  {
    promise: "waits for operations that the answer names",
    given: { ...given, service: { deleteOperations: "suspend" } },
    do: destroy(),
    expect: { ...gone, requests: ["DELETE", "OPERATION", "OPERATION"] },
  },
  {
    promise: "is done if the service forgets the operation together with the compute",
    given: { ...given, service: { deleteOperations: "suspend" } },
    meanwhile: [seconds(60)],
    operations: [{ vanished: true, times: 1 }],
    do: destroy(),
    expect: gone,
  },
  ...(
    [
      { reason: "the service answers 202", faults: { DELETE: answers(202, { body: "" }) } },
      { reason: "the service answers 204", service: { deleteMissing: 204 } },
      {
        reason: "the service answers 404, with a nested error",
        service: { deleteMissing: 404, errorShape: "nested" },
      },
      {
        reason: "the service answers 404, with an HTML page",
        service: { deleteMissing: 404, errorShape: "html" },
        event: deleted(),
      },
      {
        reason: "the service answers 410",
        faults: { DELETE: answers(410, { body: { code: "GONE", message: "endpoint is gone" } }) },
      },
    ] as const
  ).map(({ reason, ...row }) => ({
    promise: "is done if the compute is already gone, as two lists show",
    reason,
    given: { ...given, service: "service" in row ? row.service : {} },
    meanwhile: ["event" in row ? row.event : justDeleted()],
    faults: "faults" in row ? row.faults : {},
    do: destroy(),
    expect: { ...gone, requests: ["DELETE", "LIST", "LIST"] as const },
  })),
]);

const notFound = { code: "NOT_FOUND", message: "no such compute" };
const noRoute = answers(404, { body: { message: "no Route matched" } });
const stays: readonly Omit<Row, "promise" | "do">[] = [
  {
    reason: "the service answers 202, and the project still lists the compute",
    faults: { DELETE: always(answers(202, { body: "" })) },
    expect: {
      error: "…the service answered 202, …and the project still lists the compute…",
      count: { DELETE: 3 },
    },
  },
  {
    reason: "the service answers 404, and the project still lists the compute",
    faults: { DELETE: always(answers(404, { body: notFound })) },
    expect: {
      error:
        "…the service answered 404 (NOT_FOUND: no such compute), and the project still lists the compute…",
      count: { DELETE: 3 },
    },
  },
  {
    reason: "a gateway answers 404 to the deletion and to the list",
    faults: { DELETE: always(noRoute), LIST: always(noRoute) },
    expect: { error: "deleting compute <db>: …" },
  },
  {
    reason: "the service no longer knows the deletion's operation, and the project still lists the compute",
    faults: {
      DELETE: always(
        answers(200, {
          body: { operations: [{ id: "op-1", action: "suspend_compute", status: "running" }] },
        }),
      ),
    },
    expect: { error: "…the service no longer shows operation suspend_compute…", count: { DELETE: 1 } },
  },
  {
    reason: "the service answers 404 to the deletion and 403 to the list",
    faults: { DELETE: always(answers(404)), LIST: always(answers(403)) },
    expect: { error: "…" },
  },
  {
    reason: "the service answers 404 with a web page while the compute is young",
    faults: { DELETE: always(answers(404, { body: page })), LIST: unlisted },
    expect: { error: "…" },
  },
];

scenarios("a deletion that does not count as done", [
  ...stays.map((row) => ({
    promise: "leaves the compute in the state, and the next destroy deletes it",
    given,
    do: destroy(),
    then: [{ do: destroy(), expect: gone }],
    ...row,
  })),
  ...(["html", "nested"] as const).map((errorShape) => ({
    promise: "leaves the compute in the state if the service does not know the project",
    reason: `the service answers 404, with the switch errorShape at ${errorShape}`,
    given: { ...given, service: { deleteMissing: 404, errorShape } as const },
    meanwhile: [deleted()],
    faults: { ANY: always({ ...answers(404), path: "/projects/<project>/" }) },
    do: destroy(),
    expect: {
      error:
        "deleting compute <db>: the service at <service> finds no project <project> …`pulumi state delete URN` for each…",
      state: size(1),
    },
  })),
]);

const old = [seconds(600)];
const through: readonly Omit<Row, "promise" | "do">[] = [
  {
    reason: "the connection is cut before the service deletes a young compute",
    faults: { DELETE: cut, LIST: unlisted },
  },
  { reason: "a proxy answers 404", meanwhile: old, faults: { DELETE: answers(404, { body: page }) } },
  {
    reason: "a proxy answers 404 while the compute is young",
    faults: { DELETE: answers(404, { body: page }), LIST: unlisted },
  },
  {
    reason: "a gateway answers 200 with its own JSON",
    meanwhile: old,
    faults: { DELETE: answers(200, { body: { status: "ok" } }) },
  },
];

scenarios("a deletion that meets a fault", [
  ...through.map((row) => ({
    promise: "succeeds all the same",
    given,
    do: destroy(),
    expect: gone,
    ...row,
  })),
  {
    promise:
      "can be repeated after its operation failed: the next destroy first checks whether the compute is gone",
    given: { ...given, service: { deleteOperations: "suspend" } },
    operations: [operation("suspend_compute", { endStatus: "failed" })],
    do: destroy(),
    expect: {
      error: "…operation … (…) failed. To delete the compute if it still exists, run the same command again…",
    },
    then: [{ do: destroy(), expect: gone }],
  },
]);

scenarios("a compute that the state has twice", [
  {
    promise:
      "is kept after a replacement was cut off, although one of its two entries is marked for deletion",
    given,
    meanwhile: [
      ({ engine }) => {
        const stored = engine.stored("db")!;
        engine.restore([stored, { ...stored, isToBeDeleted: true }]);
      },
    ],
    do: up(),
    expect: {
      says: [
        "Compute <db> is not deleted: this resource took it over again (because of its line with adopt, its option import, or a replacement",
      ],
      sent: [],
      also: ({ engine }) => {
        expect(engine.state()).toHaveLength(1);
      },
    },
  },
  {
    promise:
      "is deleted by a replacement after a failed create: the new entry does not count as the holder of the old compute",
    operations: [{ endStatus: "failed", times: 1 }],
    do: up(size(1)),
    expect: { error: "…operation … (…) failed…" },
    then: [{ do: up({ ...size(1), type: "read_only" }, { replace: ["db"] }), expect: { step: "replaced" } }],
  },
]);
