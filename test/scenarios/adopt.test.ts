/** Adopting an existing compute: what is sent, what is refused, and which resource holds the compute afterwards. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { unknownValue } from "../../provider/model/unknown";
import type { Row } from "./row";
import { scenarios } from "./scenarios";
import { preview, previewAll, size, unasked, up, upAll } from "./commands";
import { goingSo, justDeleted, nothingRuns, othersMake, stateForgotten, suspended } from "./events";
import { answers, answersBody, operation, times } from "./faults";
import type { Values } from "../support/providerHandlers";
import type { World } from "./world";

const primary = "<default primary>";
const replica = { type: "read_only" };
const adopting = { branchId: "<default branch>", adopt: primary };
const suspend = suspended("default primary");
const connects = ({ emulator, clock, idOf }: World): void => {
  emulator.connect(idOf("default primary"));
  clock.advance(5_000);
};
/** Somebody starts the compute, and the start ends with this status. */
const started = (endStatus: string) => [
  suspend,
  goingSo({ action: "start_compute", endStatus, times: 1 }, connects),
];

const resizedWithoutOperations = ({ emulator, clock, idOf }: World) =>
  answersBody({
    endpoint: {
      ...emulator.endpoint(idOf("default primary")).endpoint,
      ...{ autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 },
      updated_at: new Date(clock.now()).toISOString(),
    },
  });

scenarios("adopt", [
  {
    promise: "takes over a compute that is already as declared, without a write",
    do: up(adopting),
    expect: {
      sent: [],
      rows: [],
      step: "created",
      state: { endpointId: primary, branchId: "<default branch>", type: "read_write" },
    },
  },
  {
    promise: "waits for operations that are running on the compute",
    meanwhile: [
      suspend,
      goingSo({ action: "start_compute", runningMs: 20_000, times: 1 }, ({ emulator, idOf }) => {
        emulator.connect(idOf("default primary"));
      }),
    ],
    do: up(adopting),
    expect: { said: [], atLeast: 15, also: nothingRuns },
  },
  {
    promise: "is not stopped by an operation that failed earlier",
    meanwhile: started("failed"),
    do: up(adopting),
    expect: { said: [] },
  },
  {
    promise: "is not stopped by an operation that failed earlier",
    reason: "with a change whose answer names no operations",
    meanwhile: started("failed"),
    faults: { PATCH: resizedWithoutOperations },
    do: up({ ...adopting, ...size(2) }),
    expect: { step: "created" },
  },
  ...[
    { reason: "without a change", more: {} },
    { reason: "with a change", more: size(2) },
  ].map(({ reason, more }) => ({
    promise: "takes over a compute that is active after an operation with an unknown status",
    reason,
    meanwhile: [...started("parked"), connects],
    do: up({ ...adopting, ...more }),
    expect: { says: ['warning: taking over …has the status "parked", but the compute is active now.'] },
  })),
  {
    promise: "keeps the id if applying the declared settings fails",
    operations: [operation("apply_config", { endStatus: "failed" })],
    do: up({ ...adopting, suspendTimeoutSeconds: 600 }),
    expect: { error: "…operation … (…) failed…", state: { endpointId: primary } },
  },
  ...[
    {
      reason: "the wrong branch",
      more: { branchId: "<other branch>" },
      says: "its branchId is not <other branch>, as the program declares",
    },
    { reason: "the wrong type", more: replica, says: "its type is read_write" },
    { reason: "the wrong region", more: { regionId: "elsewhere-1" }, says: "its regionId is local-1" },
  ].map(({ reason, more, says }) => ({
    promise:
      "refuses a compute that differs from the declaration, and does not name its branch, which may be a secret",
    reason,
    do: up({ ...adopting, ...more }),
    expect: {
      error: `…adopting compute ${primary}: ${says}…`,
      never: ["<default branch>"],
      requests: ["LIST"],
      state: null,
    } as const,
  })),
  {
    promise: "takes over a replica, whatever the service calls its type",
    given: { service: { replicaType: "read_replica" } },
    meanwhile: [othersMake("theirs", { type: "read_replica" })],
    do: up({ ...replica, adopt: "<theirs>" }),
    expect: { sent: [], state: { endpointId: "<theirs>" } },
  },
  {
    promise: "reads the compute when its turn comes, and fails if somebody has deleted it in the meantime",
    meanwhile: [othersMake("theirs", replica)],
    faults: { POST: answers(429, { headers: { "Retry-After": "20" } }) },
    during: { POST: justDeleted("theirs") },
    do: upAll({ first: {}, second: { ...replica, adopt: "<theirs>" } }),
    expect: { error: "…has no such compute…" },
  },
]);

const listed = (more: Values) =>
  times(
    9,
    answersBody({ endpoints: [{ id: primary, project_id: "<project>", type: "read_write", ...more }] }),
  );
const off = { stack: { liveFacts: "false" } };

