/**
 * Gives other providers' computes this provider's argument names, so that a report has a single form.
 */
import { managedNames, settingNames } from "../../provider/model/changes";
import { isReplacement, isRetained, type Preview, type PreviewStep, type Refresh } from "../read/steps";
import type { ResourceState } from "../read/schemas";
import { typeOf } from "../read/urn";
import { camelCase, holdsSecret, isMap } from "../read/values";
import { differingPaths, sharedWith } from "./differences";
import { asCarriedOut, takesOver } from "./lakebase";
import type { Peer, TranslatedPreview, TranslatedRefresh, TranslatedStep } from "./peer";
import {
  argumentAt,
  holderOf,
  isOfService,
  mayConcernComputes,
  mayMatter,
  peerOf,
  primaryBlock,
  primaryOf,
  valueAt,
  withoutList,
} from "./table";

/** Steps that are not about another provider's computes stay as they were read. */
export function translatePreview(preview: Preview): TranslatedPreview {
  const { steps, refreshes, kept } = preview;
  return {
    ...preview,
    steps: steps.flatMap((step) => translateStep(step, steps)),
    kept: kept.flatMap((step) => translateStep(step, steps)),
    refreshes: refreshes.map(translateRefresh),
  };
}

/** @param all - all steps of the plan: one of them may create the branch of a new compute. */
function translateStep(step: PreviewStep, all: readonly PreviewStep[]): readonly TranslatedStep[] {
  if (!mayConcernComputes(step)) return [step];
  const type = typeOf(step.urn) ?? "";
  const peer = peerOf(type, step.provider);
  const planned = { ...asCarriedOut(step, all), differing: step.differing ?? differingIn(step) };
  if (peer !== undefined) return [withOwnNames(planned, peer)];
  const holder = holderOf(type);
  return holder !== undefined && takesComputesAlong(planned)
    ? [{ ...planned, before: withoutValues(planned.before), after: withoutValues(planned.after), holder }]
    : withPrimary(planned, type);
}

type Values = Readonly<Record<string, unknown>>;

function withOwnNames(step: PreviewStep, peer: Peer): TranslatedStep {
  const { before, after } = step;
  return {
    ...step,
    peer,
    before: before && ownState(before, peer),
    after: after && ownState(after, peer),
  };
}

/** Drops the values, since a project or a branch has no values of a compute. */
function withoutValues(state: ResourceState | undefined): ResourceState | undefined {
  return state && { ...state, inputs: {}, outputs: {} };
}

/**
 * True if the step deletes a project or a branch with its computes. A project or branch that the resource only took
 * over from Lakebase may stay.
 */
function takesComputesAlong(step: PreviewStep): boolean {
  const isDeleted = step.op === "delete" || isReplacement(step);
  return isDeleted && !isRetained(step) && !takesOver(step);
}

/** Splits the update of a project into two steps: one for the project, and one for its first compute. */
function withPrimary(step: PreviewStep, type: string): readonly TranslatedStep[] {
  const { op, before, after, differing = [] } = step;
  const peer = primaryOf(type);
  const isOfPrimary = (path: string): boolean => camelCase(path).startsWith(`${primaryBlock}.`);
  const ofPrimary = differing.filter(isOfPrimary);
  const states = [before, after].map((state) => state && blockOf(state, primaryBlock));
  const [old, next] = states;
  const [block] = ofPrimary[0]?.split(".") ?? [];
  if (!peer || block === undefined || !old || !next) return [step];
  const ofCompute = {
    ...{ op, provider: step.provider, urn: `${step.urn}.${block}` },
    ...{ before: old, after: next, differing: ofPrimary.map((path) => path.slice(block.length + 1)) },
  };
  const others = differing.filter((path) => !isOfPrimary(path));
  return [
    ...(others.length === 0 ? [] : [{ ...step, differing: others }]),
    withOwnNames({ ...ofCompute, reasons: undefined }, peer),
  ];
}

/** The compute that a block declares; undefined if the values of the block are not known. */
function blockOf(state: ResourceState, name: string): ResourceState | undefined {
  const outputs = withoutList(valueAt(state.outputs, name) ?? valueAt(state.inputs, name));
  const inputs = withoutList(valueAt(state.inputs, name) ?? outputs);
  if (!isMap(outputs) || !isMap(inputs)) return undefined;
  const projectId = state.id;
  const { id } = outputs;
  return {
    ...state,
    id: typeof id === "string" ? id : undefined,
    inputs: { ...inputs, projectId },
    outputs: { ...outputs, projectId },
  };
}

/**
 * The paths that the program changes, and those that the service or the provider's own plan reports. If the provider
 * names what differs, a masked value that it does not name is unchanged.
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

function translateRefresh(refresh: Refresh): TranslatedRefresh {
  const type = typeOf(refresh.urn) ?? "";
  const { provider, before, found } = refresh;
  const peer = peerOf(type, provider);
  const declared = { ...refresh, peer, holder: holderOf(type) };
  if (before === undefined || found === undefined || found === "gone" || !isOfService(type)) return declared;
  const named = (state: ResourceState): ResourceState => (peer ? ownState(state, peer) : state);
  const places = { ...peer?.sent, ...peer?.createOnly };
  const outside = (refresh.differing ?? differingOutside(before, found))
    .filter((path) => mayMatter(path, type, peer) && argumentAt(path, places) === undefined)
    .map((path) => ({
      path,
      from: valueAt(before.outputs, camelCase(path)),
      to: valueAt(found.outputs, camelCase(path)),
    }))
    // An attribute that is missing in the state was not declared: newer versions of a provider add attributes.
    .filter(({ from }) => from !== undefined && from !== null);
  return { ...declared, before: named(before), found: named(found), outside };
}

/** A value that is masked on both sides is left out: nobody knows whether it changed. */
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
  const outputs = {
    ...ownValues(state.outputs, peer),
    __managed: [...managedNames(inputs), ...settingNames(inputs)],
  };
  return { ...state, inputs, outputs };
}

/** The values of a compute, with this provider's names. */
function ownValues(values: Values, { sent, createOnly }: Peer): Record<string, unknown> {
  const { pgSettings: settingsPath, ...others } = sent;
  const named = Object.entries({ ...createOnly, ...others }).map(
    ([name, path]) => [name, converted(name, valueAt(values, path))] as const,
  );
  const pgSettings = settingsPath === undefined ? undefined : valueAt(values, settingsPath);
  const settings = pgSettings === undefined || pgSettings === null ? undefined : { pgSettings };
  const all = [...named, ["settings", settings] as const];
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null));
}

/** `ENDPOINT_TYPE_READ_ONLY` is `read_only`. */
function converted(name: string, value: unknown): unknown {
  if (name !== "type" || typeof value !== "string") return value;
  return /^(?:ENDPOINT_TYPE_)?(READ_ONLY|READ_WRITE)$/i.exec(value)?.[1]?.toLowerCase() ?? value;
}
