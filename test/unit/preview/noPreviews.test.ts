/**
 * Inputs that are not previews. `golden/noPreviews.txt` has what compute-preview calls each input, and the advice that it prints.
 * For such an input, compute-preview prints neither a report nor a secret.
 */
import { expectKept } from "../../support/kept";
import { planOf } from "./peers/others";
import { leaves, previewOf, fixture, goldenFile, printed, type PreviewRow } from "./previews";

const json = fixture("changes.json").toString();
const lines = fixture("changes.ndjson").toString().trim().split("\n");
const deletes = lines.find((line) => /resourcePreEvent.*"op":"delete"/.test(line))!;
const without = (line: string, of = lines): string => of.filter((one) => one !== line).join("\n");
const refreshes = fixture("drift/dynamicRefresh.ndjson").toString().trim().split("\n");
const gone = refreshes.find((line) => /resOutputsEvent.*"op":"delete"/.test(line))!;
const unended = lines.filter((line) => !/"(summary|cancel)Event"/.test(line));
const behind = (prefix: string, text: string): string => text.replaceAll(/^/gm, prefix);
const pretty = JSON.stringify(JSON.parse(json), undefined, 2);
const both = [behind("db:preview: ", pretty), behind("web:preview: ", pretty)].join("\n");

const previews: Readonly<Record<string, string>> = {
  "the input is empty": "",
  "the pipe broke": json.slice(0, 5_000),
  "the pipe broke between events": unended.join("\n"),
  "the pipe broke in an event": lines.join("\n").slice(0, -1_000),
  "the second preview is cut off": [...lines, ...unended].join("\n"),
  "two documents": `${json}\n${json}`,
  "a document beside the events": `${lines.join("\n")}\n${json}`,
  "two previews": [...lines, ...lines].join("\n"),
  "an event is behind other output": lines.join("\n").replace(deletes, `100%${deletes}`),
  "the line of a deletion is missing": without(deletes),
  "the line with a result of the refresh is missing": without(gone, refreshes),
  "a result of the Automation API":
    '{"stdout":"secret-host","stderr":"","changeSummary":{"replace":1,"same":3}}',
  "--json was left out": "Previewing update (dev):\n",
  "the CLI wrote an error": "error: no stack selected\n",
  "a stack export": '{"version":3,"deployment":{}}',
  "a stack's outputs": '{"host":"secret-host"}',
  "events of Pulumi Cloud": '{"events":[{"sequence":1}],"continuationToken":null}',
  "a compressed file": "\u001f\u008b\u0008",
  "a step has no URN": '{"steps":[{"op":"same"}]}',
  "two previews behind prefixes": both,
  "a preview that is cut off behind a prefix": behind("web:preview: ", pretty).slice(0, -200),
};

const plan = JSON.stringify({ format_version: "1.2", planned_values: {}, resource_changes: [] });
const state = { format_version: "1.0", terraform_version: "1.9.0" };
const unitOf = (name: string): string => `12:00:01.123 STDOUT [${name}] terraform: ${plan}`;
const [harmless, restart] = [planOf({}), planOf({ sides: "autoscaling_limit_max_cu: 1 → 4" })].map((one) =>
  JSON.stringify(one),
);
const half = restart!.slice(0, restart!.length / 2);
const tall = JSON.stringify(JSON.parse(restart!), undefined, 2);
const changed = (more: object): string => JSON.stringify({ ...(JSON.parse(harmless!) as object), ...more });

const plans: Readonly<Record<string, string>> = {
  "a state": JSON.stringify({ ...state, values: {} }),
  "a state's file": '{"version":4,"serial":3,"lineage":"a","resources":[]}',
  "a plan file": "PK\u0003\u0004tfplan",
  "a plan in the form for people": "\nTerraform used the selected providers\n  # neon_endpoint.a will be {\n",
  "plans of several units of terragrunt": `${unitOf("db")}\n${unitOf("web")}`,
  "GitLab's report of several plans": '[{"create":0,"update":1,"delete":0}]',
  "a plan of HCP Terraform that was written with -out":
    '{"remote_plan_format":1,"run_id":"run-1","hostname":"app.terraform.io"}',
  "an encrypted plan of OpenTofu":
    '{"meta":{"key_provider.pbkdf2.a":"e30="},"encrypted_data":"aa","encryption_version":"v0"}',
  "an API's answer": '{"data":{"id":"plan-1","type":"plans","attributes":{}}}',
  "several answers of an API": '{"data":[{"id":"run-1","type":"runs","attributes":{}}]}',
  "an error of an API": '{"errors":[{"status":"404","title":"not found"}]}',
  "the input of a policy of Spacelift": `{"spacelift":{"run":{}},"terraform":${plan}}`,
  "what CDKTF has synthesized": '{"//":{"metadata":{}},"terraform":{},"resource":{"neon_endpoint":{}}}',
  "schemas of providers": '{"format_version":"1.0","provider_schemas":{}}',
  "Terraform's version": '{"terraform_version":"1.14.3","platform":"linux_amd64"}',
  outputs: '{"host":{"sensitive":false,"type":"string","value":"secret-host"}}',
  "the plan of a Databricks bundle":
    '{"plan_version":1,"cli_version":"0.280.0","plan":{"resources.jobs.a":{"action":"update"}}}',
  "changes without their plan": '[{"address":"a.b","change":{}}]',
  "a plan that begins a second time": `${harmless!}\n${half}`,
  "a plan that begins twice, and ends once": `${half}\n${harmless!}`,
  "a plan with a brace too many": tall.replace('"planned_values": {}', '"planned_values": {}}'),
  "a plan that closes early": `${harmless!},"resource_changes":[{"address":"a.b"}]}`,
  "a plan with a quote too few": tall.replace('"update"', '"update'),
  "a plan in a newer format": changed({ format_version: "2.0" }),
  "a plan in another form": changed({ resource_changes: [{}] }),
};

const ofText = ([reason, text]: readonly [string, string]): PreviewRow => [reason, Buffer.from(text)];
const rows: readonly PreviewRow[] = [
  ...Object.entries({ ...previews, ...plans }).map(ofText),
  [
    "a state beside a preview",
    { "a.json": plans["a state"]!, "b.json": previewOf(leaves) },
    "a.json",
    "b.json",
  ],
  ["a plan that is missing", {}, "tfplan.json"],
  ["a file that is missing", {}, "a.json"],
];

it("compute-preview says what an input is instead of a preview, and what to run", () => {
  const told = printed(rows);
  expect(told).not.toContain("secret-host");
  expectKept(goldenFile("noPreviews"), told);
});
