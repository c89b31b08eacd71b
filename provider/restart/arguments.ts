/**
 * The arguments of an EndpointRestart, and their check: every failure names the property, the value and the fix.
 */
import * as z from "zod";
import {
  buildSchema,
  checkDeclared,
  type CheckFailure,
  type EndpointInputs,
  type Timeouts,
} from "../endpoint/planning/inputs";
import { unknownMembers, type Planned } from "../pure/unknown";

/** A declaration as it is carried out. */
export interface RestartInputs extends Pick<EndpointInputs, "projectId" | "onInterruption"> {
  /** The compute to restart. */
  readonly endpointId: string;
  /** Values by name; a new or changed one asks for a restart. */
  readonly triggers: Triggers;
  readonly timeouts?: Timeouts | undefined;
}

export type Triggers = Readonly<Record<string, unknown>>;

/** A declaration after its check: any value may be unknown until the update. */
export type PlannedRestart = { readonly [Name in keyof RestartInputs]: Planned<RestartInputs[Name]> };

const { projectId, adopt: endpointId, onInterruption, timeouts } = buildSchema("interface").shape;

/** Messages show no value of a trigger: it may be secret. */
const triggers = z.record(z.string(), z.unknown(), {
  error: "must be a map of names to values: a new or changed value restarts the compute",
});

/** The plugin's schema is made of it too. */
export const restartSchema = z.strictObject({
  projectId,
  endpointId: endpointId.unwrap(),
  triggers,
  onInterruption,
  timeouts,
} satisfies Record<keyof RestartInputs, z.ZodType>);

export const restartArguments = Object.keys(restartSchema.shape) as readonly (keyof RestartInputs)[];

/** @returns the declaration (unknown values kept), and every failure. */
export function checkRestartArguments(
  declared: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
): { readonly inputs: Record<string, unknown>; readonly failures: readonly CheckFailure[] } {
  const subject = {
    name: "EndpointRestart",
    levels: { "": restartArguments, timeouts: ["create", "update", "delete"] },
  };
  const { read, known, unknownPaths, failures } = checkDeclared(restartSchema, declared, {
    secrets,
    subject,
  });
  return { inputs: { ...(read ?? known), ...unknownMembers(declared, unknownPaths) }, failures };
}
