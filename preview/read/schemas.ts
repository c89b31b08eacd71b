/**
 * The parts of the engine's JSON that a report needs, in both forms that `pulumi preview --json` prints. All other
 * members are accepted: engines add some.
 */
import * as z from "zod";
import type { PropertyValues } from "../../provider/model/stored";
import { plainValue } from "./values";

const properties = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((values) => plainValue(values ?? {}) as PropertyValues);

/** A resource before or after a step. */
const resourceState = z.looseObject({
  id: z.string().optional(),
  parent: z.string().optional(),
  inputs: properties,
  outputs: properties,
  retainOnDelete: z.boolean().optional(),
  external: z.boolean().optional(),
  /** False for a component, which exists only in Pulumi. */
  custom: z.boolean().optional(),
  /** Where the program registers the resource. Events do not have this. */
  sourcePosition: z.string().optional(),
  stackTrace: z.array(z.looseObject({ sourcePosition: z.string().optional() })).nullish(),
  /** The provider that it belongs to: its URN, and an id. */
  provider: z.string().optional(),
  /** URNs of the resources that it depends on; the events do not have them. */
  dependencies: z.array(z.string()).nullish(),
  /** True for a resource that an earlier replacement has not deleted yet. */
  delete: z.boolean().optional(),
  /** Errors that stopped the last create or update. */
  initErrors: z.array(z.string()).nullish(),
});

export type ResourceState = z.infer<typeof resourceState>;

const maybeState = resourceState.nullish().transform((state) => state ?? undefined);

const reasons = z
  .array(z.string())
  .nullish()
  .transform((all) => all ?? undefined);

/** Java writes `CREATE_REPLACEMENT` for the engine's `create-replacement`, .NET `CreateReplacement`. */
const operation = z.string().transform(engineWord);

function engineWord(word: string): string {
  return word
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-")
    .replaceAll("_", "-")
    .toLowerCase();
}

const counts = z
  .record(z.string(), z.number())
  .nullish()
  .transform((all) =>
    all == null
      ? undefined
      : Object.fromEntries(Object.entries(all).map(([word, count]) => [engineWord(word), count])),
  );

export const diagnosticSchema = z.looseObject({
  urn: z.string().optional(),
  message: z.string().default(""),
  severity: z.string(),
});

/** One document: the default form. */
export const digestSchema = z.looseObject({
  steps: z
    .array(
      z.looseObject({
        op: operation,
        urn: z.string(),
        oldState: maybeState,
        newState: maybeState,
        diffReasons: reasons,
      }),
    )
    .nullish(),
  diagnostics: z.array(diagnosticSchema).nullish(),
  changeSummary: counts,
  /** In nanoseconds. */
  duration: z.unknown().optional(),
});

const stepEvent = z.looseObject({
  metadata: z.looseObject({
    op: operation,
    urn: z.string(),
    old: maybeState,
    new: maybeState,
    diffs: reasons,
  }),
});

/** One line of the streaming form (PULUMI_ENABLE_STREAMING_JSON_PREVIEW): an event of the engine. */
export const eventSchema = z.looseObject({
  /** The beginning of a run. */
  preludeEvent: z.unknown().optional(),
  resourcePreEvent: stepEvent.optional(),
  /** The result of a step; for a refresh, the service's answer. */
  resOutputsEvent: stepEvent.optional(),
  diagnosticEvent: diagnosticSchema.optional(),
  /** What a policy says; the document leaves it out. */
  policyEvent: z
    .looseObject({
      resourceUrn: z.string().optional(),
      message: z.string().default(""),
      policyName: z.string().default(""),
      policyPackName: z.string().default(""),
      enforcementLevel: z.string().default(""),
    })
    .optional(),
  summaryEvent: z
    .looseObject({
      result: z.string().optional(),
      isPreview: z.boolean().optional(),
      resourceChanges: counts,
    })
    .optional(),
});
