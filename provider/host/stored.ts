/**
 * The property values that the engine keeps and passes: the one place that knows their hidden members, whose names
 * begin with two underscores so that the CLI shows none of them. They are a wire format: stored states have them, and must
 * stay readable.
 */
import type { Stored, TriggerHashes } from "../endpoint/planning/changes";
import type { Resource } from "../endpoint/resource";
import type { EndpointState } from "../endpoint/state";
import { unknownValue, unknownValues, type Verdict } from "../endpoint/planning/verdict";
import { interfaceSizes, type SizeTable } from "../sizes";
import { sizeTableFrom, withoutFigures } from "../settings/sizeTables";
import type { EngineLog } from "./engineLog";

export type PropertyValues = Readonly<Record<string, unknown>>;

/** The same while they are put together. */
export type Values = Record<string, unknown>;

/** What goes with a declaration or a state, and is no argument and no output. */
export interface Hidden {
  /** The text with which the engine's provider process finds this package (`sdk/remote.ts`). */
  readonly provider?: string | undefined;
  /** The URN of the resource, which the engine tells no dynamic provider. */
  readonly urn?: string | undefined;
  /** The organisation of the stack, where the backend has several. */
  readonly organization?: string | undefined;
  /** Names of the arguments that are secret, or hold a secret. */
  readonly secrets: readonly string[];
}

/** What goes with a declaration alone. */
export interface HiddenInputs extends Hidden {
  /** True in previews. */
  readonly isPreview: boolean;
  /** From `check` to `diff`, and to the report; in previews alone. */
  readonly verdict?: Verdict | undefined;
  /** The notice of a preview, in the diff for people. */
  readonly interruption?: string | undefined;
}

/** A declaration: the program's arguments, and what came with them. */
export interface EngineDeclaration {
  readonly args: Record<string, unknown>;
  readonly hidden: HiddenInputs;
}

/** A state, and what goes with it. */
export interface Held {
  readonly state: EndpointState;
  readonly hidden: Hidden;
  /** What the state itself says, where `hidden` names the resource as the engine does now. */
  readonly former?: Hidden | undefined;
}

export function readInputs(values: PropertyValues): EngineDeclaration {
  const { interruption } = values;
  return {
    args: withOneUnknown(shownIn(values)) as Record<string, unknown>,
    hidden: {
      ...hiddenIn(values),
      isPreview: values["__dryRun"] === true,
      verdict: verdictIn(values),
      interruption: typeof interruption === "string" ? interruption : undefined,
    },
  };
}

function withOneUnknown(value: unknown): unknown {
  if (unknownValues.has(value)) return unknownValue;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withOneUnknown);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withOneUnknown(member)]));
}

/** The notices among the inputs, which people and policy packs see. */
const noticeNames: ReadonlySet<string> = new Set(["interruption", "deferred"]);

/** What people see of a resource, without the notices. */
function shownIn(values: PropertyValues): Record<string, unknown> {
  const shown = Object.entries(values).filter(([name]) => !name.startsWith("__") && !noticeNames.has(name));
  return Object.fromEntries(shown);
}

export function hiddenIn(values: PropertyValues): Hidden {
  return {
    provider: textIn(values, "__provider"),
    urn: textIn(values, "__urn"),
    organization: textIn(values, "__organization"),
    secrets: namesIn(values, "__secrets") ?? [],
  };
}

/** The verdict of a preview; undefined in an update, and with `compute:updatePlans`. */
export function verdictIn(values: PropertyValues): Verdict | undefined {
  const verdict = values["__verdict"];
  return typeof verdict === "object" && verdict !== null && "effect" in verdict
    ? (verdict as Verdict)
    : undefined;
}

/**
 * The table of sizes among the inputs, for the report: it runs without the stack's configuration. The
 * interface's own table is the default, and is left out.
 */
export function sizeTableValues({ source }: SizeTable): Record<string, unknown> {
  return source === interfaceSizes.source ? {} : { __sizeTable: source };
}

/** The table that the provider of a preview went by; of one that this version cannot read, nothing is told. */
export function sizeTableIn(values: PropertyValues): SizeTable {
  const source = textIn(values, "__sizeTable");
  const table = source === undefined ? interfaceSizes : sizeTableFrom(source);
  return "sizes" in table ? table : withoutFigures(interfaceSizes);
}

const reasonPrefix = "__verdict:";

/**
 * The judgement among the reasons of a diff. A plugin is not told whether a run is a preview, and what a preview alone
 * knows must not get into the inputs: the engine keeps no reasons, and shows them in `preview --json` alone.
 */
export function toReason(verdict: Verdict): string {
  return `${reasonPrefix}${JSON.stringify(verdict)}`;
}

