/**
 * The ids in journal entries: an id that is a secret is stored as its hash. Pure.
 */
import { createHash } from "node:crypto";

/** The stored form of a secret id. Other ids stay readable. */
export function sealed(id: string): string {
  return `sha256:${createHash("sha256").update(id).digest("hex")}`;
}

/** Whether an id was stored as a secret: no message may show it, even if the service does. */
export function isSealed(id: string): boolean {
  return id.startsWith("sha256:");
}

/** Whether two ids are equal, whether or not they were stored as secrets. */
export function isSameId(left: string, right: string): boolean {
  const seal = (id: string): string => (isSealed(id) ? id : sealed(id));
  return left === right || seal(left) === seal(right);
}