/** The engine calls no diff for a new resource, so the check says what an adoption interrupts, and refuses the adoption if necessary. */
scenarios("the preview of an adoption", [
  {
    promise: "says nothing about a compute that runs as declared",
    do: preview({ ...adopting, regionId: "local-1" }),
    expect: { rows: [], says: ['"effect":"none"…"certain":true'] },
  },
  {
    promise: "does not refuse a compute for its region if the service reports no region",
    faults: { LIST: listed({ branch_id: "<default branch>" }) },
    do: preview({ ...adopting, regionId: "local-2" }),
    expect: { never: ["its regionId is"], said: [], says: ['"effect":"none"'] },
  },
  {
    promise: 'says "may" if the compute is listed but cannot be read',
    faults: { LIST: listed({ branch_id: 7 }) },
    do: preview({ ...adopting, disabled: true }),
    expect: { says: ["warning: may suspend: …"], verdict: { effect: "suspend", certain: false } },
  },
  {
    promise: "refuses a compute that does not exist, before the update does",
    do: preview({ ...adopting, adopt: "ep-none-1" }),
    expect: { error: "…adopting compute ep-none-1: project <project> has no such…" },
  },
  {
    promise: "is not refused by a policy if nothing could restart the compute, even with live facts off",
    given: off,
    do: preview({ ...adopting, onInterruption: "forbid" }),
    expect: { requests: [], says: ['"effect":"none"…"certain":false'] },
  },
  {
    promise: 'says "may" with live facts off, since the current size could differ',
    given: off,
    do: preview({ ...adopting, ...size(2) }),
    expect: { says: [/^warning: may restart: .*\(if the current size differs\) /], requests: [] },
  },
  ...["adopt", "projectId"].map((name) => ({
    promise: "sends no request while the compute is not known yet",
    reason: `${name} is unknown`,
    do: preview({ ...adopting, ...size(2), [name]: unknownValue }),
    expect: { requests: [] },
  })),
]);

const owned = 'resource "db" of this stack already manages it';
const theWay =
  "Nothing was changed.…\n- If this is \"db\" under a new name: add the option aliases or run `pulumi state rename`. Do not adopt or import the compute.\n- Otherwise: remove that resource from the program, and from the state with `pulumi state delete '…::db'` (the compute stays). Then run the same command again.";
/** The page that the refusal names has the options that help. */
const pageHelps = (): void => {
  const page = readFileSync(path.join(__dirname, "../../docs/what-happens-when.md"), "utf8");
  const [, cases = ""] =
    /already has a primary \(…\), and a branch can have only one([^]*?)\n- /.exec(page) ?? [];
  for (const option of ["deleteBeforeReplace: true", "dependsOn", "aliases"]) expect(cases).toContain(option);
};

scenarios("a compute that another resource holds", [
  ...[previewAll, upAll].map((run, index): Row => ({
    promise: "cannot be adopted, and the refusal names that resource and says what to do",
    reason: index === 0 ? "in the preview" : "in the update",
    given: { db: replica },
    do: run({ heir: { ...replica, adopt: "<db>" } }),
    expect: { error: `…adopting compute <db>: ${owned}. ${theWay}…`, sent: [] },
  })),
  {
    promise: "can be adopted once it is no longer in the state",
    given: { db: replica },
    meanwhile: [stateForgotten],
    do: upAll({ heir: { ...replica, adopt: "<db>" } }),
    expect: { sent: [], said: [] },
  },
  {
    promise: "is adopted if the backend cannot be asked: a row says so, and the compute is not deleted",
    given: { db: replica, engine: unasked },
    do: upAll({ heir: { ...replica, adopt: "<db>" } }),
    expect: {
      sent: [],
      says: [
        "Do not adopt a compute that another resource has",
        'warning: Compute <db> is not deleted: resource "heir" of this program holds it.',
      ],
      computes: ["db"],
    },
  },
  {
    promise:
      "cannot be adopted while the program still declares that resource, even if the backend cannot be asked",
    given: { db: replica, engine: unasked },
    do: upAll({ db: replica, heir: { ...replica, adopt: "<db>" } }),
    expect: { error: "…both hold it. Remove one of the two…", sent: [], computes: ["db"] },
  },
  {
    promise: "cannot be adopted by that resource's own forced replacement, which deletes the compute next",
    given: { db: size(1) },
    do: up({ adopt: "<db>" }, { replace: ["db"] }),
    expect: { error: "…a compute cannot replace itself…", sent: [], computes: ["db"] },
  },
  {
    promise: "is kept if that resource's own replacement adopts it and the backend cannot be asked",
    // The plugin refuses, because it has already read the compute for the old declaration.
    variants: ["dynamic"],
    given: { db: size(1), engine: unasked },
    do: up({ adopt: "<db>" }, { replace: ["db"] }),
    expect: {
      sent: [],
      says: [
        "is not deleted: this resource took it over again (because of its line with adopt, …first remove that line or option",
      ],
      computes: ["db"],
    },
  },
  {
    promise:
      "makes that resource's forced replacement fail, since the engine creates the new compute first: the error names a page that lists options",
    given: { db: size(1) },
    do: up({}, { replace: ["db"] }),
    expect: {
      error:
        '…This run created nothing.…- Other cases: "already has a primary" in docs/what-happens-when.md.',
      sent: [],
      also: pageHelps,
    },
  },
]);
