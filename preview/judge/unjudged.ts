/**
 * Finds what nobody here can judge: it must not pass a gate in silence.
 */
import { isDeepStrictEqual } from "node:util";
import { isComputeLike } from "../read/peerTable";
import type { PreviewStep } from "../read/preview";
import type { ResourceState } from "../read/schemas";
import { parseUrn, typeOf } from "../read/urn";
import { sidesOf } from "./changes";
import { isChange, isUnjudged } from "./judgement";

/**
 * What may hold computes without being one that the table knows. A project or a branch takes its computes along when it is
 * deleted, and a project may change the settings of its first one.
 */
export function unjudgedIn(steps: readonly PreviewStep[]): readonly string[] {
  return steps
    .filter((step) => (step.peer === undefined ? isOfUnknownType(step) : isUnjudged(step, sidesOf(step))))
    .map(({ urn }) => `${typeOf(urn) ?? ""} ${parseUrn(urn).name}`);
}

function isOfUnknownType(step: PreviewStep): boolean {
  if (!isComputeLike(typeOf(step.urn) ?? "") || !isChange(step)) return false;
  return step.op === "update" ? mayChangeComputes(step) : !["create", "import"].includes(step.op);
}

function mayChangeComputes({ urn, before, after }: PreviewStep): boolean {
  if (!/(?:project|branch)$/i.test(typeOf(urn) ?? "")) return true;
  const settings = (state: ResourceState | undefined): unknown[] =>
    Object.entries(state?.inputs ?? {}).filter(([name]) => /endpoint/i.test(name));
  return !isDeepStrictEqual(settings(before), settings(after));
}
