/**
 * Computes that are declared with another provider, brought to this provider's names: the judge then needs no second form.
 */
import { managedNames } from "../../provider/pure/changes";
import { peerOf, type Peer } from "./peerTable";
import type { PreviewStep, Refresh } from "./steps";
import type { ResourceState } from "./schemas";
import { typeOf } from "./urn";
import { isMap } from "./values";

/** How a tool writes the names of values. */
type Spelling = "camelCase" | "snake_case";

/** The values of a compute, with this provider's names. */
function ownValues(
  values: Readonly<Record<string, unknown>>,
  { sent, place }: Peer,
  spelling: Spelling,
): Record<string, unknown> {
  const { pgSettings, ...others } = sent;
  const at = (path: string): unknown => valueAt(values, spelling === "camelCase" ? path : snakeCase(path));
  const named = Object.entries({ ...place, ...others }).map(
    ([name, path]) => [name, converted(name, at(path))] as const,
  );
  const settings = pgSettings === undefined ? undefined : at(pgSettings);
  return Object.fromEntries(
    [
      ...named,
      [
        "settings",
        settings === undefined || settings === null ? undefined : { pgSettings: settings },
      ] as const,
    ].filter(([, value]) => value !== undefined && value !== null),
  );
}

function snakeCase(path: string): string {
  return path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function valueAt(values: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) => (isMap(value) ? value[name] : value === undefined ? undefined : value),
      values,
    );
}

/** `ENDPOINT_TYPE_READ_ONLY` is `read_only`, and `600s` is 600. */
function converted(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (name === "type")
    return /^(?:ENDPOINT_TYPE_)?(READ_ONLY|READ_WRITE)$/i.exec(value)?.[1]?.toLowerCase() ?? value;
  const seconds = name === "suspendTimeoutSeconds" ? /^(\d+)s$/.exec(value)?.[1] : undefined;
  return seconds === undefined ? value : Number(seconds);
}

/** A step with this provider's names, if it is about a compute of another provider; otherwise the step itself. */
export function withPeer(step: PreviewStep, spelling: Spelling): PreviewStep {
  const peer = peerOf(typeOf(step.urn));
  if (peer === undefined) return step;
  const { before, after } = step;
  const named = (state: ResourceState): ResourceState => ownState(state, peer, spelling);
  return { ...step, peer, before: before && named(before), after: after && named(after) };
}

/** The same for what a refresh found. */
export function refreshWithPeer(refresh: Refresh, spelling: Spelling): Refresh {
  const peer = peerOf(typeOf(refresh.urn));
  if (peer === undefined) return refresh;
  const { before, found } = refresh;
  const named = (state: ResourceState): ResourceState => ownState(state, peer, spelling);
  const isState = found !== undefined && found !== "gone";
  return { ...refresh, before: before && named(before), found: isState ? named(found) : found };
}

function ownState(state: ResourceState, peer: Peer, spelling: Spelling): ResourceState {
  const inputs = ownValues(state.inputs, peer, spelling);
  const outputs = { ...ownValues(state.outputs, peer, spelling), __managed: managedNames(inputs) };
  return { ...state, inputs, outputs };
}
