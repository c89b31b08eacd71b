/** What a report makes of a preview as a whole. */
import { readdirSync } from "node:fs";
import { z } from "zod";
import type { Report } from "../../../preview/shape";
import { toAnnotations } from "../../../preview/render/annotations";
import { toText } from "../../../preview/render/text";
import { stacksReportOf } from "../../../preview/judge/stacks";
import { verdictOn } from "../../../preview/judge/verdict";
import { toReason } from "../../../provider/model/stored";
import { reportSchema } from "../../../tools/schema/report";
import {
  commentOn,
  computeOn,
  failure,
  fixtureFile,
  fixtureReport,
  outlines,
  reportOn,
  reportOnEvents,
  restarts,
  settles,
  size,
  step,
  urnOf,
  warning,
} from "./previews";

describe("the preview as a whole", () => {
  it("counts other resources, and tells nothing of them", () => {
    const other = { op: "update", urn: "urn:pulumi:dev::shop::aws:s3/bucket:Bucket::private-name" };
    const report = reportOn([other], { changeSummary: { update: 1, same: 4 } });
    expect(report).toMatchObject({ computes: [], otherChanges: 1, unchangedResources: 4 });
    expect(JSON.stringify(report)).not.toContain("private-name");
  });

  const inputs = { projectId: "p", branchId: "br-a", ...size(2) };
  it.each<[reason: string, steps: readonly object[], is: string]>([
    ["what only is read is left out", ["read", "refresh", "same"].map((op) => step({ op })), ""],
    [
      "what the program has only read before is not deleted",
      [
        step({
          op: "replace",
          oldState: { external: true },
          new: { adopt: "ep-app", __verdict: { effect: "none", certain: true } },
        }),
      ],
      "app adopt no",
    ],
    [
      "an import is the change that follows it",
      [
        { op: "import", urn: urnOf("app"), newState: { inputs } },
        step({ ...restarts, verdict: { effect: "restart" } }),
      ],
      "app restart yes",
    ],
    [
      "`adopt` of another is only what that once came from",
      [step({ name: "heir", new: { adopt: "ep-app" } }), step({ op: "delete" })],
      "app delete yes, heir none no",
    ],
  ])("%s", (_reason, steps, is) => {
    expect(outlines(reportOn(steps))).toBe(is);
  });

  it("shows beside a notice every warning that is not a notice itself, once", () => {
    const interruption = "restart: size (secret)";
    const notices = [
      interruption,
      "may restart: size 1 → 2 CU",
      "deferred to the first update that finds it idle: restart: size",
    ];
    const others = [
      "The service could not be asked, so",
      "The line with adopt is gone",
      "Branch br-b has one",
    ];
    const diagnostics = [...notices, ...others, ...others].map((text) => warning("app", text));
    const notice = [interruption, ...notices.slice(1)].join("; ");
    const parts = { new: { autoscalingLimitMaxCu: 2 } };
    expect(computeOn(parts, { diagnostics })).toMatchObject({ notice, warnings: others });
  });
});

it("shows the choices of a message, which has a line for each, without a line's end", () => {
  const says = "creating a compute: it is not known whose this is. Nothing was sent.";
  const choices = ["To keep it: add ##[error].", "::error::Otherwise: run `pulumi up`."];
  const text = [says, ...choices].join("\n- ");
  const reads = `${says} - To keep it: add ## [error]. - ::error::Otherwise: run`;
  const problem = `pulumi-nodejs:dynamic/compute:Endpoint resource 'app' has a problem: ${text}`;
  const report = reportOn([step({ op: "create" })], failure(problem, "app"));
  expect(report.computes).toMatchObject([{ errors: [text.replaceAll("\n", " ")] }]);
  const annotated = toAnnotations([report], "github", "");
  expect(annotated).toContain(`: ${reads}`);
  expect(annotated.trim().split("\n")).toHaveLength(1);
  const warned = reportOn([step(restarts)], { diagnostics: [warning("app", text)] });
  for (const shown of [report, warned]) {
    expect(toText(shown).replaceAll(/\s+/g, " ")).toContain(reads);
    expect(toText(shown)).not.toMatch(/\\n|^\s*::/m);
    const comment = commentOn(shown).replaceAll(/&#(\d+);/g, (_, point) =>
      String.fromCodePoint(Number(point)),
    );
    expect(comment.replaceAll("<wbr>", "")).toContain(reads);
    expect(comment).not.toMatch(/\\n|^\s*::/m);
  }
});

