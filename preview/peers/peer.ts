import type { ArgumentName } from "../../provider/model/fields";
import type { ServiceName } from "../../provider/model/services";
import type { Preview, PreviewStep, Refresh } from "../read/steps";

/** What is known of another provider's compute. */
export interface Peer {
  /** The service whose figures apply. */
  readonly service: ServiceName;
  /** False if the service does not say which changes restart a compute: then each of them may. */
  readonly saysRestarts: boolean;
  /** Where the values that an update sends stand: a dotted path for each argument. */
  readonly sent: Readonly<Partial<Record<ArgumentName | "pgSettings", string>>>;
  /** Where the values stand that only a create sends: what an update of them does is not known. */
  readonly createOnly: Readonly<Partial<Record<ArgumentName, string>>>;
}

/** What takes its computes along when it is deleted. */
export type Holder = "branch" | "project";

/** What another provider declares; nothing of it is set for a compute of ours. */
interface Declared {
  /** Set if it is a compute. */
  readonly peer?: Peer | undefined;
  /** Set if it is a project or a branch whose computes go away with it. */
  readonly holder?: Holder | undefined;
}

/** A step whose compute has this provider's names, whoever declares it. */
export interface TranslatedStep extends PreviewStep, Declared {}

export interface TranslatedRefresh extends Refresh, Declared {
  /** What changed outside and has no name of this provider's: in another provider's compute, or in what may hold one. */
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
}
