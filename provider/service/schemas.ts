/**
 * The service's JSON, as interface sections 2 and 4 describe it.
 *
 * Unknown members are accepted (services add some), enums are open strings, and what the interface does not show in
 * an answer is optional. Only what the provider cannot work without is required. A member that no argument and no output
 * is made of never makes an answer invalid, and one invalid compute or operation never makes the rest of its list invalid.
 */
import * as z from "zod";
import {
  attribute,
  attributeNames,
  type AttributeName,
  type fields,
  type Kinds,
  type WireNames,
} from "../model/fields";

/** Ids are printed on terminals and in CI logs, where other characters could act as commands, or start a line of their own. */
const idSchema = z.string().regex(/^[\w-]+$/, "an id has only letters, digits, - and _");

/** A time as the service writes it: ISO 8601, UTC. */
const timestamp = z.string();

/** The service's values for an attribute of each kind; it may leave any of them out. */
const answered = {
  string: z.string().nullish(),
  number: z.number().nullish(),
  boolean: z.boolean().nullish(),
  settings: z.looseObject({ pg_settings: z.record(z.string(), z.unknown()).nullish() }).nullish(),
} as const satisfies Record<keyof Kinds, z.ZodType>;

type KindOf<Name extends AttributeName> = (typeof fields)[Name]["kind"];

const attributes = Object.fromEntries(
  attributeNames.map((name) => [attribute(name).wire, answered[attribute(name).kind]]),
) as unknown as { readonly [Wire in keyof WireNames]: (typeof answered)[KindOf<WireNames[Wire]>] };

/** The longest accepted list: a longer one would keep the process busy for many seconds, in which it answers no other call. */
const longestList = 20_000;

const listed = z.array(z.unknown()).max(longestList, `it has more than ${longestList} members`);

/**
 * Interface 2.1. It does not list `suspend_timeout_seconds`, but known services accept and return it. Nor does it list
 * `started_at` and `suspended_at`, the times of the compute's last start and suspension.
 */
export const apiEndpointSchema = z.looseObject({
  id: idSchema.startsWith("ep-", "must start with ep-").min(4, "must start with ep-"),
  ...attributes,
  suspend_timeout_seconds: attributes.suspend_timeout_seconds.catch(undefined),
  project_id: idSchema,
  branch_id: idSchema,
  type: z.string(),
  host: z.string().nullish(),
  proxy_host: z.string().nullish(),
  current_state: z.string().nullish(),
  pending_state: z.string().nullish(),
  // For a compute that nobody has used, Neon writes the year 2000.
  last_active: timestamp.transform((at) => (at < "2001" ? undefined : at)).nullish(),
  started_at: timestamp.nullish().catch(undefined),
  suspended_at: timestamp.nullish().catch(undefined),
  created_at: timestamp.nullish(),
  updated_at: timestamp.nullish(),
});

/** Interface 2.2. It does not list `error`; known services explain a failure in it. */
export const apiOperationSchema = z.looseObject({
  id: idSchema,
  project_id: idSchema.nullish(),
  branch_id: idSchema.nullish(),
  endpoint_id: idSchema.nullish(),
  action: z.string(),
  status: z.string(),
  failures_count: z.number().nullish(),
  error: z.string().nullish().catch(undefined),
  created_at: timestamp.nullish(),
  updated_at: timestamp.nullish(),
});

/** An endpoint as the service writes it (interface 2.1). */
export type ApiEndpoint = z.infer<typeof apiEndpointSchema>;
/** An operation as the service writes it (interface 2.2). */
export type ApiOperation = z.infer<typeof apiOperationSchema>;

/** Interface 4.1, 4.3: the endpoint, and the operations that the request started. */
export const changedEndpointSchema = z.looseObject({
  endpoint: apiEndpointSchema,
  // The compute was changed, so an answer with unreadable operations is accepted. The provider then lists the operations.
  operations: z
    .array(apiOperationSchema)
    .nullish()
    .transform((all) => all ?? undefined)
    .catch(undefined),
});

const maybeOperationsSchema = z.looseObject({ operations: z.array(apiOperationSchema).nullish() }).nullish();

function operationsNamedIn(
  answer: z.infer<typeof maybeOperationsSchema>,
): readonly ApiOperation[] | undefined {
  return answer?.operations ?? undefined;
}

/** Interface 4.4. An answer in any other form is not the service's. */
export const deleteAnswerSchema = maybeOperationsSchema
  .refine((answer) => answer?.["endpoint"] !== undefined || answer?.operations !== undefined, {
    path: ["endpoint"],
    error: "it is missing",
  })
  .transform(operationsNamedIn);

/**
 * Interface 4.5 does not show a restart's answer: any JSON is accepted. If it names no operations, the provider lists them.
 */
export const restartAnswerSchema = maybeOperationsSchema.transform(operationsNamedIn).catch(undefined);

/**
 * Interface 4.2. This list has no pages, so an answer that names a next page is refused: otherwise computes would be lost
 * silently. Some languages write an empty list as null.
 */
export const endpointListSchema = z.looseObject({
  endpoints: listed.nullable().transform((all) => all ?? []),
  pagination: z
    .unknown()
    .refine(namesNoPage, {
      path: ["cursor"],
      error: "it names a next page, although this list has only one page",
    })
    .optional(),
});

function namesNoPage(pagination: unknown): boolean {
  const { cursor } = z.looseObject({ cursor: z.unknown() }).safeParse(pagination).data ?? {};
  return cursor === undefined || cursor === null || cursor === "";
}

/** Interface 4.6. */
export const operationListSchema = z.looseObject({
  operations: listed
    .nullable()
    .transform((all) => (all ?? []).flatMap((each) => apiOperationSchema.safeParse(each).data ?? [])),
  pagination: z.looseObject({ cursor: z.string().nullish() }).nullish(),
});

/** Interface 4.7. */
export const operationAnswerSchema = z
  .looseObject({ operation: apiOperationSchema })
  .transform(({ operation }) => operation);

const errorMembers = z.looseObject({
  code: z.union([z.string(), z.number()]).nullish(),
  message: z.string().nullish(),
  request_id: z.string().nullish().catch(undefined),
});

/** Members in which services and frameworks write the error; the last two are RFC 9457's. */
const messageMembers = ["message", "error", "detail", "title"] as const;

/** Interface 7 does not show the error body: known services return it flat, some nest it under `error`. */
const errorBodySchema = z.union([
  z.looseObject({ error: errorMembers }).transform((body) => body.error),
  errorMembers,
]);

/** The content of an error body; undefined if it is not a JSON error. */
export function readErrorBody(body: unknown): z.infer<typeof errorMembers> | undefined {
  const read = errorBodySchema.safeParse(body);
  if (!read.success) return undefined;
  // A proxy may also answer with JSON: an error of the service has a code or a message.
  const { code } = read.data;
  const text = messageMembers.map((name) => read.data[name]).find((member) => typeof member === "string");
  return code != null || text !== undefined ? { ...read.data, message: text } : undefined;
}

/** What is wrong with an answer: zod names one issue or more whenever it refuses. */
export function issueIn({ issues }: z.ZodError): { readonly where: string; readonly message: string } {
  const [{ path, message }] = issues as [z.core.$ZodIssue];
  return { where: path.join("."), message };
}

/** Settable attributes of an endpoint on the wire (interface 4.1, 4.3). */
export type EndpointBody = Readonly<Partial<Record<keyof WireNames, unknown>>>;

/**
 * The service's id of a request, from its header or body. Messages show it, so only characters of an id are accepted.
 */
export function requestIdIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w.:-]{1,128}$/.test(text) ? text : undefined;
}
