/**
 * Parses a plan of Terraform or OpenTofu: the output of `terraform show -json PLAN`, whose format has its own version.
 */
import * as z from "zod";
import { unknownValue } from "../../provider/model/unknown";
import { differingPaths } from "./differences";
import { firstIssue, planAdvice, UnreadableInputError } from "../read/json";
import { holdsComputes, isOfService, lakebaseKind } from "./table";
import type { Preview, PreviewStep, Refresh } from "../read/steps";
import type { ResourceState } from "../read/schemas";
import { terraformUrn, typeOf } from "../read/urn";
import { isMap, plainValue, secret } from "../read/values";

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

const resourceChange = z.looseObject({
  address: z.string(),
  /** A filter may have removed it. */
  mode: z.string().default("managed"),
  type: z.string(),
  provider_name: z.string().optional(),
  change,
});

const invocation = z.looseObject({ address: z.string(), type: z.string() });

/** Read before the rest of the plan: other versions have another form. */
const versionSchema = z.looseObject({
  format_version: z.string().optional(),
  /** HCP Terraform's plan without secrets. */
  plan_format_version: z.string().optional(),
  terraform_version: z.string().optional(),
});

const planSchema = z.looseObject({
  planned_values: z.unknown().optional(),
  prior_state: z.unknown().optional(),
  /** False if the plan changes nothing; Terraform 1.7 and later write it. */
  applyable: z.boolean().nullish(),
  resource_changes: z.array(resourceChange).nullish(),
  resource_drift: z.array(resourceChange).nullish(),
  /** What Terraform 1.14 asks providers to do besides changes: a restart, for example. */
  action_invocations: z.array(invocation).nullish(),
  /** What this plan leaves for a later plan, such as resources whose number only the apply will know. */
  deferred_changes: z.array(z.looseObject({ resource_change: resourceChange })).nullish(),
  deferred_action_invocations: z.array(z.looseObject({ action_invocation: invocation })).nullish(),
  errored: z.boolean().nullish(),
  /** False if the plan was made for a part of the configuration, or leaves a part for a later plan. */
  complete: z.boolean().nullish(),
});

type TerraformChange = z.infer<typeof resourceChange>;

/** True for a plan, even if a filter kept only its changes. */
export function isTerraformPlan(json: unknown): boolean {
  return (
    isMap(json) &&
    (Array.isArray(json["resource_changes"]) || ("format_version" in json && "planned_values" in json))
  );
}

/** @throws UnreadableInputError */
export function readTerraformPlan(json: unknown): Preview {
  const versions = readWith(versionSchema, json);
  checkVersion(versions);
  const isRedacted = versions.plan_format_version !== undefined;
  const plan = readWith(planSchema, json);
  refuseIncomplete(plan);
  const steps = (plan.resource_changes ?? []).filter(isManaged).map((planned) => stepOf(planned, isRedacted));
  const later = (plan.deferred_changes ?? [])
    .map(({ resource_change: planned }) => planned)
    .filter((planned) => isManaged(planned) && holdsComputes(planned.type));
  const invoked = [
    ...(plan.action_invocations ?? []),
    ...(plan.deferred_action_invocations ?? []).map(({ action_invocation: planned }) => planned),
  ];
  return {
    form: "plan",
    steps: [
      ...steps.filter(({ op }) => op !== "same"),
      ...[...invoked, ...later]
        .filter(({ type }) => isOfService(type))
        .map(({ type, address }) => ({ op: "invoke", urn: terraformUrn(type, address) })),
    ],
    refreshes: (plan.resource_drift ?? []).filter(isManaged).map(foundOutside),
    kept: steps.filter(({ op, urn }) => op === "same" && isOfService(typeOf(urn) ?? "")),
    unseenChanges: undefined,
    diagnostics: [],
    failed: plan.errored === true,
    partial: plan.complete === false || (plan.planned_values === undefined && !isRedacted),
    unchanged: steps.filter(({ op }) => op === "same").length,
  };
}

/** @throws UnreadableInputError if the plan's values differ from the state, but a filter took the changes away. */
function refuseIncomplete({
  planned_values: planned,
  prior_state: prior,
  resource_changes: changes,
  resource_drift: drift,
  applyable,
}: z.infer<typeof planSchema>): void {
  const listed = new Set((changes ?? []).map(({ address }) => address));
  const before = resourcesIn(isMap(prior) ? prior["values"] : undefined);
  const after = resourcesIn(planned);
  const changed = [...after].filter(
    ([address, values]) => differingPaths(before.get(address), values).length > 0,
  );
  // A plan of only a refresh has no changes, and no planned values. Then it lists what it found, or says that it changes nothing.
  const isRefresh = changes?.length !== 0 && (applyable === false || (drift ?? []).length > 0);
  const gone = listed.size === 0 && after.size === 0 && applyable === true && !isRefresh ? [...before] : [];
  const missing = [...changed, ...gone].map(([address]) => address).filter((address) => !listed.has(address));
  const [first] = missing;
  if (first !== undefined)
    throw unreadable(
      `it is incomplete: ${first} differs between "prior_state" and "planned_values", but "resource_changes" does not have it`,
    );
}

