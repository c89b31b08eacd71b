/**
 * Lists what cannot be judged, and what `--fail-on` refuses.
 */
import { laterPaths } from "../peers/judgement";
import type { TranslatedStep } from "../peers/peer";
import { isTerraformUrn, parseUrn, typeOf } from "../read/urn";
import { failureKinds, type ComputeReport, type FailureKind, type Outcome } from "../shape";
import { unknownOf } from "./judgement";

/** The resources that cannot be judged, each with the attributes concerned. */
export function unjudgedResources(steps: readonly TranslatedStep[]): readonly string[] {
  return steps.flatMap((step) => {
    const paths = unknownOf(step);
    return paths === undefined ? [] : [withPaths(step, paths)];
  });
}

/** The resources that change the defaults of computes created later. */
export function laterDefaultsIn(steps: readonly TranslatedStep[]): readonly string[] {
  return steps.flatMap((step) => {
    const paths = laterPaths(step);
    return paths.length === 0 ? [] : [withPaths(step, paths)];
  });
}

function withPaths({ urn }: TranslatedStep, paths: readonly string[]): string {
  const { name } = parseUrn(urn);
  const full = isTerraformUrn(urn) ? name : `${typeOf(urn) ?? ""} ${name}`;
  return paths.length === 0 ? full : `${full}: ${paths.join(", ")}`;
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

/** The outcome, the further effects of the change, and what other resources do. */
function gatedEffects({
  outcome,
  certain,
  also = [],
  causes = [],
}: ComputeReport): readonly { readonly effect: Outcome; readonly certain: boolean }[] {
  const around = causes.map(
    (cause) => ({ ...cause, effect: cause.certain ? "restart" : "interrupt" }) as const,
  );
  return [{ effect: outcome, certain }, ...also, ...around];
}
