import { readdirSync } from "node:fs";
import { z } from "zod";
import { stacksReportOf } from "../../../preview/judge/stacks";
import { readPreview } from "../../../preview/read/preview";
import { reportSchema } from "../../../tools/schema/report";
import { fixture, fixtureFile, fixtureReport, reportOn, step } from "./previews";

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
  it.each(names)("names every member of what %s is reported as, and its type", (name) => {
    expect(validate(fixtureReport(name))).toBe(true);
  });

  it("takes the report of several stacks", () => {
    const stacks = names.map((file) => ({ file, report: fixtureReport(file) }));
    const report = stacksReportOf({
      read: stacks,
      unreadable: [{ file: "torn.json", reason: "it is cut off" }],
    });
    expect(validate(report)).toBe(true);
    expect(validate({ ...report, unreadable: [{ file: "torn.json" }] })).toBe(false);
  });

  it("takes a compute whose change does several things", () => {
    const also = [{ effect: "restart", certain: true }] as const;
    const report = reportOn([step({ new: { branchId: "br-b" }, verdict: { effect: "move", also } })]);
    expect(report.computes[0]).toMatchObject({ outcome: "move", also });
    expect(validate(report)).toBe(true);
    const other = [{ ...report.computes[0], also: [{ effect: "restart" }] }];
    expect(validate({ ...report, computes: other })).toBe(false);
  });

  it.each([
    { reason: "a member is missing", change: { computes: undefined } },
    { reason: "a member has another type", change: { failed: "no" } },
    { reason: "the version is another", change: { version: 2 } },
    { reason: "an outcome is none", change: { computes: [{ outcome: "reboots" }] } },
  ])("refuses a report where $reason", ({ change }) => {
    expect(validate({ ...fixtureReport("changes.json"), ...change }, schema)).toBe(false);
  });

  it("takes a member that a later version adds", () => {
    expect(validate({ ...fixtureReport("changes.json"), novelty: 1 }, schema)).toBe(true);
    expect(validate({ ...fixtureReport("changes.json"), novelty: 1 })).toBe(false);
  });

  it("says what the types say of themselves", () => {
    expect(JSON.stringify(schema)).toContain("Whether open connections drop");
  });

  it("is of reports, and not of previews", () => {
    expect(validate(readPreview(fixture("changes.json")), schema)).toBe(false);
  });
});
