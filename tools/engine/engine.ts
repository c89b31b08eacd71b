/**
 * The types that describe an engine.
 */
/** How an engine came to this machine. */
export type EngineOrigin = "path" | "download" | "build";

/** A Pulumi CLI with a Node language host beside it. */
export interface Engine {
  readonly origin: EngineOrigin;
  readonly version: string;
  /** The folder with `pulumi`, `pulumi-language-nodejs` and `pulumi-resource-pulumi-nodejs`. */
  readonly binFolder: string;
  /** Why this engine is used, as a clause for people. */
  readonly reason: string;
}

/** A source that had no engine, and why. */
export interface Refusal {
  readonly source: string;
  readonly why: string;
}