/** The values of a service's resources in a state or in planned values, by address, through all modules. */
function resourcesIn(values: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const modules: unknown[] = [isMap(values) ? values["root_module"] : undefined];
  for (const module of modules) {
    if (!isMap(module)) continue;
    const { resources, child_modules: children } = module;
    if (Array.isArray(children)) modules.push(...(children as unknown[]));
    for (const resource of Array.isArray(resources) ? (resources as unknown[]) : [])
      if (isMap(resource) && resource["mode"] !== "data" && isOfService(String(resource["type"])))
        found.set(String(resource["address"]), resource["values"]);
  }
  return found;
}

function readWith<Read>(schema: z.ZodType<Read>, json: unknown): Read {
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  throw unreadable(`it does not have the expected form: ${firstIssue(read.error)}`);
}

function checkVersion({
  plan_format_version: redacted,
  format_version: version = redacted,
  terraform_version: made,
}: z.infer<typeof versionSchema>): void {
  if (version === undefined || version.split(".")[0] === formatMajor) return;
  const maker = made === undefined ? "" : ` (written by Terraform ${made})`;
  throw unreadable(
    `its format version is ${version}${maker}, but this version of compute-preview reads ${formatMajor}.x, which Terraform 1.1 and later write`,
  );
}

function isManaged({ mode }: TerraformChange): boolean {
  return mode !== "data";
}

function unreadable(reason: string): UnreadableInputError {
  return new UnreadableInputError(reason, planAdvice());
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
  // A forgotten compute goes on running, so `stepOf` adds `retainOnDelete`.
  forget: "delete",
  "forget,create": "replace",
  "create,forget": "replace",
};

/** @param isRedacted - true if secrets were replaced: nobody can tell whether one differs. */
function stepOf(
  { address, type, provider_name: provider, change: planned }: TerraformChange,
  isRedacted: boolean,
): PreviewStep {
  const { actions, after_unknown: unknowns, importing } = planned;
  const [before, after] = [plainValue(planned.before), plainValue(planned.after)];
  const words = actions.join(",");
  // An action that is not in this table keeps its name: it may do anything.
  const op = operations[words] ?? words;
  // A value that a new resource gets from the service is not a change. A Lakebase resource may exist already, so it
  // does not count as new.
  const isNew = (op === "create" || op === "replace") && lakebaseKind(type) === undefined;
  // A value that is sensitive on one side is secret on both, since either value may be the sensitive one.
  const hide = (side: unknown): unknown =>
    masked(masked(side, planned.before_sensitive), planned.after_sensitive);
  const values = hide(isNew || after === null ? after : withUnknown(after, unknowns));
  const old = stateOf(hide(before));
  const sides = [before, withUnknown(after, unknowns)].map((side) => (isRedacted ? hide(side) : side));
  return {
    op: op === "same" && importing !== undefined && importing !== null ? "import" : op,
    urn: terraformUrn(type, address),
    provider,
    before: old && { ...old, ...(actions.includes("forget") && { retainOnDelete: true }) },
    after: stateOf(values),
    // A plan contains secrets in plain text, so this list can name the secrets that differ. Their values stay masked.
    differing: op === "update" ? differingPaths(sides[0], sides[1]) : [],
  };
}

/** What Terraform found changed outside when it planned. */
function foundOutside({ address, type, provider_name: provider, change: found }: TerraformChange): Refresh {
  const { actions } = found;
  const [before, after] = [plainValue(found.before), plainValue(found.after)];
  return {
    urn: terraformUrn(type, address),
    provider,
    differing: differingPaths(before, after),
    before: stateOf(masked(before, found.before_sensitive)),
    found: actions.includes("delete") ? "gone" : stateOf(masked(after, found.after_sensitive)),
  };
}

function stateOf(values: unknown): ResourceState | undefined {
  if (!isMap(values)) return undefined;
  const { id } = values;
  return { id: typeof id === "string" ? id : undefined, inputs: values, outputs: values };
}

/** Values, with a placeholder for each value that only the apply will know. */
function withUnknown(values: unknown, unknowns: unknown): unknown {
  if (unknowns === true) return unknownValue;
  if (Array.isArray(unknowns)) {
    const items = Array.isArray(values) ? (values as unknown[]) : [];
    const count = Math.max(items.length, unknowns.length);
    return Array.from({ length: count }, (_, index) => withUnknown(items[index], unknowns[index]));
  }
  if (!isMap(unknowns)) return values;
  const known = isMap(values) ? values : {};
  const entries = Object.entries(unknowns).map(
    ([name, member]) => [name, withUnknown(known[name], member)] as const,
  );
  return { ...known, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

/** Masks the values that the plan marks as sensitive. */
function masked(values: unknown, sensitive: unknown): unknown {
  if (sensitive === true) return secret;
  if (Array.isArray(values) && Array.isArray(sensitive))
    return values.map((value, index) => masked(value, sensitive[index]));
  if (!isMap(values) || !isMap(sensitive)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, masked(value, sensitive[name])]),
  );
}
