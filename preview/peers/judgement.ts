/**
 * Judges what a plan does to computes of other providers, from the operation on a resource to the outcome. `terraform.ts`
 * derives the operation from Terraform's actions (Pulumi states it), `lakebase.ts` adjusts it to what Databricks does, and
 * `table.ts` says what is known of a type. The marks are those of a comment (`render/rows.ts`).
 *
 * | actions            | resource                                                     | outcome                    | mark | code |
 * | ------------------ | ------------------------------------------------------------ | -------------------------- | ---- | ---- |
 * | delete             | compute                                                      | delete                     | 🔴   | 20   |
 * | delete             | project or branch, with its computes                         | delete                     | 🔴   | 20   |
 * | delete             | primary of Lakebase, which goes on running                   | release                    | ⚪    | 0    |
 * | forget             | compute, which goes on running                               | release                    | ⚪    | 0    |
 * | delete, create     | compute                                                      | replace                    | 🔴   | 21   |
 * | delete, create     | project or branch, with its computes                         | replace                    | 🔴   | 21   |
 * | forget, create     | compute; the old one goes on running                         | replace                    | 🔴   | 21   |
 * | replace, in Pulumi | compute, if the only reason is a value that is not known yet | replace, may               | 🟡   | 0    |
 * | update             | branch of a compute                                          | move                       | 🟠   | 22   |
 * | update             | `disabled` of a compute                                      | suspend                    | 🟠   | 23   |
 * | update             | branch that only the apply knows                             | move, may; not judged      | 🟡   | 6    |
 * | update             | size of a compute                                            | restart                    | 🟠   | 24   |
 * | update             | size or branch of a compute that is disabled                 | none                       | 🟢   | 0    |
 * | update             | size of a project's first compute                            | restart                    | 🟠   | 24   |
 * | update             | size that only the apply knows                               | restart, may; not judged   | 🟡   | 6    |
 * | update             | size at Databricks                                           | restart, may; not judged   | 🟡   | 6    |
 * | update             | Postgres settings of a compute                               | interrupt, may             | 🟡   | 0    |
 * | update             | anything that `table.ts` does not have                       | interrupt, may; not judged | 🟡   | 6    |
 * | update             | autosuspend or name of a compute                             | none                       | 🟢   | 0    |
 * | update             | an attribute of a project that concerns computes             | not judged                 |      | 6    |
 * | update             | anything else of a project or a branch                       |                            |      | 0    |
 * | create             | compute                                                      | create                     | 🟢   | 0    |
 * | create             | primary of Lakebase that is there already                    | adopt, may; not judged     | 🟡   | 6    |
 * | any other          | compute                                                      | interrupt, may; not judged | 🟡   | 6    |
 *
 * `table.ts` has this provider's name for each argument; `provider/model/fields.ts` says what changing it interrupts.
 * A disabled compute has no connections to drop, so its update has the outcome none. Its deletion and its replacement have
 * the outcomes of the table.
 * The exit code is that of `--fail-on` with every kind but "may", "drift" and "drop". A test compares this table with the
 * code.
 */
import { fields, type ArgumentName } from "../../provider/model/fields";
import type { Interruption } from "../../provider/model/interruption";
import { dropsOf } from "../../provider/model/notice";
import type { PropertyValues } from "../../provider/model/stored";
import { holdsUnknown, unknownValue } from "../../provider/model/unknown";
import { interruptionBetween, openReplacement } from "../read/masks";
import { isChange, isReplacement, isRetained } from "../read/steps";
import { isTerraformUrn, typeOf } from "../read/urn";
import { holdsSecret, isMap, runningInState } from "../read/values";
import type { Judgement, Outcome } from "../shape";
import { isOfNeighbour } from "./neighbours";
import type { Peer, TranslatedStep } from "./peer";
import {
  argumentAt,
  holdsComputes,
  isForLaterComputes,
  isOfAzure,
  mayConcernComputes,
  mayMatter,
} from "./table";

/** The two sides of a compute, with this provider's names. */
interface NamedSides {
  readonly stored: PropertyValues | undefined;
  readonly declared: PropertyValues;
}

/** @param step - of a compute, or of a project or a branch that goes away with its computes. */
export function judgePeer(step: TranslatedStep, sides: NamedSides): Judgement {
  switch (step.op) {
    case "delete":
      return isRetained(step) ? unaffected("release") : interrupted("delete", sides, { certain: true });
    case "replace":
      return judgeReplacement(step, sides);
    case "update":
      return judgeUpdate(step, sides);
    case "create":
      return unaffected("create");
    case "import":
    case "remove-pending-replace":
      return unaffected("none");
    case "takeover":
      return interrupted("adopt", sides, { certain: false });
    default:
      return interrupted("interrupt", sides, { certain: false });
  }
}

function unaffected(outcome: Outcome): Judgement {
  return { outcome, certain: true, drops: "no", now: null };
}

/**
 * A plan does not say what a compute does now. It only contains the state, which shows whether the compute is disabled.
 */
function interrupted(
  outcome: Outcome,
  { stored }: NamedSides,
  { certain, also = [] }: Pick<Interruption, "certain" | "also">,
): Judgement {
  const drops = dropsOf({
    effect: "unstated",
    certain: certain || also.some((part) => part.certain),
    now: runningInState(stored),
  });
  return { outcome, certain, ...(also.length > 0 && { also }), drops, now: null };
}