describe("computes of one name", () => {
  const within = (component: string, name?: string): object => {
    const type = `shop:index:${component}`;
    const urn = `urn:pulumi:dev::shop::${type}$pulumi-nodejs:dynamic/compute:Endpoint::app`;
    const parent = name && `urn:pulumi:dev::shop::${type}::${name}`;
    return step({ urn, new: { suspendTimeoutSeconds: 60 }, ...(parent ? { parent } : {}) });
  };
  const other = step({ name: "a::b|c", op: "create" });
  const typed = "shop:index:Squad / app, shop:index:Team / app";

  it.each<[reason: string, steps: readonly object[], labels: string]>([
    ["are told by component", [within("Team", "blue"), within("Squad", "green")], "blue / app, green / app"],
    ["or by its type, where the names are one", [within("Team", "b"), within("Squad", "b")], typed],
    ["keep their short names where nothing collides", [within("Team", "b"), other], "app, a::b|c"],
  ])("%s", (_reason, steps, labels) => {
    const told = reportOn(steps).computes.map(({ label }) => label);
    expect(told.join(", ")).toBe(labels);
  });
});

describe("a change that waits for its window", () => {
  const text = "until Sat 28 Nov 02:00 (Europe/Berlin)";
  const verdict = { effect: "none", certain: true, deferred: { effect: "restart", text } } as const;

  it("drops nothing now, and is told with its moment", () => {
    const report = reportOn([step({ ...settles, verdict })]);
    expect(report.computes[0]).toMatchObject({
      outcome: "deferred",
      drops: "no",
      deferred: { effect: "restart", until: text },
      clients: [{ text: "restart deferred", value: text }, { text: "connections are unaffected" }],
    });
    expect(report.summary).toBe("1 compute waits until it is idle or its window opens");
    expect(report.verdict.line).toBe("no compute drops its open connections");
  });

  it("waits for nothing where the engine replaces the compute by force", () => {
    const report = reportOn([step({ op: "replace", verdict })]);
    expect(report).toMatchObject({ summary: "1 compute is replaced", computes: [{ deferred: null }] });
    expect(outlines(report)).toBe("app replace yes");
  });
});

const state = (id: string): object => {
  const place = { projectId: "p", branchId: "br-a", type: "read_write" };
  return { id, inputs: {}, outputs: { endpointId: id, ...place, host: `${id}.example` } };
};
const event = (op: string, metadata: { old?: object; new?: object; diffs?: readonly string[] }): object => ({
  resourcePreEvent: { metadata: { op, urn: urnOf("app"), ...metadata } },
});
const codeOf = (report: Report): number => verdictOn({ reports: [report], failOn: ["delete"] }).code;

it.each([
  ["idle", "no"],
  ["active", "yes"],
] as const)(
  "a replacement by the plugin, whose last event has no reasons, of what is %s: %s",
  (now, drops) => {
    const verdict = { effect: "replace", certain: true, now, endpointId: "ep-old" } as const;
    const old = state("ep-old");
    const parts = { old, new: { inputs: { type: "read_only" } }, diffs: ["type", toReason(verdict)] };
    const deletes = event("delete-replaced", { old });
    const report = reportOnEvents(event("create-replacement", parts), event("replace", parts), deletes);
    expect(report.computes).toMatchObject([{ outcome: "replace", certain: true, drops, now }]);
  },
);

describe("a deletion that an earlier replacement left over", () => {
  const pending = event("delete-replaced", { old: { ...state("ep-old"), delete: true } });

  it("is a deletion in the events, beside whatever its successor does", () => {
    const settled = { old: state("ep-new"), new: { inputs: { suspendTimeoutSeconds: 60 } } };
    const report = reportOnEvents(event("update", settled), pending);
    expect(report.computes.map(({ id }) => id)).toEqual(["ep-old", "ep-new"]);
    expect(outlines(report)).toBe("app delete yes, app none no");
    expect(codeOf(report)).toBe(20);
    expect(reportOnEvents(pending).summary).toBe("1 compute is deleted");
  });

  it("is not in the document, and the report says so", () => {
    expect(commentOn(reportOn([step(settles)]))).toContain(
      "pending deletions and the reasons of policies, which only the events have (PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true).",
    );
    expect(commentOn(reportOnEvents(pending))).not.toContain("PULUMI_ENABLE");
  });
});

