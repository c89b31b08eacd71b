/**
 * Parses a plan of Terraform or OpenTofu: `terraform show -json PLAN`, whose format has a version of its own.
 */
import * as z from "zod";
import { unknownValue } from "../../provider/pure/unknown";
import { firstIssue, UnreadableInputError } from "./json";
import type { Preview, PreviewStep, Refresh } from "./steps";
import type { ResourceState } from "./schemas";
import { terraformUrn } from "./urn";
import { isMap, secret } from "./values";

/** The major version of the format that this file reads. */
const formatMajor = "1";

const change = z.looseObject({
  actions: z.array(z.string()),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  after_unknown: z.unknown().optional(),
  before_sensitive: z.unknown().optional(),
  after_sensitive: z.unknown().optional(),
  importing: z.unknown().optional(),
});

const resourceChange = z.looseObject({ address: z.string(), mode: z.string(), type: z.string(), change });

const planSchema = z.looseObject({
  format_version: z.string(),
  resource_changes: z.array(resourceChange).nullish(),
  resource_drift: z.array(resourceChange).nullish(),
  errored: z.boolean().nullish(),
  /** False if a part of the configuration is left for a later plan. */
  complete: z.boolean().nullish(),
});

type TerraformChange = z.infer<typeof resourceChange>;

export function isTerraformPlan(json: unknown): boolean {
  return isMap(json) && "format_version" in json && "planned_values" in json;
}

/** @throws UnreadableInputError */
export function readTerraformPlan(json: unknown): Preview {
  const read = planSchema.safeParse(json);
  if (!read.success) throw unreadable(`it has another form than expected: ${firstIssue(read.error)}`);
  const {
    format_version: version,
    resource_changes: changes,
    resource_drift: drift,
    errored,
    complete,
  } = read.data;
  if (version.split(".")[0] !== formatMajor)
    throw unreadable(
      `its format has version ${version}, and this version of compute-preview reads ${formatMajor}.x`,
    );
  const managed = (changes ?? []).filter(({ mode }) => mode === "managed");
  const steps = managed.map(stepOf);
  const diagnostics =
    complete === false && errored !== true
      ? [{ severity: "error", text: "the plan is not complete: a part of it waits for a later one" }]
      : [];
  return {
    form: "plan",
    steps: steps.filter(({ op }) => op !== "same"),
    refreshes: (drift ?? []).map(driftOf),
    unseenChanges: undefined,
    diagnostics,
    failed: errored === true || diagnostics.length > 0,
    unchanged: steps.filter(({ op }) => op === "same").length,
  };
}

function unreadable(reason: string): UnreadableInputError {
  return new UnreadableInputError(
    reason,
    `Reading the plan: ${reason}. Run \`terraform show -json PLANFILE\`, and pass its whole output: a file, or a pipe.`,
  );
}

/** The engine's word for each combination of actions. */
const operations: Readonly<Record<string, string>> = {
  "no-op": "same",
  create: "create",
  read: "read",
  update: "update",
  delete: "delete",
  "delete,create": "replace",
  "create,delete": "replace",
};

function stepOf({ address, type, change: planned }: TerraformChange): PreviewStep {
  const { actions, before, after, after_unknown: unknowns, importing } = planned;
  const words = actions.join(",");
  // What is forgotten continues to run. An action that is not known may do anything.
  const op = words === "forget" ? "delete" : (operations[words] ?? words);
  const isNew = op === "create" || op === "replace";
  // What is sensitive on one side is secret on both: the other value may be the one to keep.
  const hide = (side: unknown): unknown =>
    masked(masked(side, planned.before_sensitive), planned.after_sensitive);
  const values = hide(isNew ? after : withUnknown(after, unknowns));
  const old = stateOf(hide(before));
  return {
    op: op === "same" && importing !== undefined && importing !== null ? "import" : op,
    urn: terraformUrn(type, address),
    before: old && { ...old, ...(words === "forget" && { retainOnDelete: true }) },
    after: stateOf(values),
  };
}

/** What Terraform found changed outside when it planned. */
function driftOf({ address, type, change: found }: TerraformChange): Refresh {
  const { actions, before, after } = found;
  return {
    urn: terraformUrn(type, address),
    before: stateOf(masked(before, found.before_sensitive)),
    found: actions.includes("delete") ? "gone" : stateOf(masked(after, found.after_sensitive)),
  };
}

function stateOf(values: unknown): ResourceState | undefined {
  if (!isMap(values)) return undefined;
  const { id } = values;
  return { id: typeof id === "string" ? id : undefined, inputs: values, outputs: values };
}

/** Values with a placeholder for each that only the apply will know. */
function withUnknown(values: unknown, unknowns: unknown): unknown {
  if (unknowns === true) return unknownValue;
  if (!isMap(unknowns)) return values;
  const known = isMap(values) ? values : {};
  const entries = Object.entries(unknowns).map(
    ([name, member]) => [name, withUnknown(known[name], member)] as const,
  );
  return { ...known, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

/** Values without those that the plan marks as sensitive. */
function masked(values: unknown, sensitive: unknown): unknown {
  if (sensitive === true) return secret;
  if (!isMap(values) || !isMap(sensitive)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, masked(value, sensitive[name])]),
  );
}
