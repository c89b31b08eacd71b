/** The form of a report that programs read: its JSON, and the schema of the JSON. */
import { readdirSync } from "node:fs";
import { z } from "zod";
import type { ComputeReport, Report, StacksReport } from "../../../preview/shape";
import { stacksReportOf } from "../../../preview/judge/stacks";
import { reportSchema } from "../../../tools/schema/report";
import {
  fixture,
  fixtureFile,
  fixtureReport,
  reportOn,
  restarts,
  runPreview,
  size,
  stackOf,
  step,
  unknownId,
  urnOf,
  type StepParts,
} from "./previews";

/** The one compute of a preview of one step. */
const computeOn = (parts: StepParts): ComputeReport => reportOn([step(parts)]).computes[0]!;

it("the JSON has a version, and no secrets of the program", () => {
  const { out } = runPreview(["--format", "json"], fixture("changes.json"));
  const report = JSON.parse(out) as Report;
  expect(report).toMatchObject({ format: "compute-preview", version: 1, project: "shop", stack: "dev" });
  expect(Object.keys(report)).toMatchSnapshot();
  expect({ ...report.computes[4], notice: "" }).toMatchSnapshot();
  expect(out).not.toMatch(/hunter2|correct horse/);
});

it("the JSON has one form for several stacks and for a folder, in which each report is the same as for one stack", () => {
  const files = {
    "previews/dev.json": stackOf("dev", [restarts]),
    "previews/calm.json": stackOf("calm", []),
  };
  const ran = (...args: readonly string[]): unknown =>
    JSON.parse(runPreview([...args, "--format", "json"], files).out);
  const report = ran("previews") as StacksReport;
  expect(report).toMatchObject({ format: "compute-preview-stacks", version: 1, unreadable: [] });
  const names = ["shop/dev previews/dev.json", "shop/calm previews/calm.json"];
  expect(report.stacks.map(({ name, file }) => `${name} ${file}`)).toEqual(names);
  expect(report.stacks[0]?.report).toEqual(ran("previews/dev.json"));
});

it("the JSON has a compute's project and branch, unless they are secret or unknown", () => {
  const branch = { projectId: "p", branchId: "br-a", type: "read_write" };
  expect(computeOn({})).toMatchObject({ ...branch, endpointId: "ep-app" });
  const masked = { projectId: "[secret]", branchId: unknownId };
  expect(computeOn({ op: "create", new: masked })).toMatchObject({
    ...{ projectId: null, branchId: null, endpointId: null },
  });
});

it("the JSON has the waves in which computes of a branch are interrupted", () => {
  const after = (...names: readonly string[]): StepParts => ({ dependencies: names.map(urnOf) });
  const one = (name: string, more?: StepParts): object => step({ ...restarts, name, ...more });
  const { branches } = reportOn([one("c", after("a", "b")), one("b"), one("a")]);
  const waves = [["a", "b"], ["c"]].map((wave) => wave.map(urnOf));
  expect(branches).toEqual([{ projectId: "p", branchId: "br-a", computes: waves.flat(), waves }]);
});

it("the JSON has the effect of each changed argument alone, whatever else the compute has", () => {
  const settings = { pgSettings: { work_mem: "8MB" } };
  const { changes } = computeOn({ old: { settings }, new: { settings, suspendTimeoutSeconds: 60 } });
  expect(changes).toMatchObject([{ argument: "suspendTimeoutSeconds", effect: "none" }]);
});

it("the JSON says of a deferred change what it will do, and until when it is deferred", () => {
  const deferred = { effect: "restart", text: "until Sat 28 Nov 02:00 (Europe/Berlin)" } as const;
  const verdict = { effect: "none", certain: true, deferred } as const;
  const is = { effect: "restart", until: deferred.text };
  expect(computeOn({ new: { ...size(1), suspendTimeoutSeconds: 60 }, verdict }).deferred).toEqual(is);
});

const schema = reportSchema();

/** The schema, except that it refuses members that a later version could add. */
const strict = JSON.parse(
  JSON.stringify(schema).replaceAll('"type":"object",', '"type":"object","additionalProperties":false,'),
) as typeof schema;

const validate = (value: unknown, of = strict): boolean =>
  z.fromJSONSchema(of).safeParse(JSON.parse(JSON.stringify(value))).success;

const files = readdirSync(fixtureFile("."), { recursive: true }).map(String);

describe("the schema of the JSON", () => {
  const changes = fixtureReport("changes.json");
  const also = [{ effect: "restart", certain: true }] as const;
  const severalParts = reportOn([step({ new: { branchId: "br-b" }, verdict: { effect: "move", also } })]);
  const stacks = stacksReportOf({
    read: files
      .filter((name) => /\.(json|ndjson)$/.test(name))
      .map((file) => ({ file, report: fixtureReport(file) })),
    unreadable: [{ file: "torn.json", reason: "it is cut off", advice: "Preview again." }],
  });

  it.each<[is: boolean, reason: string, value: object, of?: typeof schema]>([
    [true, "the report on all fixtures as stacks", stacks],
    [true, "a compute whose change has several effects", severalParts],
    [false, "a report without a member", { ...changes, computes: undefined }, schema],
    [false, "a member of another type", { ...changes, failed: "no" }, schema],
    [false, "another version", { ...changes, version: 2 }, schema],
    [true, "a member that a later version adds", { ...changes, novelty: 1 }, schema],
  ])("gives %s for %s", (...[is, , value, of]) => {
    expect(validate(value, of)).toBe(is);
  });
});
