/**
 * What a gate does not know, and what `--fail-on` refuses.
 */
import { isUnjudgedPeer, laterPaths, unknownPaths } from "../peers/rule";
import { isKnownOperation, type PreviewStep } from "../read/steps";
import { isEndpoint, isTerraformUrn, parseUrn, typeOf } from "../read/urn";
import { verdictInReasons } from "../../provider/model/stored";
import { failureKinds, type ComputeReport, type FailureKind, type Outcome } from "./shape";

/** The resources that cannot be judged, each with what of it. */
export function unjudgedIn(steps: readonly PreviewStep[]): readonly string[] {
  return steps.filter(isUnjudged).map((step) => withPaths(step, unknownPaths(step)));
}

/** The resources that change what computes begin with that are made later. */
export function laterDefaultsIn(steps: readonly PreviewStep[]): readonly string[] {
  return steps.flatMap((step) => {
    const paths = laterPaths(step);
    return paths.length === 0 ? [] : [withPaths(step, paths)];
  });
}

function withPaths({ urn }: PreviewStep, paths: readonly string[]): string {
  const { name } = parseUrn(urn);
  const full = isTerraformUrn(urn) ? name : `${typeOf(urn) ?? ""} ${name}`;
  return paths.length === 0 ? full : `${full}: ${paths.join(", ")}`;
}

/** Whether nobody here knows all that a step does to computes. */
export function isUnjudged(step: PreviewStep): boolean {
  if (!isEndpoint(step.urn)) return isUnjudgedPeer(step);
  return !isKnownOperation(step) || (step.op === "update" && isCutDown(step));
}

/** Without the values of both sides, as a filter leaves them out, nothing is compared; a verdict of the provider says enough. */
function isCutDown({ before, after, reasons = [] }: PreviewStep): boolean {
  const isEmpty = (values: object | undefined): boolean => Object.keys(values ?? {}).length === 0;
  return (isEmpty(before?.outputs) || isEmpty(after?.inputs)) && verdictInReasons(reasons) === undefined;
}

/** The kinds of `--fail-on` that apply to this compute. */
export function refusedKinds(compute: ComputeReport, failOn: readonly FailureKind[]): readonly FailureKind[] {
  return failureKinds.filter((kind) => failOn.includes(kind) && isOf(compute, kind));
}

/** A change counts for each of its parts: a move that also resizes is a restart as well. */
function isOf(compute: ComputeReport, kind: FailureKind): boolean {
  if (kind === "may") return gatedEffects(compute).some(({ certain }) => !certain);
  if (kind === "drift") return compute.drift !== null;
  if (kind === "drop") return compute.drops === "yes";
  return gatedEffects(compute).some(({ certain, effect }) => certain && effect === kind);
}

/** The outcome, and what the change does besides. */
function gatedEffects({
  outcome,
  certain,
  also = [],
}: ComputeReport): readonly { readonly effect: Outcome; readonly certain: boolean }[] {
  return [{ effect: outcome, certain }, ...also];
}
