/**
 * Plans of Terraform and OpenTofu, and the gate that reads them.
 */
import { runPreview, type Ran } from "../previews";

/** All kinds that are certain. */
export const kinds = "restart,replace,delete,move,suspend";

export const gate = (input: object): Ran =>
  runPreview([`--fail-on=${kinds}`, "--format=text"], Buffer.from(JSON.stringify(input)));

export interface Changed {
  readonly type?: string;
  readonly provider?: string;
  readonly actions?: string;
  readonly before?: object | null;
  readonly after?: object | null;
  readonly unknown?: object;
  readonly masks?: object;
  readonly more?: object;
}

const compute = {
  ...{ id: "ep-soft-rain-1", project_id: "p", branch_id: "br-a", type: "read_write", host: "db.example" },
  ...{ autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 300 },
};
const kislerdm = "registry.example/kislerdm/neon";

function resource(changed: Changed): object {
  const {
    type = "neon_endpoint",
    provider = kislerdm,
    actions = "update",
    unknown = {},
    masks,
    more,
  } = changed;
  const { before = compute, after = compute } = changed;
  const sensitive = { before_sensitive: masks ?? {}, after_sensitive: masks ?? {} };
  const change = { actions: actions.split(","), before, after, after_unknown: unknown, ...sensitive };
  return { address: `${type}.app`, mode: "managed", type, provider_name: provider, change, ...more };
}
export const planOf = (...changes: readonly Changed[]): object => ({
  ...{ format_version: "1.2", planned_values: {} },
  resource_changes: changes.map(resource),
});

/** Beside a change that interrupts nothing. */
export const beside = (before: object, after: object, rest: Changed = {}): Changed => ({
  before: { ...compute, ...before },
  after: { ...compute, suspend_timeout_seconds: 600, ...after },
  ...rest,
});
