/**
 * What Terraform users pass instead of a plan, and the command that makes one.
 */
import { has, planAdvice, type OtherKind } from "../read/json";
import { isMap } from "../read/values";

const planFileAdvice = "Run `terraform show -json FILE > plan.json` (or `tofu show …`), and pass plan.json.";

/** The first entry that fits counts. */
export const notPlans: readonly OtherKind[] = [
  {
    is: ({ json }) => has(json, "@level", "@message"),
    reason: "these are lines of `terraform plan -json`, which contain no values",
    advice: planAdvice,
  },
  {
    is: ({ text }) => text.startsWith("PK\u0003\u0004"),
    reason: "it is a plan file, not JSON",
    advice: () => planFileAdvice,
  },
  {
    is: ({ json }) => has(json, "remote_plan_format", "run_id"),
    reason: "it is the plan file of a run in HCP Terraform, and has only the id of that run",
    advice: () => planFileAdvice,
  },
  {
    is: ({ json }) => has(json, "encrypted_data"),
    reason: "it is a plan file or a state that OpenTofu has encrypted",
    advice: () =>
      "Run `tofu show -json plan > plan.json` where the encryption key is configured, and pass that file.",
  },
  {
    is: ({ json }) => has(json, "spacelift"),
    reason: "it is the input of a Spacelift policy, which contains the plan",
    advice: () => "Run `jq .terraform input.json > plan.json`, and pass that file.",
  },
  {
    is: ({ json }) => has(json, "cli_version", "plan") || has(json, "plan_version", "plan"),
    reason: "it is the plan of a Databricks bundle, which contains no values",
    advice: () =>
      `Go to the folder of the bundle's Terraform configuration (.databricks/bundle/TARGET/terraform). ${planAdvice()}`,
  },
  {
    is: ({ json }) => isApiAnswer(json),
    reason: "it is an API response without the plan, such as HCP Terraform's description of a run",
    advice: () =>
      'Run `curl --location --header "Authorization: Bearer $TOKEN" https://app.terraform.io/api/v2/plans/PLAN_ID/json-output > plan.json`, and pass that file.',
  },
  {
    is: ({ json }) => [json].flat().every((item) => has(item, "create", "update", "delete")),
    reason: "it is GitLab's report of a plan, which only counts changes",
    advice: planAdvice,
  },
  {
    is: ({ json }) =>
      has(json, "lineage", "serial") ||
      has(json, "format_version", "values") ||
      has(json, "format_version", "terraform_version"),
    reason: "it is a Terraform state, not a plan",
    advice: planAdvice,
  },
  {
    is: ({ json }) => has(json, "format_version") || has(json, "terraform_version"),
    reason: "it is JSON from Terraform, but not a plan",
    advice: planAdvice,
  },
  {
    is: ({ text, json }) =>
      json === undefined && /^(?:Terraform|OpenTofu) (?:used|will)|^No changes\. /m.test(text),
    reason: "it is a human-readable plan, not JSON",
    advice: planAdvice,
  },
  {
    is: ({ json }) => [json].flat().some((item) => has(item, "address", "change")),
    reason: "it is only the list of changes, not the whole plan",
    advice: planAdvice,
  },
];

/** True for JSON:API, the form of HCP Terraform's API and of other APIs. */
function isApiAnswer(json: unknown): boolean {
  if (!isMap(json)) return false;
  const items = [json["data"]].flat();
  return Array.isArray(json["errors"]) || items.some((item) => has(item, "type", "attributes"));
}
