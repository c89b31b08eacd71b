/**
 * Refuses two sizes that the service does not allow together as the limits of one compute, although it has each of them. Also
 * refuses an autosuspend delay that the service does not allow for the size. Pure.
 */
import { factsOf, isRange, type ServiceName } from "./services";

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

export interface CheckRules {
  /** The service whose sizes count. */
  readonly service: ServiceName;
  /** Names of the arguments whose values no message may show. */
  readonly secrets?: readonly string[];
  /** False if the resource already has its compute, or takes over an existing one. */
  readonly creates: boolean;
  /** The declaration in the state. `ignoreChanges` may restore its values, so they are not checked again. */
  readonly stored?: Readonly<Record<string, unknown>> | undefined;
}

/** Checks that compare the limits of a size with each other, and the autosuspend delay with them. */
export function sizeFailures(
  inputs: Readonly<Record<string, unknown>>,
  unknownPaths: ReadonlySet<string>,
  rules: CheckRules,
): readonly CheckFailure[] {
  const secrets = rules.secrets ?? [];
  const limits: Limits = {
    min: inputs["autoscalingLimitMinCu"] as number | undefined,
    max: inputs["autoscalingLimitMaxCu"] as number | undefined,
    areSecret: secrets.some((name) => name.startsWith("autoscalingLimit")),
    isOneUnknown: [...unknownPaths].some((path) => path.startsWith("autoscalingLimit")),
  };
  const ofSize = isUnchangedRange(inputs, rules) ? undefined : sizeFailure(limits, rules);
  return [ofSize, suspendFailure(inputs, limits, rules)].filter((failure) => failure !== undefined);
}

/** The declared limits of a size. */
interface Limits {
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly areSecret: boolean;
  /** True if a limit is declared, but known only during the update. */
  readonly isOneUnknown: boolean;
}

/** Whether both limits are as stored: `ignoreChanges` may restore them. */
function isUnchangedRange(inputs: Readonly<Record<string, unknown>>, rules: CheckRules): boolean {
  return ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"].every((name) =>
    isUnchangedSize(name, inputs, rules),
  );
}

function sizeFailure(limits: Limits, rules: CheckRules): CheckFailure | undefined {
  const { min, max, areSecret, isOneUnknown } = limits;
  if (min !== undefined && max !== undefined) {
    if (min <= max) return isRange(min, max, rules.service) ? undefined : rangeFailure(limits, rules);
    const [least, most] = areSecret ? ["(secret)", "(secret)"] : [min, max];
    const reason = `autoscalingLimitMinCu is ${least}, but must not be above autoscalingLimitMaxCu, which is ${most}`;
    return { property: "autoscalingLimitMinCu", reason };
  }
  return rules.creates && !isOneUnknown ? loneFailure(limits, rules) : undefined;
}

/** The failure if a known service has both sizes, but does not scale between them. */
function rangeFailure({ min = 0, max = 0, areSecret }: Limits, { service }: CheckRules): CheckFailure {
  const property = "autoscalingLimitMaxCu";
  if (areSecret) return { property, reason: `${property} must be nearer to autoscalingLimitMinCu (secret)` };
  const { sizes = [], title } = factsOf(service) ?? {};
  const largest = sizes.findLast((cu) => cu > min && isRange(min, cu, service));
  const reason =
    largest === undefined
      ? `${property} is ${max}, but on ${title} a compute of ${min} CU or more has a fixed size. Set both limits to ${max}`
      : `${property} is ${max}, but on ${title}, with a minimum of ${min} CU, it must be at most ${largest}. Set it to ${largest}, or both limits to ${max}`;
  return { property, reason };
}

/**
 * The failure if only one limit of a new compute is declared: the service chooses the other limit, and the pair could be
 * invalid.
 */
function loneFailure({ min, max, areSecret }: Limits, { service }: CheckRules): CheckFailure | undefined {
  const [smallest = 0] = factsOf(service)?.sizes ?? [];
  if (service === "unknown") return undefined;
  if (min !== undefined && min > smallest) {
    const shownMin = areSecret ? "…" : min;
    const reason = `autoscalingLimitMaxCu is missing. With a minimum of ${shownMin} CU, also declare the maximum: ${shownMin} for a fixed size, or more`;
    return { property: "autoscalingLimitMaxCu", reason };
  }
  if (max !== undefined && !isRange(smallest, max, service)) {
    const shownMax = areSecret ? "…" : max;
    const reason = `autoscalingLimitMinCu is missing. With a maximum of ${shownMax} CU, also declare the minimum: ${shownMax} for a fixed size, or less`;
    return { property: "autoscalingLimitMinCu", reason };
  }
  return undefined;
}

/** The failure for an autosuspend delay that the service does not keep: the delay would show as a change in every preview. */
function suspendFailure(
  inputs: Readonly<Record<string, unknown>>,
  { min = 0, areSecret }: Limits,
  { service, secrets = [] }: CheckRules,
): CheckFailure | undefined {
  const property = "suspendTimeoutSeconds";
  const seconds = inputs[property] as number | undefined;
  const { suspendsUpToCu: upToCu = Infinity, title } = factsOf(service) ?? {};
  if (min <= upToCu || seconds === undefined || seconds === -1) return undefined;
  const value = secrets.includes(property) ? "(secret)" : seconds;
  const which = areSecret ? "of this size (secret)" : `above ${upToCu} CU`;
  const reason = `${property} is ${value}, but on ${title} a compute ${which} never suspends. Declare -1, or leave the argument out`;
  return { property, reason };
}

/** Whether a size is as stored: `ignoreChanges` may restore a size that another service had. */
export function isUnchangedSize(
  property: string,
  known: Readonly<Record<string, unknown>>,
  { stored }: CheckRules,
): boolean {
  return property.startsWith("autoscalingLimit") && known[property] === stored?.[property];
}