/** The judgement among the reasons of a diff, as `toReason` wrote it. */
export function verdictInReasons(reasons: readonly unknown[]): Verdict | undefined {
  const reason = reasons.find((each) => typeof each === "string" && each.startsWith(reasonPrefix));
  if (typeof reason !== "string") return undefined;
  try {
    return verdictIn({ __verdict: JSON.parse(reason.slice(reasonPrefix.length)) as unknown });
  } catch {
    return undefined;
  }
}

/**
 * What a state's outputs say of a compute.
 *
 * @param values - the outputs; of `Endpoint.get`, what its caller passed.
 */
export function readStored(
  values: PropertyValues,
): Stored & { readonly operations?: readonly string[] | undefined } {
  return {
    ...shownIn(values),
    // A state without them was written by nobody who declared anything but what names the compute.
    managed: namesIn(values, "__managed") ?? ["projectId"],
    triggers: values["__triggers"] as TriggerHashes | undefined,
    operations: namesIn(values, "__operations"),
  };
}

export function readState(values: PropertyValues): Held {
  return { state: readStored(values) as EndpointState, hidden: hiddenIn(values) };
}

/** What the engine stores of a compute. */
export function toStateValues(state: EndpointState, hidden: Hidden): Record<string, unknown> {
  const { managed, triggers, operations, ...known } = state;
  return {
    ...known,
    __managed: managed,
    // Without it, the engine's provider process could neither refresh nor delete the compute.
    __provider: hidden.provider,
    ...goingAlong(hidden),
    __triggers: triggers,
    __operations: operations,
  };
}

/** What the engine stores of a declaration. */
export function toInputValues(inputs: PropertyValues, hidden: Hidden): Record<string, unknown> {
  return { ...inputs, ...goingAlong(hidden) };
}

/** What goes with a state and with a declaration alike. */
function goingAlong({ urn, organization, secrets }: Hidden): Record<string, unknown> {
  return {
    __urn: urn,
    __organization: organization,
    __secrets: secrets.length === 0 ? undefined : secrets,
  };
}

/**
 * The notice among the inputs: in previews alone, since a text that stays would stand beside every later change. A
 * saved plan holds the update to what its preview showed, hidden members included: there the text stays, alone.
 */
export function noticeValues(notice: {
  readonly text: string | undefined;
  /** What is left for a window. */
  readonly deferred: string | undefined;
  readonly verdict: Verdict | undefined;
  readonly isPreview: boolean;
  readonly updatePlans: boolean;
  readonly sizeTable: SizeTable;
}): Record<string, unknown> {
  const { text, deferred, verdict, isPreview, updatePlans, sizeTable } = notice;
  return {
    ...((isPreview || updatePlans) && text !== undefined ? { interruption: text } : {}),
    ...((isPreview || updatePlans) && deferred !== undefined ? { deferred } : {}),
    // Configured, so the same in both.
    ...(isPreview || updatePlans ? sizeTableValues(sizeTable) : {}),
    ...(isPreview && !updatePlans && verdict !== undefined ? { __verdict: verdict } : {}),
  };
}

/** The resource that a call is for; its messages go to its own row. */
export function resourceOf(
  { urn, organization, secrets }: Hidden,
  {
    log,
    former,
    limitSeconds,
  }: {
    readonly log: EngineLog;
    readonly former?: Hidden | undefined;
    readonly limitSeconds?: number | undefined;
  },
): Resource {
  const [, , , ...name] = (urn ?? "").split("::");
  const id = within(organization, urn);
  // Within the organisation that its state names: a plugin is told of none, so that a stack that moves changes it too.
  const formerId = within(former?.organization, former?.urn);
  return {
    id,
    formerId: formerId === id ? undefined : formerId,
    stackId: stackIdOf({ urn, organization }),
    formerStackId: former === undefined ? undefined : stackIdOf(former),
    title: name.join("::"),
    secrets,
    limitSeconds,
    row: {
      say: (severity, message) => log.say(urn, severity, message),
      progress: (message) => {
        log.progress(urn, message);
      },
    },
  };
}

function stackIdOf({ urn, organization }: Pick<Hidden, "urn" | "organization">): string | undefined {
  const [stack, project] = (urn ?? "").split("::");
  return within(organization, urn === undefined ? undefined : `${stack ?? ""}::${project ?? ""}`);
}

function within(organization: string | undefined, id: string | undefined): string | undefined {
  return id === undefined || organization === undefined ? id : `${organization}/${id}`;
}

function textIn(values: PropertyValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

function namesIn(values: PropertyValues, name: string): readonly string[] | undefined {
  const value = values[name];
  return Array.isArray(value) && value.every((member) => typeof member === "string") ? value : undefined;
}
