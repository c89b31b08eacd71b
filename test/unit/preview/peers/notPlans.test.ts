/** What people pass in place of a plan or a preview, and the command that each of them is told. */
import { fixture, runPreview } from "../previews";

const json = fixture("changes.json").toString();

const plan = JSON.stringify({ format_version: "1.2", planned_values: {}, resource_changes: [] });
const state = { format_version: "1.0", terraform_version: "1.9.0" };
const ofPlan =
  "Run `terraform plan -out plan`, then `terraform show -json plan > plan.json`, and pass that file.";
const ofLines = fixture("others/planLines.txt").toString();
const terragrunt = "Run `terragrunt run --tf-forward-stdout -- show -json plan > plan.json`";
const unitOf = (name: string): string => `12:00:01.123 STDOUT [${name}] terraform: ${plan}`;
const forPeople = "\nTerraform used the selected providers\n  # neon_endpoint.a will be {\n";
const change = '{"address":"a.b","change":{}}';
it.each<[reason: string, text: string, says: string, advice?: string]>([
  ["the lines of a plan", ofLines, "these are lines of `terraform plan -json`"],
  ["a state", JSON.stringify({ ...state, values: {} }), "a state of Terraform"],
  ["its file", '{"version":4,"serial":3,"lineage":"a","resources":[]}', "a state of Terraform"],
  ["a plan file", "PK\u0003\u0004tfplan", "a plan file", "Run `terraform show -json plan > plan.json` on it"],
  ["a plan for people", forPeople, "text for people"],
  [
    "plans of several units of terragrunt",
    `${unitOf("db")}\n${unitOf("web")}`,
    "several prefixes",
    terragrunt,
  ],
  ["plans that jq has collected", `[${plan},${plan}]`, "it has 2 previews: write each to its own file"],
  ["GitLab's report of a plan", '{"create":0,"update":1,"delete":0}', "GitLab's report"],
  ["the same of several plans", '[{"create":0,"update":1,"delete":0}]', "GitLab's report"],
  [
    "a plan of HCP Terraform that was written with -out",
    '{"remote_plan_format":1,"run_id":"run-1","hostname":"app.terraform.io"}',
    "only names the run",
    "Run `terraform show -json plan > plan.json` on it",
  ],
  [
    "an encrypted plan of OpenTofu",
    '{"meta":{"key_provider.pbkdf2.a":"e30="},"encrypted_data":"aa","encryption_version":"v0"}',
    "OpenTofu has encrypted",
    "Run `tofu show -json plan > plan.json`",
  ],
  [
    "an answer of an API",
    '{"data":{"id":"plan-1","type":"plans","attributes":{}}}',
    "an answer of an API",
    "/json-output",
  ],
  [
    "several of them",
    '{"data":[{"id":"run-1","type":"runs","attributes":{}}]}',
    "an answer of an API",
    "/json-output",
  ],
  [
    "an error of an API",
    '{"errors":[{"status":"404","title":"not found"}]}',
    "an answer of an API",
    "/json-output",
  ],
  [
    "the input of a policy of Spacelift",
    `{"spacelift":{"run":{}},"terraform":${plan}}`,
    "the input of a policy of Spacelift",
    "Run `jq .terraform input.json > plan.json`",
  ],
  [
    "what CDKTF has synthesized",
    '{"//":{"metadata":{}},"terraform":{},"resource":{"neon_endpoint":{}}}',
    "a configuration in JSON",
  ],
  [
    "what validate prints",
    '{"format_version":"1.0","valid":true,"diagnostics":[]}',
    "what `validate -json` prints",
  ],
  [
    "schemas of providers",
    '{"format_version":"1.0","provider_schemas":{}}',
    "what `providers schema -json` prints",
  ],
  ["other JSON of Terraform", '{"format_version":"1.0","function_signatures":{}}', "JSON of Terraform"],
  ["its version", '{"terraform_version":"1.14.3","platform":"linux_amd64"}', "JSON of Terraform"],
  ["outputs", '{"host":{"sensitive":false,"type":"string","value":"secret-host"}}', "outputs of Terraform"],
  [
    "the plan of a Databricks bundle",
    '{"plan_version":1,"cli_version":"0.280.0","plan":{"resources.jobs.a":{"action":"update"}}}',
    "the plan of a Databricks bundle",
    ".databricks/bundle/TARGET/terraform",
  ],
  ["a compressed file", "\u001f\u008b\u0008", "compressed with gzip", "Run `gunzip -c FILE > preview.json`"],
  ["changes without their plan", `[${change}]`, "a list of changes"],
  [
    "events of Pulumi Cloud",
    '{"events":[{"sequence":1}],"continuationToken":null}',
    "Pulumi Cloud",
    "Run `pulumi preview --json > preview.json`",
  ],
])(
  "what another command prints is an error with the command for it: %s",
  (...[, text, says, advice = ofPlan]) => {
    const ran = runPreview([], Buffer.from(text));
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toContain(says);
    expect(ran.err).toContain(advice);
    const { err } = runPreview(["a.json", "b.json"], { "a.json": text, "b.json": json });
    expect(err).toContain(advice);
  },
);

it("a file that is missing has the command of the tool that its name speaks of", () => {
  const missing = (name: string): string => runPreview([name], {}).err;
  expect(missing("tfplan.json")).toContain("Run `terraform plan -out plan`");
  expect(missing("tfplan.json")).not.toContain("pulumi");
  expect(missing("a.json")).toContain("With Terraform: run `terraform plan -out plan`");
});
