/**
 * Adds to computes what the resources around them do: a new role may drop the connections of a compute that does not change itself.
 */
import type { Disturbance } from "../peers/neighbours";
import type { Holder, TranslatedStep } from "../peers/peer";
import { holderOf } from "../peers/table";
import { runsNothing } from "../../provider/model/interruption";
import { unknownValue } from "../../provider/model/unknown";
import { parseUrn, typeOf } from "../read/urn";
import { groupBy, readableText, runningInState } from "../read/values";
import type { Cause, Judgement, Outcome, Remark } from "../shape";
import { unchanged, type JudgedStep } from "./judgement";

/** Computes in these cases have no connections that a neighbour could drop, or lose them anyway. */
const untouched: ReadonlySet<Outcome> = new Set(["refused", "delete", "replace", "gone", "create"]);

/**
 * @param judged - the computes that change.
 * @param kept - the other computes that the preview knows.
 *
 * @returns the computes that change, those that only a neighbour interrupts, and one entry for each place whose computes the preview
 * does not know.
 */
export function withNeighbours(
  judged: readonly JudgedStep[],
  kept: readonly JudgedStep[],
  disturbances: readonly Disturbance[],
): readonly JudgedStep[] {
  const changing = new Set(judged);
  const urns = new Set(judged.map(({ step }) => step.urn));
  const all = [...judged, ...kept.filter(({ step }) => !urns.has(step.urn))];
  const placed = groupBy(disturbances, ({ whose, branchId, projectId }) =>
    placeKey(whose, whose === "branch" ? branchId : projectId),
  );
  const around = new Map(all.map((one) => [one, disturbancesAround(one, placed)]));
  const touched = all.flatMap((one): readonly JudgedStep[] => {
    const causes = hasConnections(one) ? (around.get(one) ?? []) : [];
    if (causes.length === 0) return changing.has(one) ? [one] : [];
    return [disturbed(one, causes)];
  });
  // Beside a new compute, other computes may run.
  const running = all.filter(({ judgement }) => judgement.outcome !== "create");
  const known = new Set(running.flatMap((one) => around.get(one) ?? []));
  const places = groupBy(
    disturbances.filter((each) => !known.has(each)),
    ({ whose, projectId, branchId }) => JSON.stringify([whose, projectId, branchId]),
  );
  return [...touched, ...[...places.values()].map(placeEntry)];
}

/** The disturbances of a compute's branch and of its project. */
function disturbancesAround(
  { sides: { stored, declared } }: JudgedStep,
  placed: ReadonlyMap<string, readonly Disturbance[]>,
): readonly Disturbance[] {
  const { branchId, projectId } = stored ?? declared;
  const ofBranch = branchId === undefined ? [] : (placed.get(placeKey("branch", branchId)) ?? []);
  const ofProject = projectId === undefined ? [] : (placed.get(placeKey("project", projectId)) ?? []);
  // Branches of two projects may have the same id at services that number them.
  const isElsewhere = (each: Disturbance): boolean =>
    each.projectId !== undefined && each.projectId !== projectId;
  return [...ofBranch.filter((each) => !isElsewhere(each)), ...ofProject];
}

function placeKey(whose: Holder, id: unknown): string {
  return JSON.stringify([whose, id]);
}

function hasConnections({ judgement: { outcome, now }, sides: { stored } }: JudgedStep): boolean {
  return !untouched.has(outcome) && ![now ?? undefined, runningInState(stored)].some(runsNothing);
}

function disturbed(one: JudgedStep, by: readonly Disturbance[]): JudgedStep {
  const causes = by.map(causeOf);
  return { ...one, causes, judgement: withCauses(one.judgement, causes) };
}

function causeOf({ urn, certain, says }: Disturbance): Cause {
  return { text: says, resource: parseUrn(urn).name, certain };
}

/** The most severe of what a compute's own change does, and of what its neighbours do. */
function withCauses(own: Judgement, causes: readonly Cause[]): Judgement {
  const certain = causes.some((cause) => cause.certain);
  const drops = certain || own.drops === "yes" ? "yes" : "may";
  const outcome = certain ? "restart" : "interrupt";
  if (own.outcome === "none" || (own.outcome === "interrupt" && certain))
    return { ...own, outcome, certain, drops };
  return { ...own, drops };
}

/** The computes of a place, if the preview knows none of them. */
function placeEntry([first, ...others]: readonly [Disturbance, ...Disturbance[]]): JudgedStep {
  const { whose, projectId, branchId, urn, op } = first;
  const id = whose === "branch" ? branchId : projectId;
  const place = branchId === undefined && projectId !== undefined ? "project" : whose;
  const where = id ?? projectId ?? "that the preview does not show";
  const causes = [first, ...others].map(causeOf);
  return {
    step: { op, urn },
    label: `the computes of ${id === undefined && projectId === undefined ? "a " : ""}${place} ${where}`,
    sides: { stored: undefined, declared: { projectId, branchId }, hidden: { secrets: [], isPreview: true } },
    judgement: withCauses(unchanged, causes),
    drift: null,
    errors: [],
    warnings: [],
    causes,
    asides: [],
    place,
  };
}

/**
 * A provider may leave the id of a branch open when the branch only gets another name: computes on it then look as if they
 * moved.
 */
export function renameRemark(
  { judgement, sides }: JudgedStep,
  steps: readonly TranslatedStep[],
): readonly Remark[] {
  if (judgement.outcome !== "move" || sides.declared["branchId"] !== unknownValue) return [];
  const renamed = steps.find(
    ({ op, urn, differing = [] }) =>
      op === "update" &&
      holderOf(typeOf(urn)) === "branch" &&
      differing.includes("name") &&
      differing.includes("id"),
  );
  if (renamed === undefined) return [];
  const text = "a branch gets another name, and its provider leaves the id open until the apply";
  return [{ text, value: readableText(parseUrn(renamed.urn).name) ?? "" }];
}
