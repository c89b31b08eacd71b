/**
 * Reads and writes the property values that the engine stores and passes. Only this file knows their hidden members,
 * whose names begin with two underscores so that the CLI does not show them. They are a wire format: states of
 * earlier versions must stay readable.
 */
import * as z from "zod";
import type { EndpointState } from "./state";
import type { Verdict } from "./notice";
import { serviceNames, type ServiceName } from "./services";
import { unknownValue, unknownValues } from "./unknown";

export type PropertyValues = Readonly<Record<string, unknown>>;

/** Property values while they are built. */
export type Values = Record<string, unknown>;

/** Hidden members of a declaration or a state: neither arguments nor outputs. */
export interface Hidden {
  /** The text with which the engine's provider process finds this package (`sdk/remote.ts`). */
  readonly provider?: string | undefined;
  /** The URN of the resource, which the engine does not pass to dynamic providers. */
  readonly urn?: string | undefined;
  /** The organisation of the stack, if the backend has several. */
  readonly organization?: string | undefined;
  /** Names of the arguments that are or contain a secret. */
  readonly secrets: readonly string[];
  /** Paths that the program ignores, by Pulumi's option `ignoreChanges`. */
  readonly ignores?: readonly string[] | undefined;
}

/** A declaration: the program's arguments, and their hidden members. */
export interface EngineDeclaration {
  readonly args: Record<string, unknown>;
  readonly hidden: Hidden & {
    /** True in previews. */
    readonly isPreview: boolean;
    /** What the check of a new resource tells the report; in previews only. */
    readonly verdict?: Verdict | undefined;
    /** The service whose figures the report shows; in previews of the dynamic provider only. */
    readonly service?: ServiceName | undefined;
  };
}

/** A state, and its hidden members. */
export interface EngineState {
  readonly state: EndpointState;
  readonly hidden: Hidden;
  /** The hidden members as stored. Set where `hidden` has the URN of the engine's call, and not the stored one. */
  readonly former?: Hidden | undefined;
}

export interface TimeLimited {
  /** Time limit of the call in seconds, if the engine sets one. */
  readonly limitSeconds?: number | undefined;
}

export function readInputs(values: PropertyValues): EngineDeclaration {
  return {
    args: withOneUnknown(shownIn(values)) as Record<string, unknown>,
    hidden: {
      ...hiddenIn(values),
      isPreview: values["__dryRun"] === true,
      verdict: verdictIn(values),
      service: serviceNames.find((name) => name === values["__service"]),
    },
  };
}

function withOneUnknown(value: unknown): unknown {
  if (unknownValues.has(value)) return unknownValue;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withOneUnknown);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withOneUnknown(member)]));
}

/** The visible members of a resource, without the notice, which is only for users and policy packs. */
function shownIn({ interruption: _, ...values }: PropertyValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("__")));
}

export function hiddenIn(values: PropertyValues): Hidden {
  return {
    provider: textIn(values, "__provider"),
    urn: textIn(values, "__urn"),
    organization: textIn(values, "__organization"),
    secrets: namesIn(values, "__secrets") ?? [],
    ignores: namesIn(values, "__ignores"),
  };
}

/** The verdict of a preview; undefined in an update. */
export function verdictIn(values: PropertyValues): Verdict | undefined {
  const verdict = values["__verdict"] as Verdict | undefined;
  return verdict && verdictForm.safeParse(verdict).success ? verdict : undefined;
}

const text = z.string();
const maybeText = text.optional();
const certainEffect = z.object({ effect: text, certain: z.boolean() });

/** A verdict of another shape is ignored. The effect may be any text, since another version may have other effects. */
const verdictForm = certainEffect.extend({
  service: z.enum(serviceNames).optional(),
  also: z.array(certainEffect).optional(),
  now: z.enum(["active", "idle", "disabled"]).nullish(),
  deferred: z.object({ effect: text, text }).optional(),
  endpointId: maybeText,
  projectId: maybeText,
  branchId: maybeText,
  type: maybeText,
});

const reasonPrefix = "__verdict:";

/**
 * The judgement as one of the reasons of a diff. A plugin does not know whether a run is a preview, so the judgement must
 * not get into the inputs. The engine does not store reasons, and shows them only in `preview --json`.
 */
export function toReason(verdict: Verdict): string {
  return `${reasonPrefix}${JSON.stringify(verdict)}`;
}

/** The judgement that `toReason` wrote into the reasons of a diff. */
export function verdictInReasons(reasons: readonly unknown[]): Verdict | undefined {
  const reason = reasons.find((each) => typeof each === "string" && each.startsWith(reasonPrefix));
  if (typeof reason !== "string") return undefined;
  try {
    return verdictIn({ __verdict: JSON.parse(reason.slice(reasonPrefix.length)) as unknown });
  } catch {
    return undefined;
  }
}

/** Stands in place of ids in stored states: operations may be pending, but could not be listed. */
const unnamed = "unlisted";

/**
 * The state of a compute from its stored outputs.
 *
 * @param values - the outputs; for `Endpoint.get`, what its caller passed.
 */
export function readStored(
  values: PropertyValues,
): PropertyValues & Pick<EndpointState, "managed" | "operations" | "sent" | "unconfirmed"> {
  const operations = namesIn(values, "__operations");
  return {
    ...shownIn(values),
    // A state without this list has no declared arguments except the project.
    managed: namesIn(values, "__managed") ?? ["projectId"],
    operations: operations?.includes(unnamed) === true ? "unnamed" : operations,
    sent: namesIn(values, "__sent"),
    unconfirmed: values["__unconfirmed"] as EndpointState["unconfirmed"],
  };
}

export function readState(values: PropertyValues): EngineState {
  return { state: readStored(values) as EndpointState, hidden: hiddenIn(values) };
}

/** What the engine stores about a compute. */
export function toStateValues(state: EndpointState, hidden: Hidden): Record<string, unknown> {
  const { managed, operations, sent, unconfirmed, ...known } = state;
  return {
    ...known,
    __managed: managed,
    // Without it, the engine's provider process could neither refresh nor delete the compute.
    __provider: hidden.provider,
    ...goingAlong(hidden),
    __operations: operations === "unnamed" ? [unnamed] : operations,
    __sent: sent,
    __unconfirmed: unconfirmed,
  };
}

/** What the engine stores about a declaration. */
export function toInputValues(inputs: PropertyValues, hidden: Hidden): Record<string, unknown> {
  return { ...inputs, ...goingAlong(hidden), __ignores: hidden.ignores };
}

/** The hidden members of states and declarations. */
function goingAlong({ urn, organization, secrets }: Hidden): Record<string, unknown> {
  return {
    __urn: urn,
    __organization: organization,
    __secrets: secrets.length === 0 ? undefined : secrets,
  };
}

function textIn(values: PropertyValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
}

function namesIn(values: PropertyValues, name: string): readonly string[] | undefined {
  const value = values[name];
  return Array.isArray(value) && value.every((member) => typeof member === "string") ? value : undefined;
}
