import { readdirSync } from "node:fs";
import { z } from "zod";
import { stacksReportOf } from "../../../preview/judge/stacks";
import { reportSchema } from "../../../tools/schema/report";
import { fixtureFile, fixtureReport, reportOn, step } from "./previews";

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
