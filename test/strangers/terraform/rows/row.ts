import type { Scene } from "../plans";

/** A change as a user makes it, and what the report has to say of it. */
export interface Row extends Scene {
  readonly reason: string;
  /** With `--fail-on restart,replace,delete,move,suspend`. */
  readonly code: number;
  /** A line for each compute, and for each resource that cannot be judged. */
  readonly says: readonly string[];
  /** The programs that can do this; all if absent. */
  readonly by?: RegExp;
}
