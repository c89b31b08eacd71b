/**
 * Plans of Terraform and previews of Pulumi with resources of other providers, and `compute-preview --fail-on`, which reads them.
 *
 * A row writes a change as a report does: `name: before → after; name: value`. Values are YAML. At any depth, `(unknown)` stands
 * for a value that only the update knows, and `secret a` for the secret "a". `none` means that the name is not set.
 */
import type { Report } from "../../../../preview/shape";
import { savedText } from "../../../../preview/saved";
import { runPreview, unknownId, type Ran } from "../previews";

type Values = Readonly<Record<string, unknown>>;

export interface Changed {
  readonly type?: string;
  readonly provider?: string | undefined;
  /** Terraform's actions: `delete,create`. */
  readonly actions?: string;
  /** Changes in the form above. A compute of `neon_endpoint` also has its usual attributes, and a change of its autosuspend. */
  readonly sides?: string;
  /** True if the compute's autosuspend does not change. */
  readonly isAlone?: boolean;
  /** More members of the resource. */
  readonly more?: object;
}

/** All kinds of interruption that are certain. */
export const kinds = "restart,replace,delete,move,suspend";

export const gate = (input: object | string, failOn = kinds): Ran =>
  runPreview(
    [`--fail-on=${failOn}`, "--format=text"],
    Buffer.from(typeof input === "string" ? input : JSON.stringify(input)),
  );

/** A promise, and its plan or preview. */
export type GateRow = readonly [reason: string, document: object];

/**
 * What the command says about each row: `24 a limit: neon_endpoint.app restart yes`, and what it cannot judge. Of what `--save`
 * keeps of the row, it says the same.
 */
export function gateLines(title: string, rows: readonly GateRow[], failOn = kinds): string {
  const told = rows.map(([reason, document]) => {
    const text = JSON.stringify(document);
    const line = gateLine(reason, text, failOn);
    expect(gateLine(reason, savedText(Buffer.from(text)), failOn)).toBe(line);
    return line;
  });
  return [`# ${title}`, ...told, ""].join("\n");
}

function gateLine(reason: string, text: string, failOn: string): string {
  const { code, out } = runPreview([`--fail-on=${failOn}`, "--format=json"], Buffer.from(text));
  if (/_sensitive":.*:true|\[secret\]/.test(text)) expect(out).not.toMatch(/"[ab]"/);
  const report = JSON.parse(out) as Report;
  const happens = report.computes.map(({ label, outcome, drops, certain, drift }) => {
    const found = drift?.changes.map(({ argument }) => argument).join(", ") ?? "";
    return `${label} ${outcome} ${certain ? drops : "may"}${found && ` (${found})`}`;
  });
  const unjudged = report.unjudged.map((name) => `cannot judge ${name}`);
  const partial = report.partial ? ["not complete"] : [];
  return `${String(code).padEnd(2)} ${reason}: ${[...happens, ...unjudged, ...partial].join("; ")}`.trim();
}

const compute = {
  ...{ id: "ep-soft-rain-1", project_id: "p", branch_id: "br-a", type: "read_write", host: "db.example" },
  ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 300 },
};

export const planOf = (...changes: readonly Changed[]): { readonly resource_changes: readonly object[] } => ({
  ...{ format_version: "1.2", planned_values: {} },
  resource_changes: changes.map(resource),
});

function resource(changed: Changed): object {
  const { type = "neon_endpoint", actions = "update", sides = "", isAlone = false, more } = changed;
  const provider = "provider" in changed ? changed.provider : "registry.example/kislerdm/neon";
  const [own, settled] = type === "neon_endpoint" ? [compute, { suspend_timeout_seconds: 600 }] : [{}, {}];
  const [from, to] = sidesOf(sides);
  const before = { ...own, ...from };
  const after = { ...own, ...(isAlone ? {} : settled), ...to };
  const change = {
    actions: actions.split(","),
    before: actions === "create" ? null : plain(before),
    after: /^(delete|forget)$/.test(actions) ? null : plain(after),
    after_unknown: marked(after, isUnknown) ?? {},
    before_sensitive: marked(before, isSecret) ?? {},
    after_sensitive: marked(after, isSecret) ?? {},
  };
  return { address: `${type}.app`, mode: "managed", type, provider_name: provider, change, ...more };
}

export const inProject = (sides: string): Changed => ({ type: "neon_project", sides });
export const deleted = (type: string): Changed => ({ type, actions: "delete" });
export const max = (cu: number | string): string => `autoscaling_limit_max_cu: ${cu}`;
export const limits = (from: number, to: number | string): string =>
  `{autoscaling_limit_min_cu: ${from}, ${max(to)}}`;

/** A change in a preview of Pulumi with a bridged provider, whose names are Terraform's in camel case. */
export interface Bridged {
  readonly type?: string;
  readonly op?: string;
  readonly sides?: string;
  /** Outputs in the same form: before, as the service answered them; after, as the provider plans them. */
  readonly outputs?: string;
  readonly reasons?: readonly string[];
  readonly state?: object;
}

export function bridgedOf({
  type = "neon:index/endpoint:Endpoint",
  op = "update",
  ...parts
}: Bridged): object {
  const { id, host, ...own } = compute;
  const [[from, to], [answered, planned]] = [sidesOf(parts.sides ?? ""), sidesOf(parts.outputs ?? "")];
  const before = bridged({ ...own, ...from });
  const outputs = { ...before, ...bridged(answered) };
  const after = bridged({ ...own, suspend_timeout_seconds: 600, ...to });
  const oldState = { id, inputs: before, outputs: { host, ...outputs }, ...parts.state };
  const newState = { inputs: after, ...(parts.outputs && { outputs: bridged(planned) }) };
  const step = {
    ...{ op, urn: `urn:pulumi:dev::shop::${type}::db`, diffReasons: parts.reasons },
    ...(op === "create" ? {} : { oldState }),
    ...(op === "delete" ? {} : { newState }),
  };
  return { steps: [step], changeSummary: { [op]: 1 } };
}

function sidesOf(text: string): readonly [Values, Values] {
  // js-yaml is installed, since Pulumi's SDK depends on it.
  const { load } = jest.requireActual<{ load: (text: string) => unknown }>("js-yaml");
  const sides: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const part of text.split("; ").filter((one) => one !== "")) {
    const [, name = "", from = "", to = from] = /^(\w+): (.*?)(?: → (.*))?$/.exec(part)!;
    for (const [index, value] of [from, to].entries())
      sides[index]![name] = value === "none" ? null : load(value);
  }
  return sides;
}

const isUnknown = (value: unknown): boolean => value === "(unknown)";
const isSecret = (value: unknown): value is string =>
  typeof value === "string" && value.startsWith("secret ");

/** Replaces each value that is neither a list nor a map. */
function mapped(value: unknown, leaf: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, leaf));
  if (typeof value !== "object" || value === null) return leaf(value);
  const entries = Object.entries(value).map(([key, one]) => [key, mapped(one, leaf)] as const);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

const plain = (values: Values): unknown =>
  mapped(values, (value) => {
    if (isUnknown(value)) return undefined;
    return isSecret(value) ? value.slice("secret ".length) : value;
  });
const marked = (values: Values, isMarked: (value: unknown) => boolean): unknown =>
  mapped(values, (value) => (isMarked(value) ? true : undefined));
const camelCase = (name: string): string =>
  name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const bridged = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        camelCase(name),
        mapped(value, (one) => (isUnknown(one) ? unknownId : isSecret(one) ? "[secret]" : one)),
      ]),
  );
