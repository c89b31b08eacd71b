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
  /** The provider's address in a Terraform registry; Pulumi does not say it. */
  readonly provider?: string | undefined;
  /** Set if another provider declares the compute. */
  readonly peer?: Peer | undefined;
  /** Of a resource of another provider: the paths at which the two sides differ, or may, in the tool's spelling. */
  readonly differing?: readonly string[] | undefined;
}

export interface Diagnostic {
  readonly urn?: string | undefined;
  readonly severity: string;
  /** Without the engine's prefix, colours and last line break. */
  readonly text: string;
}

/** An attribute in the tool's spelling. */
interface Outside {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What the engine read of one resource, before a plan or without one. */
export interface Refresh {
  readonly urn: string;
  /** As in `PreviewStep`. */
  readonly provider?: string | undefined;
  /** As in `PreviewStep`; absent if only the two sides say it. */
  readonly differing?: readonly string[] | undefined;
  /** What changed outside and has no name of this provider's: in another provider's compute, or in what may hold one. */
  readonly outside?: readonly Outside[] | undefined;
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
  /** True if a part of the program may be missing: a plan with `-target`, or one that was filtered. */
  readonly partial: boolean;
  /** Resources that do not change; most of them have no step. */
  readonly unchanged: number;
}
