/**
 * Checks what a user declares before anything is sent, and reports every failure at once, each with the property, the
 * value and the fix. Unknown values (outputs of resources that do not exist yet) are not checked.
 */
import * as z from "zod";
import { factsOf, isSize, type ServiceName } from "./services";
import { ComputeError } from "./errors";
import { argumentNames, attributeNames, type ArgumentName, type AttributeName } from "./fields";
import { asOption, nearestOf, otherSettings, withLikelyMistakes } from "./mistakes";
import { policies } from "./interruptionWindow";
import { isUnchangedSize, sizeFailures, type CheckFailure, type CheckRules } from "./sizeFailures";
import { holdsUnknown, unknownMembers, withoutUnknown, type Planned } from "./unknown";

const computeTypes = ["read_write", "read_only"] as const;
/** The only pooler mode that interface 2.1 names. */
const poolerModes = ["transaction"] as const;

export type ComputeType = (typeof computeTypes)[number];

/** A declaration as it is sent, and as the engine stores it after an update. An absent member is unmanaged. */
export type EndpointInputs = Readonly<z.output<ReturnType<typeof buildSchema>>>;

/** The place of a compute: project, branch and type. */
export type ComputePlace = Pick<EndpointInputs, "projectId" | "branchId" | "type">;

/** Time limits for the service, in seconds. */
export type Timeouts = NonNullable<EndpointInputs["timeouts"]>;

export type { CheckFailure, CheckRules };

const maxSuspendSeconds = 7 * 24 * 3600;
const maxTimeoutSeconds = 24 * 3600;

/** The value as the user wrote it, cut to fit into a line. */
function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function must(what: string): { error: (issue: { readonly input?: unknown }) => string } {
  return {
    error: ({ input }) =>
      input === undefined ? `is missing: it must be ${what}` : `is ${shown(input)}, but must be ${what}`,
  };
}

const idTail = "[A-Za-z0-9][A-Za-z0-9_-]*";
const endpointId = z
  .string(must('a compute id such as "ep-cool-name-123456"'))
  .regex(new RegExp(`^ep-${idTail}$`), must('a compute id, which begins with "ep-"'));

const otherSizes = {
  interface: "for the sizes of Neon, set compute:service to neon; for any other size, set it to unknown",
  neon: "for a newer size of Neon, set compute:service to unknown",
} as const;

function sizeSchema(service: ServiceName): z.ZodType<number> {
  const fix =
    service === "unknown"
      ? "above 0 CU"
      : `one of ${factsOf(service)?.sizes.join(", ")} CU; ${otherSizes[service]}`;
  return z.number(must(`a number: ${fix}`)).refine((cu) => isSize(cu, service), must(fix));
}

const timeoutSeconds = z
  .number(must("a number of seconds"))
  .min(1, must(`between 1 and ${maxTimeoutSeconds} seconds`))
  .max(maxTimeoutSeconds, must(`between 1 and ${maxTimeoutSeconds} seconds`))
  .optional();

const suspendTimeout = z
  .number(must("a number of seconds"))
  .refine(
    (seconds) =>
      seconds === 0 ||
      seconds === -1 ||
      (Number.isInteger(seconds) && seconds >= 60 && seconds <= maxSuspendSeconds),
    must(
      `0 (the service's default of 300 s), -1 (never suspends) or a whole number of seconds from 60 to ${maxSuspendSeconds} (7 days)`,
    ),
  )
  .meta({ type: "integer" }); // The plugin's schema has no ranges, but it tells integers from other numbers.

/** Values may be secret, so these messages show no values. */
const pgSettings = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], { error: "must be a string, a number or a boolean" }),
  { error: "must be a map of Postgres settings to their values" },
);

/** Messages show no value of a trigger: it may be secret. */
const restartTriggers = z.record(z.string(), z.unknown(), {
  error: "must be a map of names to values: a new or changed value restarts the compute",
});

/** What a declaration may contain. The plugin's schema and the type EndpointInputs are both derived from it. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- its type would repeat the schema.
export function buildSchema(service: ServiceName) {
  const flag = z.boolean(must("true or false")).optional();
  const size = sizeSchema(service).optional();
  const shape = {
    projectId: z
      .string(must("the id of a project"))
      .regex(
        new RegExp(`^(?!br-|ep-)${idTail}$`),
        must("the id of a project: letters, digits and dashes, not beginning with br- or ep-"),
      ),
    branchId: z
      .string(must('the id of a branch, such as "br-cool-name-123456"'))
      .regex(new RegExp(`^br-${idTail}$`), must('the id of a branch, which begins with "br-"')),
    type: z
      .enum(computeTypes, must('"read_write" (the primary of its branch) or "read_only" (a replica)'))
      .default("read_write"),
    autoscalingLimitMinCu: size,
    autoscalingLimitMaxCu: size,
    suspendTimeoutSeconds: suspendTimeout.optional(),
    poolerEnabled: flag,
    poolerMode: z.enum(poolerModes, must('"transaction"')).optional(),
    disabled: flag,
    passwordlessAccess: flag,
    settings: z.strictObject({ pgSettings }, { error: "must be { pgSettings: { … } }" }).optional(),
    restartTriggers: restartTriggers.optional(),
    name: z
      .string(must("a name of 1 to 64 characters"))
      .min(1, must("a name of 1 to 64 characters"))
      .max(64, must("a name of 1 to 64 characters"))
      .optional(),
    regionId: z.string(must("the id of a region")).min(1, must("the id of a region")).optional(),
    adopt: endpointId.optional(),
    onInterruption: z.enum(policies, must('"warn", "forbid", "forbid-when-active" or "defer"')).optional(),
    timeouts: z
      .strictObject(
        { create: timeoutSeconds, update: timeoutSeconds, delete: timeoutSeconds },
        { error: "must be { create, update, delete }, each in seconds" },
      )
      .optional(),
  } satisfies Record<ArgumentName, z.ZodType>;
  return z.strictObject(shape);
}

/** Built once, for the service that is used: a large stack checks thousands of declarations. */
const schemas: Partial<Record<ServiceName, ReturnType<typeof buildSchema>>> = {};

