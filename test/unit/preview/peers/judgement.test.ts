/**
 * Writes the table at the head of preview/peers/judgement.ts from plans. All plans of a row must have the same result.
 * `GOLDENS=write npx jest unit/preview/peers/judgement` writes it anew.
 */
import { readPreview } from "../../../../preview/input";
import { reportOf } from "../../../../preview/judge/report";
import { expectShown } from "../../../support/kept";
import { commentOn } from "../previews";
import { failureKinds } from "../../../../preview/shape";
import { bridgedOf, deleted, inProject, kinds, max, planOf, type Bridged, type Changed } from "./others";

const [databricks, ofBranch] = ["databricks_postgres_endpoint", "databricks_postgres_branch"];
const primary = "endpoint_id: primary; parent: projects/shop/branches/dev";
const taken = { actions: "create", sides: `${primary}; replace_existing: true` };
const replaced = (type: string, actions: string): Changed => ({ type, actions });

const rows: readonly (readonly [actions: string, of: string, ...plans: readonly (Changed | Bridged)[]])[] = [
  ["delete", "compute", deleted("neon_endpoint"), { ...deleted("neon_endpoint"), sides: "disabled: true" }],
  ["delete", "project or branch, with its computes", deleted("neon_project"), deleted(ofBranch)],
  [
    "delete",
    "primary of Lakebase, which goes on running",
    { type: databricks, actions: "delete", sides: primary },
  ],
  ["forget", "compute, which goes on running", { actions: "forget" }],
  [
    "delete, create",
    "compute",
    { actions: "delete,create" },
    { actions: "create,delete", sides: "project_id: p → (unknown)" },
    { type: databricks, actions: "delete,create", sides: "spec: {endpoint_type: (unknown)}" },
  ],
  [
    "delete, create",
    "project or branch, with its computes",
    replaced("neon_project", "delete,create"),
    replaced(ofBranch, "create,delete"),
  ],
  ["forget, create", "compute; the old one goes on running", { actions: "forget,create" }],
  [
    "replace, in Pulumi",
    "compute, if the only reason is a value that is not known yet",
    { op: "replace", sides: "project_id: p → (unknown)" },
  ],
  ["update", "branch of a compute", { sides: "branch_id: br-a → br-b" }],
  ["update", "`disabled` of a compute", { sides: "disabled: false → true" }],
  ["update", "branch that only the apply knows", { sides: "branch_id: br-a → (unknown)" }],
  ["update", "size of a compute", { sides: `${max(1)} → 2` }],
  [
    "update",
    "size or branch of a compute that is disabled",
    { sides: `${max(1)} → 2; disabled: true` },
    { sides: "branch_id: br-a → br-b; disabled: true" },
  ],
  [
    "update",
    "size of a project's first compute",
    inProject(`primary_compute: [{${max(1)}}] → [{${max(2)}}]`),
  ],
  ["update", "size that only the apply knows", { sides: `${max(1)} → (unknown)` }],
  ["update", "size at Databricks", { type: databricks, sides: `spec: {${max(1)}} → {${max(2)}}` }],
  ["update", "Postgres settings of a compute", { sides: "pg_settings: {work_mem: 8MB} → {work_mem: 9MB}" }],
  ["update", "anything that `table.ts` does not have", { sides: "novelty: 1 → 2" }],
  ["update", "autosuspend or name of a compute", {}, { sides: "name: a → b" }],
  ["update", "an attribute of a project that concerns computes", inProject("quota: {a: 9} → {a: 1}")],
  ["update", "anything else of a project or a branch", inProject("name: a → b")],
  ["create", "compute", { actions: "create" }],
  ["create", "primary of Lakebase that is there already", { type: databricks, ...taken }],
  ["any other", "compute", { actions: "renew" }],
];

/** What the report says about a plan: the outcome, the mark of the compute's row in a comment, and the exit code. */
function endOf(plan: object): readonly [outcome: string, mark: string, code: string] {
  const failOn = failureKinds.filter((kind) => kinds.split(",").includes(kind));
  const report = reportOf(readPreview(Buffer.from(JSON.stringify(plan))), failOn);
  const [compute] = report.computes;
  const [, mark = ""] = /^\| `[^|]*\| (\S+) /m.exec(commentOn(report)) ?? [];
  const outcome = compute && `${compute.outcome}${compute.certain ? "" : ", may"}`;
  const judged = [outcome, report.unjudged.length > 0 && "not judged"].filter(Boolean).join("; ");
  return [judged, mark, String(report.verdict.code)];
}

it("the table in preview/peers/judgement.ts says what the report makes of each action on each resource", () => {
  const cells = rows.map(([actions, of, ...plans]) => {
    const [first, ...others] = plans.map((changed) =>
      endOf("op" in changed ? bridgedOf(changed) : planOf(changed)),
    );
    for (const other of others) expect([actions, of, ...other]).toEqual([actions, of, ...first!]);
    return [actions, of, ...first!];
  });
  const table = [["actions", "resource", "outcome", "mark", "code"], ["", "", "", "", ""], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = table.map((row, index) => {
    const fill = index === 1 ? "-" : " ";
    return ` * | ${row.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(" | ")} |\n`;
  });
  expectShown("preview/peers/judgement.ts", /(?<= \*\n)( \* \|.*\n)+(?= \*\n)/, lines.join(""));
});
