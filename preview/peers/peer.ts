import type { ArgumentName } from "../../provider/model/fields";
import type { ServiceName } from "../../provider/model/services";

/** What is known of another provider's compute. */
export interface Peer {
  /** Whose figures apply. */
  readonly service: ServiceName;
  /** False if the service does not say which changes restart a compute: then each of them may. */
  readonly saysRestarts: boolean;
  /** Where the values that an update sends stand: a dotted path for each argument. */
  readonly sent: Readonly<Partial<Record<ArgumentName | "pgSettings", string>>>;
  /** Where the values stand that only a create sends: what an update of them does is not known. */
  readonly place: Readonly<Partial<Record<ArgumentName, string>>>;
}

/** What takes its computes along when it is deleted. */
export type Holder = "branch" | "project";