/**
 * A replacement in a Terraform plan is certain. Pulumi asks the provider again once every value is known: if an unknown
 * value was the only reason for a new compute, the old one may be updated instead.
 */
function judgeReplacement(step: TranslatedStep, sides: NamedSides): Judgement {
  const instead = isTerraformUrn(step.urn) ? undefined : openReplacement(sides.stored ?? {}, sides.declared);
  const certain = instead === undefined;
  // The old compute goes on running.
  if (isRetained(step)) return { ...unaffected("replace"), certain };
  return interrupted("replace", sides, { certain, also: instead });
}

function judgeUpdate(step: TranslatedStep, sides: NamedSides): Judgement {
  const isUnjudged = isUnjudgedPeer(step);
  const { effect, certain, also } = interruptionOn(step, sides, isUnjudged) ?? {
    effect: isUnjudged ? "unstated" : "none",
    certain: false,
  };
  if (effect === "none") return unaffected("none");
  return interrupted(effect === "unstated" ? "interrupt" : effect, sides, { certain, also });
}

/**
 * Arguments in the table have the same effect as this provider's arguments. An update does not send the arguments of
 * `createOnly`.
 */
function interruptionOn(
  { peer }: TranslatedStep,
  { stored = {}, declared }: NamedSides,
  isUnjudged: boolean,
): Pick<Interruption, "effect" | "certain" | "also"> | undefined {
  const { createOnly = {}, saysRestarts = false } = peer ?? {};
  const sent = Object.fromEntries(
    Object.entries(declared).filter(([name]) => !Object.hasOwn(createOnly, name)),
  );
  // Where every difference can be judged, a masked value is no difference. Elsewhere it counts as unknown.
  const interruption = interruptionBetween(stored, sent, isUnjudged ? unknownValue : undefined);
  return interruption === undefined || saysRestarts
    ? interruption
    : { effect: interruption.effect, certain: false };
}

/**
 * A change passes `--fail-on` only if everything in it can be judged. Differences that cannot be judged are reported,
 * so that they do not pass unnoticed.
 *
 * @returns the paths that cannot be judged (empty if they have no names); undefined if every effect on computes is
 * known.
 */
export function unknownOfPeer(step: TranslatedStep): readonly string[] | undefined {
  return isUnjudgedPeer(step) ? unknownPaths(step) : undefined;
}

function isUnjudgedPeer(step: TranslatedStep): boolean {
  const { op, peer, holder, differing = [] } = step;
  const type = typeOf(step.urn) ?? "";
  if (!isChange(step) || holder !== undefined) return false;
  if (peer === undefined && !mayConcernComputes(step)) return false;
  if (isOfAzure(step)) return op !== "create" && op !== "import" && !(op === "delete" && isRetained(step));
  switch (op) {
    case "create":
    case "import":
    case "remove-pending-replace":
      return false;
    case "update": {
      if (peer?.saysRestarts === false || unknownPaths(step).length > 0) return true;
      // An update without visible differences changes something that the preview does not show.
      return differing.length === 0 && (peer !== undefined || holdsComputes(type));
    }
    default:
      if (op === "delete" || isReplacement(step))
        return peer === undefined && holdsComputes(type) && !isRetained(step);
      // An action that a Terraform plan invokes, or an operation that this version does not know.
      return true;
  }
}

function unknownPaths(step: TranslatedStep): readonly string[] {
  const { peer, differing = [] } = step;
  const type = typeOf(step.urn) ?? "";
  return differing.filter(
    (path) =>
      mayMatter(path, type, peer) &&
      !isOfNeighbour(path, step) &&
      !(peer?.saysRestarts === true && isKnown(path, { peer, step })),
  );
}

/**
 * An argument is known if an update sends it, and either it never interrupts or both of its values are visible. If the value is
 * removed, or if a value of either side is secret or unknown, or if it is a size that the state does not have, nobody can judge
 * what the service does.
 */
function isKnown(
  path: string,
  { peer, step: { before, after } }: { readonly peer: Peer; readonly step: TranslatedStep },
): boolean {
  const name = argumentAt(path, peer.sent);
  if (name === undefined) return false;
  const { effect } = fields[name];
  if (effect === "none") return true;
  const [from, to] = [before?.outputs[name], after?.inputs[name]].map((value) => sentAt(path, name, value));
  if (effect === "restart" && from === undefined) return false;
  return to !== undefined && ![from, to].some((value) => holdsUnknown(value) || holdsSecret(value));
}

function sentAt(path: string, name: ArgumentName, value: unknown): unknown {
  const settings = name === "settings" && isMap(value) ? value["pgSettings"] : value;
  // A setting's own name may have dots.
  return isMap(settings) ? settings[path.slice(path.indexOf(".") + 1)] : settings;
}

/** The paths that affect only computes created later. */
export function laterPaths({ op, urn, peer, differing = [] }: TranslatedStep): readonly string[] {
  const type = typeOf(urn) ?? "";
  return op === "update" && peer === undefined
    ? differing.filter((path) => isForLaterComputes(path, type))
    : [];
}
