/**
 * Property values and ids as the engine exchanges them with a plugin. Each secret carries its own mark, so a declaration needs
 * no hidden member that lists the secrets. The interface cannot find a compute without its project, so an id that comes without
 * a state must name both, as `PROJECT/ep-…`.
 */
import { isDeepStrictEqual } from "node:util";
import { ComputeError } from "../../model/errors";
import type { EndpointState } from "../../model/state";
import {
  readInputs,
  readState,
  toStateValues,
  type EngineDeclaration,
  type EngineState,
  type PropertyValues,
  type Values,
} from "../../model/stored";
import type { EndpointRef } from "../../service/client";
import { toPlain } from "../values";

/** From the engine's protocol: the member that says which kind of special value an object is, and its value for a secret. */
const kindOfMark = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

function isSecret(value: unknown): value is { readonly value: unknown } {
  return typeof value === "object" && value !== null && (value as PropertyValues)[kindOfMark] === secretMark;
}

export function markSecret(value: unknown): unknown {
  return { [kindOfMark]: secretMark, value };
}

/** The values without their marks. */
export function withoutMarks(values: PropertyValues): Record<string, unknown> {
  return unmarked(values) as Record<string, unknown>;
}

function unmarked(value: unknown): unknown {
  if (isSecret(value)) return unmarked(value.value);
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarked(member)]));
}

/** Names of the members that are or contain a secret. */
export function secretMembers(values: PropertyValues): readonly string[] {
  return Object.keys(values).filter((name) => holdsSecret(values[name]));
}

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}

/** Marks values as secret if the same place of `others` is marked: applies a declaration's marks to a state. */
export function markedLike(values: PropertyValues, others: PropertyValues): Record<string, unknown> {
  return marked(values, others) as Record<string, unknown>;
}

function marked(value: unknown, other: unknown): unknown {
  if (isSecret(value)) return value;
  if (isSecret(other)) return value === undefined ? undefined : markSecret(value);
  const isPair = [value, other].every((each) => typeof each === "object" && each !== null);
  if (!isPair) return value;
  const others = other as PropertyValues;
  if (Array.isArray(value)) return value.map((member, index) => marked(member, others[index]));
  return Object.fromEntries(
    Object.entries(value as PropertyValues).map(([name, member]) => [name, marked(member, others[name])]),
  );
}

/**
 * A declaration as the engine passes it. The engine does not say whether the run is a preview, so every run counts as a
 * preview.
 */
export function declaredIn(urn: string, values: Values, ignores: readonly string[] = []): EngineDeclaration {
  const { args } = readInputs(withoutMarks(values));
  return { args, hidden: { urn, secrets: secretMembers(values), ignores, isPreview: true } };
}

export function heldIn(values: Values): EngineState {
  const { state, hidden } = readState(withoutMarks(values));
  return { state, hidden: { ...hidden, secrets: [...hidden.secrets, ...secretMembers(values)] } };
}

/**
 * A state. In `hidden`, its resource is named as in a check: by the URN that the engine passes, and without an organisation.
 * `former` keeps the names as stored. The stored URN is another one after `stack rename`, `state rename` and `state move`, and a
 * state of the dynamic provider may still contain an organisation.
 */
export function heldAs(urn: string, values: Values): EngineState {
  const { state, hidden } = heldIn(values);
  return { state, hidden: { ...hidden, urn, organization: undefined }, former: hidden };
}

/**
 * What the engine stores about a compute.
 *
 * @param sides - values whose secret marks apply here: what is declared, and the state before. A value that is no longer
 * declared, but still in the state, stays secret.
 */
export function outputsOf(
  state: EndpointState,
  urn: string,
  { olds = {}, news }: { readonly olds?: Values | undefined; readonly news: Values },
): Values {
  const outputs = markedLike(toPlain(toStateValues(state, { urn, secrets: [] })), { ...olds, ...news });
  return keptSecret(outputs, olds, news) as Values;
}

/** Marks old secrets that the state keeps instead of the declared values, because a change waits or has failed. */
function keptSecret(value: unknown, old: unknown, now: unknown): unknown {
  if (isSecret(value)) return value;
  if (isSecret(old)) {
    const isKept = isDeepStrictEqual(value, unmarked(old)) && !isDeepStrictEqual(value, now);
    return value !== undefined && isKept ? markSecret(value) : value;
  }
  if (!isRecord(value) || !isRecord(old)) return value;
  const next = isRecord(now) ? now : {};
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, each]) => [name, keptSecret(each, old[name], next[name])]));
}

function isRecord(value: unknown): value is PropertyValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The compute's own id, also from an id that includes the project. */
export function endpointIdIn(id: string): string {
  return id.split("/").at(-1) ?? id;
}

/** @throws ComputeError if the id to import does not name a project and a compute. */
export function importedBy(id: string): EndpointRef {
  return namedIn(id, {
    doing: `importing compute ${id}`,
    example: `\`pulumi import compute:index:Endpoint NAME PROJECT/${id}\`, or the option import: "PROJECT/${id}"`,
  });
}

/**
 * The compute that `pulumi do … delete` names. The command has no state, so the id must name the project too.
 *
 * @throws ComputeError if the id does not name the project.
 */
export function heldByCommand(urn: string, id: string): EngineState {
  const named = namedIn(id, {
    doing: `deleting compute ${id}`,
    example: `\`pulumi do compute:index:Endpoint delete PROJECT/${id}\``,
  });
  const state: Partial<EndpointState> = { ...named, managed: ["projectId"] };
  return { state: state as EndpointState, hidden: { urn, secrets: [] } };
}

/**
 * @param how.example - how to name the project as well.
 * @throws ComputeError if the id does not name a project and a compute.
 */
function namedIn(
  id: string,
  { doing, example }: { readonly doing: string; readonly example: string },
): EndpointRef {
  const [projectId = "", endpointId, ...others] = id.split("/");
  if (endpointId === undefined) {
    const fix = `Include the project: ${example}`;
    throw new ComputeError({ doing, what: "the id does not include the project", fix });
  }
  if (projectId !== "" && endpointId !== "" && others.length === 0) return { projectId, endpointId };
  throw new ComputeError({
    doing,
    what: "the id does not have the form PROJECT/ep-…",
    fix: "Name the project and the compute, with one slash between them",
  });
}
