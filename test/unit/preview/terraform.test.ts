import { readFileSync } from "node:fs";
import { readPreview } from "../../../preview/read/preview";
import { reportOf } from "../../../preview/judge/report";
import { failOn, neonPlan, planOf, reportOn } from "./peerPlans";
import { fixtureFile } from "./previews";

describe("a plan of Terraform", () => {
  it("is read as the real provider makes it, modules, for_each, secrets and unknown values included", () => {
    const report = reportOf(readPreview(readFileSync(fixtureFile("terraform/neon.json"))), failOn);
    expect(report.computes.map(({ label, outcome, drops }) => `${label}: ${outcome}, ${drops}`)).toEqual([
      "neon_endpoint.old: delete, yes",
      'module.db.neon_endpoint.replica["b"]: replace, yes',
      'module.db.neon_endpoint.replica["a"]: restart, yes',
      "neon_endpoint.app: restart, yes",
      "neon_endpoint.moved: move, may",
      "neon_endpoint.tuned: interrupt, may",
      "neon_endpoint.quiet: none, no",
      "neon_endpoint.fresh: create, no",
    ]);
    expect(report.verdict).toMatchObject({
      word: "refused",
      line: "4 computes drop their open connections, 2 may",
    });
    expect(JSON.stringify(report)).not.toMatch(/"[34]0s"/);
  });

  it("shows what was changed outside", () => {
    const { resource_changes: drift } = planOf("neon_endpoint", ["update"], {
      before: neonPlan,
      after: { ...neonPlan, autoscaling_limit_max_cu: 4 },
    }) as { resource_changes: unknown };
    const unchanged = planOf("neon_endpoint", ["no-op"], { before: neonPlan, after: neonPlan });
    const [compute] = reportOn({ ...unchanged, resource_drift: drift }).computes;
    expect(compute).toMatchObject({ outcome: "drift", drift: { size: { from: "1–8", to: "1–4" } } });
  });

  it.each([
    { reason: "a newer format", more: { format_version: "2.0" }, says: "its format has version 2.0" },
    { reason: "another form", more: { resource_changes: [{}] }, says: "it has another form than expected" },
  ])("is refused in $reason", ({ more, says }) => {
    const plan = { ...planOf("neon_endpoint", ["update"], { before: neonPlan, after: neonPlan }), ...more };
    expect(() => reportOn(plan)).toThrow(says);
  });

  it.each([
    { reason: "has failed", more: { errored: true } },
    { reason: "leaves a part for later", more: { complete: false } },
  ])("does not pass if it $reason", ({ more }) => {
    const plan = { ...planOf("neon_endpoint", ["no-op"], { before: neonPlan, after: neonPlan }), ...more };
    expect(reportOn(plan).verdict).toMatchObject({ word: "failed", code: 4 });
  });
});
