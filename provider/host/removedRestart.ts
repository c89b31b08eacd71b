/**
 * The resource EndpointRestart of earlier versions. A state that has one loses it with the next `pulumi up` without it,
 * which sends nothing; a program that has one gets an error.
 */
import { ComputeError } from "../model/errors";
import { removedRestart } from "../model/triggers";

/** @param urn - undefined for an Endpoint of a caller that passes none. */
export function isRemovedRestart(urn: unknown): boolean {
  const [, , types = ""] = typeof urn === "string" ? urn.split("::") : [];
  return /(?:^|[:/$])compute:(?:index:)?EndpointRestart$/.test(types);
}

/** The failure of a check. */
export function restartFailure(): { property: string; reason: string } {
  return { property: "", reason: removedRestart };
}

/** For calls that come without a check. */
export function refuseRestart(): Promise<never> {
  const { what, fix } = { what: "there is no such resource any more", fix: removedRestart };
  return Promise.reject(new ComputeError({ doing: "declaring EndpointRestart", what, fix }));
}
