import { UnreadableInputError } from "../../../preview/read/json";
import { readPreview } from "../../../preview/read/preview";
import { reportOf } from "../../../preview/judge/report";
import { digest, fixture, fixtureReport, runPreview, step } from "./previews";

describe("the forms of the input", () => {
  it("tells the same of the streaming form", () => {
    const events = fixtureReport("changes.ndjson");
    expect(events).toEqual({ ...fixtureReport("changes.json"), form: "events" });
  });

  const text = fixture("changes.json").toString();
  it.each([
    ["npm run prints what it runs", Buffer.from(`\n> shop@1.0.0 local\n> node tools.js\n\n${text}`)],
    ["PowerShell writes UTF-16", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["a byte order mark comes first", Buffer.from(`\uFEFF${text}`)],
    [
      "yarn 1 prints around it",
      Buffer.from(`yarn run v1.22.22\n$ pulumi preview --json\n${text}\nDone in 3.21s.\n`),
    ],
    [
      "a policy pack is installed first",
      Buffer.from(`Installing policy pack acme 1.0.0...\n{not JSON\n\n${text}`),
    ],
    ["stderr came along", Buffer.from(`warning: A new version of Pulumi is available\n${text}`)],
    ["another object stands before it", Buffer.from(`{"level":"warn"}\n${text}`)],
    ["lines end as on Windows", Buffer.from(text.replaceAll("\n", "\r\n"))],
  ])("is read where %s", (_reason, bytes) => {
    expect(reportOf(readPreview(bytes))).toEqual(fixtureReport("changes.json"));
  });

  it.each([
    [
      "stderr came along",
      (lines: readonly string[]) => lines.flatMap((line) => [`warning: ${lines.length}`, line]),
    ],
    [
      "yarn 1 prints around it",
      (lines: readonly string[]) => ["$ pulumi preview --json", ...lines, "Done in 3s."],
    ],
    ["a log is in JSON", (lines: readonly string[]) => ['{"level":"warn"}', ...lines]],
  ])("is read in its events where %s", (_reason, among) => {
    const lines = fixture("changes.ndjson").toString().trim().split("\n");
    expect(reportOf(readPreview(Buffer.from(among(lines).join("\n"))))).toEqual(
      fixtureReport("changes.ndjson"),
    );
  });

  it("reads what engines add later", () => {
    const added = { ...step({ new: { branchId: "br-b" } }), novelty: { of: ["a", "kind"] } };
    expect(readPreview(digest([added], { novelty: true })).steps).toHaveLength(1);
  });
});

describe("what is no preview", () => {
  const json = fixture("changes.json").toString();
  const lines = fixture("changes.ndjson").toString().trim().split("\n");
  const unended = lines.filter((line) => !/"(summary|cancel)Event"/.test(line));
  it.each([
    ["nothing came", "", "the input is empty"],
    ["only line breaks came", "\n\n", "the input is empty"],
    ["the pipe broke", json.slice(0, 5_000), "it is cut off after 5000 characters"],
    ["the pipe broke between events", unended.join("\n"), "it is cut off"],
    ["the second one is cut off", [...lines, ...unended].join("\n"), "it goes on after the end of a preview"],
    ["it is of two documents", `${json}\n${json}`, "it has 2 previews: write each to its own file"],
    ["a document is beside the events", `${lines.join("\n")}\n${json}`, "it has 2 previews"],
    ["it is of two previews", [...lines, ...lines].join("\n"), "it goes on after the end of a preview"],
    ["the pipe broke in an event", lines.join("\n").slice(0, -1_000), "it is cut off"],
    ["--json was left out", "Previewing update (dev):\n", "--json was left out"],
    ["the CLI wrote an error", "error: no stack selected\n", "it is no JSON"],
    ["it is a stack export", '{"version":3,"deployment":{}}', "a stack export"],
    ["it is stack output", '{"host":"secret-host"}', "an object with host"],
    ["it is a list", "[]", "a list"],
    ["a step has no URN", '{"steps":[{"op":"same"}]}', "steps.0.urn"],
  ])("is an error where %s", (_reason, text, says) => {
    const read = (): unknown => readPreview(Buffer.from(text));
    expect(read).toThrow(UnreadableInputError);
    expect(read).toThrow(says);
    expect(read).toThrow("Run `pulumi preview --json`");
    expect(read).not.toThrow("secret-host");
  });
});

describe("what another command prints", () => {
  const plan = JSON.stringify({ format_version: "1.2", planned_values: {}, resource_changes: [] });
  const ofPlan =
    "Run `terraform plan -out plan`, then `terraform show -json plan > plan.json`, and pass that file.";
  it.each<[reason: string, text: string, says: string, advice: string]>([
    [
      "the lines of a plan",
      fixture("others/planLines.txt").toString(),
      "the lines that a plan prints with -json",
      ofPlan,
    ],
    [
      "OpenTofu's",
      '{"@level":"info","@message":"OpenTofu 1.12","@module":"tofu.ui"}',
      "prints with -json",
      ofPlan.replaceAll("terraform", "tofu"),
    ],
    [
      "a state",
      '{"format_version":"1.0","terraform_version":"1.9.0","values":{}}',
      "a state of Terraform",
      ofPlan,
    ],
    [
      "the file of a state",
      '{"version":4,"serial":3,"lineage":"a","resources":[]}',
      "a state of Terraform",
      ofPlan,
    ],
    [
      "an empty state",
      '{"format_version":"1.0","terraform_version":"1.9.0"}',
      "a state of Terraform",
      ofPlan,
    ],
    [
      "a plan file",
      "PK\u0003\u0004tfplan",
      "a plan file",
      "Run `terraform show -json plan > plan.json` on it",
    ],
    [
      "a plan for people",
      "\nTerraform used the selected providers\n  # neon_endpoint.a will be {\n",
      "text for people",
      ofPlan,
    ],
    [
      "lines of terragrunt",
      `12:00:01.123 STDOUT [db] terraform: ${plan}`,
      "a prefix before its JSON",
      "Run `terragrunt run --tf-forward-stdout -- show -json plan > plan.json`",
    ],
    ["changes without their plan", '[{"address":"a.b","change":{}}]', "a list of changes", ofPlan],
    [
      "each change for itself",
      '{"address":"a.b","change":{}}\n{"address":"a.c","change":{}}',
      "a list of changes",
      ofPlan,
    ],
    [
      "events of Pulumi Cloud",
      '{"events":[{"sequence":1}],"continuationToken":null}',
      "Pulumi Cloud",
      "Run `pulumi preview --json > preview.json`",
    ],
  ])("has an error with the command for it: %s", (...[, text, says, advice]) => {
    const ran = runPreview([], Buffer.from(text));
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toContain(says);
    expect(ran.err).toContain(advice);
    const { err } = runPreview(["a.json", "b.json"], { "a.json": text, "b.json": fixture("changes.json") });
    expect(err).toContain(advice);
  });
});

describe("a preview that did not come to its end", () => {
  it.each(["canceled", "failed", "something later"])("has failed where its events say %s", (result) => {
    const text = fixture("changes.ndjson").toString();
    const ended = text.replace('"result":"succeeded"', `"result":"${result}"`);
    expect(readPreview(Buffer.from(text)).failed).toBe(false);
    expect(readPreview(Buffer.from(ended)).failed).toBe(true);
  });

  it("has failed where its document has only what came before the plan: the error is on stderr", () => {
    const diagnostics = [{ severity: "warning", message: "warning: Could not find a package.json file\n" }];
    const report = reportOf(readPreview(Buffer.from(JSON.stringify({ diagnostics }))));
    expect(report).toMatchObject({ failed: true, computes: [], errors: [] });
    const ofNothing = { diagnostics, duration: 1_000 };
    expect(readPreview(Buffer.from(JSON.stringify(ofNothing))).failed).toBe(false);
  });
});