describe("a policy's refusal", () => {
  const said = { message: "Not outside the window.", policyName: "window", policyPackName: "acme" };
  const policy = (change: object): object => ({
    policyEvent: { ...said, enforcementLevel: "mandatory", ...change },
  });
  const reason = "policy acme/window: Not outside the window.";
  const failed = { diagnosticEvent: { severity: "error", message: "error: preview failed\n" } };

  it("is told on its compute or, of the stack, as an error, and a remark as nothing", () => {
    const resize = event("update", { old: state("ep-app"), new: { inputs: {} } });
    const report = reportOnEvents(resize, policy({ resourceUrn: urnOf("app") }), failed);
    expect(report.computes).toMatchObject([{ outcome: "refused", errors: [reason] }]);
    expect(codeOf(report)).toBe(4);
    expect(reportOnEvents(policy({}), failed).errors).toEqual([reason]);
    const remark = reportOnEvents(policy({ enforcementLevel: "advisory" }));
    expect(remark).toMatchObject({ failed: false, errors: [] });
  });

  it("has no reason in the document, which says where it is", () => {
    expect(reportOn([], failure("error: preview failed\n")).errors).toEqual([
      "preview failed; if a policy refused it, the reason is in the events alone: PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true",
    ]);
  });
});

it.each([
  ["a resource", "a:b:C resource 'db': property password value {&{{hunter2}}} has a problem: too short"],
  [
    "a resource with a longer path",
    "a:b:C resource 'db': property a['b c'] value {hunter2} has a problem: no",
  ],
  [
    "a component",
    "no\n\t\t- property a with value 'hunter2' has a problem: no\n\t\t- property b has a problem: no",
  ],
])(
  "an error of another resource keeps its words, and not the value, which may be a secret: %s",
  (_of, text) => {
    const urn = "urn:pulumi:dev::shop::a:b:C::db";
    const errors = [text.replace(/ (with )?value [{'].*hunter2[}']+/, "")];
    const report = reportOn([], { diagnostics: [{ urn, severity: "error", message: `error: ${text}\n` }] });
    expect(report).toMatchObject({ errors, computes: [] });
    expect(report.errors[0]).not.toContain("hunter2");
  },
);

const schema = reportSchema();

/** The same, without room for members that a later version adds. */
const strict = JSON.parse(
  JSON.stringify(schema).replaceAll('"type":"object",', '"type":"object","additionalProperties":false,'),
) as typeof schema;

const validate = (value: unknown, of = strict): boolean =>
  z.fromJSONSchema(of).safeParse(JSON.parse(JSON.stringify(value))).success;

const files = readdirSync(fixtureFile("."), { recursive: true }).map(String);
const names = files.filter((name) => /\.(json|ndjson)$/.test(name));

describe("the schema of the JSON", () => {
  const changes = fixtureReport("changes.json");
  const also = [{ effect: "restart", certain: true }] as const;
  const severalParts = reportOn([step({ new: { branchId: "br-b" }, verdict: { effect: "move", also } })]);
  const stacks = stacksReportOf({
    read: names.map((file) => ({ file, report: fixtureReport(file) })),
    unreadable: [{ file: "torn.json", reason: "it is cut off", advice: "Preview again." }],
  });

  it.each<[is: boolean, reason: string, value: object, of?: typeof schema]>([
    [true, "the report of several stacks: all that there are previews of", stacks],
    [true, "a compute whose change does several things", severalParts],
    [false, "a report without a member", { ...changes, computes: undefined }, schema],
    [false, "a member of another type", { ...changes, failed: "no" }, schema],
    [false, "another version", { ...changes, version: 2 }, schema],
    [true, "a member that a later version adds", { ...changes, novelty: 1 }, schema],
  ])("takes (%s): %s", (...[is, , value, of]) => {
    expect(validate(value, of)).toBe(is);
  });
});
