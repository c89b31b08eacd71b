/**
 * What an update of another provider's compute does to its connections.
 */
import type { Verdict } from "../../provider/model/notice";
import type { PropertyValues } from "../../provider/model/stored";
import { unknownValue } from "../../provider/model/unknown";
import { interruptionBetween } from "../read/masks";
import type { Peer } from "./peer";

type Effected = Pick<Verdict, "effect" | "certain" | "also">;

/** The two sides, with this provider's names. */
interface Sides {
  readonly stored: PropertyValues | undefined;
  readonly declared: PropertyValues;
}

/** Known arguments have the effects of this provider's. Their places in the service are not sent by an update. */
export function effectOnPeer(
  { stored = {}, declared }: Sides,
  { saysRestarts, place }: Peer,
  isUnjudged: boolean,
): Effected {
  const sent = Object.fromEntries(Object.entries(declared).filter(([name]) => !Object.hasOwn(place, name)));
  // Where all that differs is known, a masked value is none of it.
  const interruption = interruptionBetween(stored, sent, isUnjudged ? unknownValue : undefined);
  if (interruption === undefined)
    return isUnjudged ? { effect: "unstated", certain: false } : { effect: "none", certain: true };
  return saysRestarts ? interruption : { effect: interruption.effect, certain: false };
}
