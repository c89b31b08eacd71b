/**
 * The rule of a gate over other providers' resources: a change passes only if everything in it is known not to interrupt
 * a compute. Whatever else differs cannot be judged, and must not pass in silence.
 */
import { fields } from "../../provider/model/fields";
import { holdsUnknown } from "../../provider/model/unknown";
import { type PreviewStep, isChange, isReplacement, isRetained } from "../read/steps";
import { typeOf } from "../read/urn";
import { holdsSecret, isMap } from "../read/values";
import type { Peer } from "./peer";
import { argumentAt, holdsComputes, isForLaterComputes, mayConcernComputes, mayMatter } from "./table";

/** Whether nobody here knows all that a step does to computes. */
export function isUnjudgedPeer(step: PreviewStep): boolean {
  const { op, peer, holder, differing = [] } = step;
  const type = typeOf(step.urn) ?? "";
  const isComponent = (step.after ?? step.before)?.custom === false;
  if (!isChange(step) || isComponent || holder !== undefined) return false;
  if (peer === undefined && !mayConcernComputes(step)) return false;
  switch (op) {
    case "create":
    case "import":
    case "remove-pending-replace":
      return false;
    case "update": {
      if (peer?.saysRestarts === false || unknownPaths(step).length > 0) return true;
      // An update that shows no difference changes something that it does not show.
      return differing.length === 0 && (peer !== undefined || holdsComputes(type));
    }
    default:
      if (op === "delete" || isReplacement(step))
        return peer === undefined && holdsComputes(type) && !isRetained(step);
      // An action, or what no version of a tool is known to do.
      return true;
  }
}

export function unknownPaths(step: PreviewStep): readonly string[] {
  const { peer, differing = [] } = step;
  const type = typeOf(step.urn) ?? "";
  return differing.filter(
    (path) => mayMatter(path, type, peer) && !(peer?.saysRestarts === true && isKnown(path, { peer, step })),
  );
}

/**
 * Known are the arguments that an update sends, with their values. What the service does where one of them is taken away
 * is not, nor what one does that is secret, or that the update alone will know.
 */
function isKnown(
  path: string,
  { peer, step: { after } }: { readonly peer: Peer; readonly step: PreviewStep },
): boolean {
  const name = argumentAt(path, peer.sent);
  if (name === undefined) return false;
  if (fields[name].effect === "none") return true;
  const value = after?.inputs[name];
  const settings = name === "settings" && isMap(value) ? value["pgSettings"] : value;
  // A setting's own name may have dots.
  const sent = isMap(settings) ? settings[path.slice(path.indexOf(".") + 1)] : settings;
  return sent !== undefined && !holdsUnknown(sent) && !holdsSecret(sent);
}

/** What a step changes for computes that are made later alone. */
export function laterPaths({ op, urn, peer, differing = [] }: PreviewStep): readonly string[] {
  const type = typeOf(urn) ?? "";
  return op === "update" && peer === undefined
    ? differing.filter((path) => isForLaterComputes(path, type))
    : [];
}
