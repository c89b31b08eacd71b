/**
 * What is read of a preview, whatever form it has.
 */
import type { Peer } from "./peerTable";
import type { ResourceState } from "./schemas";

/** What the engine plans for one resource. */
export interface PreviewStep {
  readonly op: string;
  readonly urn: string;
  readonly before?: ResourceState | undefined;
  readonly after?: ResourceState | undefined;
  /** Why it is planned, from the provider: mostly names of properties. */
  readonly reasons?: readonly string[] | undefined;
  /** Set if another provider declares the compute. */
  readonly peer?: Peer | undefined;
}

export interface Diagnostic {
  readonly urn?: string | undefined;
  readonly severity: string;
  /** Without the engine's prefix, colours and last line break. */
  readonly text: string;
}

/** What the engine read of one resource, before a plan or without one. */
export interface Refresh {
  readonly urn: string;
  readonly before?: ResourceState | undefined;
  /** `gone` if the service no longer has it; undefined if this form does not show the service's answer. */
  readonly found: ResourceState | "gone" | undefined;
}

/** A preview, from either form. */
export interface Preview {
  /** Pulumi's one document, which is the default, its events, which show more, or a plan of Terraform. */
  readonly form: "document" | "events" | "plan";
  /** All steps except reads. */
  readonly steps: readonly PreviewStep[];
  readonly refreshes: readonly Refresh[];
  /**
   * Number of resources that a refresh found changed, in a form that does not show which; undefined if it shows or
   * does not count them.
   */
  readonly unseenChanges: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly failed: boolean;
  /** Resources that do not change; most of them have no step. */
  readonly unchanged: number;
}
