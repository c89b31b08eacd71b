/**
 * Computes that are declared with another provider, brought to this provider's names: the judge then needs no second form.
 */
import { managedNames } from "../../provider/model/changes";
import type { PreviewStep, Refresh } from "../read/steps";
import type { ResourceState } from "../read/schemas";
import { typeOf } from "../read/urn";
import { holdsSecret } from "../read/values";
import { differingPaths, sharedWith } from "./differences";
import { asCarriedOut } from "./lakebase";
import type { Peer } from "./peer";
import { argumentAt, camelCase, isOfService, mayMatter, peerOf, valueAt } from "./table";

type Values = Readonly<Record<string, unknown>>;

/** The values of a compute, with this provider's names. */
function ownValues(values: Values, { sent, place }: Peer): Record<string, unknown> {
  const { pgSettings: settingsPath, ...others } = sent;
  const named = Object.entries({ ...place, ...others }).map(
    ([name, path]) => [name, converted(name, valueAt(values, path))] as const,
  );
  const pgSettings = settingsPath === undefined ? undefined : valueAt(values, settingsPath);
  const settings = pgSettings === undefined || pgSettings === null ? undefined : { pgSettings };
  const all = [...named, ["settings", settings] as const];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null));
}

/** `ENDPOINT_TYPE_READ_ONLY` is `read_only`, and `600s` is 600. */
function converted(name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (name === "type")
    return /^(?:ENDPOINT_TYPE_)?(READ_ONLY|READ_WRITE)$/i.exec(value)?.[1]?.toLowerCase() ?? value;
  const seconds = name === "suspendTimeoutSeconds" ? /^(\d+)s$/.exec(value)?.[1] : undefined;
  return seconds === undefined ? value : Number(seconds);
}

/** The steps as they are carried out, those about computes of other providers with this provider's names. */
export function withPeers(steps: readonly PreviewStep[]): readonly PreviewStep[] {
  return steps.map((step) => {
    const type = typeOf(step.urn) ?? "";
    const peer = peerOf(type, step.provider);
    if (peer === undefined && !isOfService(type)) return step;
    const named = (state: ResourceState): ResourceState => (peer ? ownState(state, peer) : state);
    const { before, after, ...carriedOut } = asCarriedOut(step, steps);
    return {
      ...carriedOut,
      differing: step.differing ?? differingIn(step),
      peer,
      before: before && named(before),
      after: after && named(after),
    };
  });
}

/**
 * What the program changes, and what the service or the provider's own plan says is to change. Where the provider names
 * what differs, a masked value that it does not name is the same.
 */
function differingIn({ op, before, after, reasons = [] }: PreviewStep): readonly string[] {
  if (op !== "update" || before === undefined || after === undefined) return [];
  const named = reasons.map((reason) => reason.split(/[.[]/)[0] ?? reason);
  const { inputs, outputs } = before;
  const isHiddenAlike = (name: string): boolean =>
    named.length > 0 &&
    !named.includes(name) &&
    JSON.stringify(inputs[name]) === JSON.stringify(after.inputs[name]);
  const shown = (values: Values): Values =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) => !name.startsWith("__") && !isHiddenAlike(name)),
    );
  const found = [
    ...differingPaths(shown(inputs), shown(after.inputs)),
    ...[after.inputs, after.outputs].flatMap((next) =>
      differingPaths(sharedWith(shown(outputs), next), sharedWith(shown(next), outputs)),
    ),
  ];
  const others = named.filter((name) => !found.some((path) => path.split(".")[0] === name));
  return [...new Set([...found, ...others])];
}

/** The same for what a refresh found. */
export function refreshWithPeer(refresh: Refresh): Refresh {
  const type = typeOf(refresh.urn) ?? "";
  const { provider, before, found } = refresh;
  const peer = peerOf(type, provider);
  if (before === undefined || found === undefined || found === "gone" || !isOfService(type)) return refresh;
  const named = (state: ResourceState): ResourceState => (peer ? ownState(state, peer) : state);
  const places = { ...peer?.sent, ...peer?.place };
  const outside = (refresh.differing ?? differingOutside(before, found))
    .filter((path) => mayMatter(path, type, peer) && argumentAt(path, places) === undefined)
    .map((path) => ({
      path,
      from: valueAt(before.outputs, camelCase(path)),
      to: valueAt(found.outputs, camelCase(path)),
    }));
  return { ...refresh, before: named(before), found: named(found), outside };
}

/** Of a value that is masked on both sides nobody knows whether it changed. */
function differingOutside(
  { outputs: old }: ResourceState,
  { outputs: next }: ResourceState,
): readonly string[] {
  return differingPaths(old, next).filter(
    (path) =>
      !path.startsWith("__") && ![old, next].every((side) => holdsSecret(valueAt(side, camelCase(path)))),
  );
}

function ownState(state: ResourceState, peer: Peer): ResourceState {
  const inputs = ownValues(state.inputs, peer);
  const outputs = { ...ownValues(state.outputs, peer), __managed: managedNames(inputs) };
  return { ...state, inputs, outputs };
}