/**
 * Checks a declaration.
 *
 * @returns the declaration with defaults filled in (unknown values kept), and every failure.
 */
export function checkInputs(
  declared: Readonly<Record<string, unknown>>,
  rules: CheckRules,
): { readonly inputs: Record<string, unknown>; readonly failures: readonly CheckFailure[] } {
  const { inputs, failures, known } = checkEach(declared, rules);
  return { inputs, failures: withLikelyMistakes(failures, known) };
}

/** Gives a failure for each wrong argument. */
function checkEach(
  declared: Readonly<Record<string, unknown>>,
  rules: CheckRules,
): ReturnType<typeof checkInputs> & { readonly known: Readonly<Record<string, unknown>> } {
  const { known, unknownPaths } = withoutUnknown(declared);
  const { data, error } = (schemas[rules.service] ??= buildSchema(rules.service)).safeParse(known);
  const own = (error?.issues ?? [])
    .flatMap((issue) => failuresOf(issue, unknownPaths, rules.secrets))
    .filter(({ property }) => !isUnchangedSize(property, known, rules));
  // Limits are compared with each other only if each of them is a valid size.
  const areSizes = !own.some(({ property }) => property.startsWith("autoscalingLimit"));
  const failures = areSizes ? [...own, ...sizeFailures(known, unknownPaths, rules)] : own;
  return {
    inputs: {
      ...(data ?? { type: "read_write", ...known }),
      ...unknownMembers(declared, unknownPaths),
    },
    failures,
    known,
  };
}

function failuresOf(
  issue: z.core.$ZodIssue,
  unknownPaths: ReadonlySet<string>,
  secrets: readonly string[] = [],
): readonly CheckFailure[] {
  const property = issue.path.join(".");
  if (unknownPaths.has(property)) return []; // "missing" only because it is not known yet
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const path = property === "" ? key : `${property}.${key}`;
      return {
        property: path,
        reason: `${path} is not an argument of Endpoint${(property === "" ? asOption(key) : undefined) ?? suggestionFor(key, property)}`,
      };
    });
  }
  const isSecret = secrets.includes(String(issue.path[0]));
  return [{ property, reason: `${property} ${isSecret ? withoutValue(issue.message) : issue.message}` }];
}

/** `is 3.5, but must be …` without the value. */
function withoutValue(message: string): string {
  return message.slice(message.lastIndexOf("must be "));
}

/** The only names that each level of a declaration accepts. */
const levels: Readonly<Record<string, readonly string[]>> = {
  "": argumentNames,
  settings: ["pgSettings"],
  timeouts: ["create", "update", "delete"],
};

function suggestionFor(key: string, level: string): string {
  const names = levels[level] ?? [];
  const fullName = (name: string): string => (level === "" ? name : `${level}.${name}`);
  const meant = nearestOf(key, names);
  if (meant !== undefined) return `. Write ${fullName(meant)}`;
  if (level === "settings")
    return `. ${otherSettings[key] ?? "Postgres parameters belong in settings.pgSettings"}`;
  return `. Its arguments: ${names.map(fullName).join(", ")}`;
}

/**
 * The arguments that an import declares. They exclude arguments that have no effect at the service, and Postgres settings: a
 * setting stays unmanaged until a program declares it.
 */
export function importableNames(service: ServiceName): readonly AttributeName[] {
  const { withoutEffect = [] } = factsOf(service) ?? {};
  return attributeNames.filter((name) => name !== "settings" && !withoutEffect.includes(name));
}

/** @returns why a program could not declare some of a compute's values: a service may have values that the checks refuse. */
export function undeclarable(
  values: Readonly<Record<string, unknown>>,
  rules: Omit<CheckRules, "creates">,
): readonly CheckFailure[] {
  return checkEach(values, { ...rules, creates: false }).failures;
}

/** A declaration after `check`: any value may be unknown until the update. */
export type PlannedInputs = { readonly [Name in keyof EndpointInputs]: Planned<EndpointInputs[Name]> };

/** A declaration that has passed `check`, as the engine passes it to a diff. */
export function plannedInputs(args: Readonly<Record<string, unknown>>): PlannedInputs {
  return args as PlannedInputs;
}

/**
 * A declaration as the engine passes it to a create or an update.
 *
 * @throws ComputeError if a value is still unknown, because it must not be sent.
 */
export function knownInputs(args: Readonly<Record<string, unknown>>): EndpointInputs {
  const unknown = Object.keys(args).filter((name) => holdsUnknown(args[name]));
  if (unknown.length === 0) return args as EndpointInputs;
  throw new ComputeError({
    doing: "changing a compute",
    what: `the update has begun without a value for ${unknown.join(" and ")}`,
    fix: "Nothing was sent. Run `pulumi up` without --target, so that Pulumi first creates the resource that the value comes from",
  });
}
