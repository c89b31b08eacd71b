import type { ArgumentName } from "../../provider/model/fields";
import type { ServiceName } from "../../provider/model/services";
import type { Preview, PreviewStep, Refresh } from "../read/steps";

/** What is known of another provider's compute. */
export interface Peer {
  /** The service whose figures apply. */
  readonly service: ServiceName;
  /** False if the service does not say which changes restart a compute: any change may then restart it. */
  readonly saysRestarts: boolean;
  /** The dotted path of each argument that an update sends. */
  readonly sent: Readonly<Partial<Record<ArgumentName | "pgSettings", string>>>;
  /** The dotted path of each argument that only a create sends: the effect of changing it is unknown. */
  readonly createOnly: Readonly<Partial<Record<ArgumentName, string>>>;
}

/** What is deleted together with all its computes. */
export type Holder = "branch" | "project";

/** What another provider's resource is; both members are absent for our own computes. */
interface Declared {
  /** Set if it is a compute. */
  readonly peer?: Peer | undefined;
  /** Set if it is a project or a branch whose computes go away with it. */
  readonly holder?: Holder | undefined;
}

/** A step whose compute has this provider's argument names, whichever provider declares it. */
export interface TranslatedStep extends PreviewStep, Declared {}

export interface TranslatedRefresh extends Refresh, Declared {
  /**
   * Outside changes that this provider has no name for: in another provider's compute, or in a resource that may hold
   * one.
   */
  readonly outside?: readonly OutsideChange[] | undefined;
}

/** An attribute in the tool's spelling. */
interface OutsideChange {
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface TranslatedPreview extends Preview {
  readonly steps: readonly TranslatedStep[];
  readonly refreshes: readonly TranslatedRefresh[];
  readonly kept: readonly TranslatedStep[];
}
