/**
 * The Endpoint resource that a program declares.
 */
import * as pulumi from "@pulumi/pulumi";
import {
  argumentNames,
  dynamicType,
  fields,
  nativeType,
  outputNames,
  type AttributeName,
} from "../provider/model/fields";
import { keepingAdopted, refuseImport } from "./adopting";
import { aliasesOfOtherVariant } from "./aliases";
import { refuseUnknownSettings } from "./configured";
import { hiddenInputs } from "./hidden";
import { shortenStackTraces } from "./stackTraces";

/** Postgres settings by name. A value is a string, a number or a boolean; `undefined` counts as left out. */
export type PgSettings = Record<string, pulumi.Input<string | number | boolean | undefined>>;

/** How long to wait for the service's operations, in seconds: 1 to 86,400 each. */
export interface EndpointTimeouts {
  /** Default 600. */
  create?: pulumi.Input<number | undefined>;
  /** Default 600. */
  update?: pulumi.Input<number | undefined>;
  /** Default 300. */
  delete?: pulumi.Input<number | undefined>;
}

/**
 * Arguments of a compute. An optional argument that you leave out is unmanaged: the provider keeps the service's value,
 * and never compares or sends it. An argument that is `undefined`, or an output of `undefined`, counts as left out.
 */
export interface EndpointArgs {
  /**
   * The project that owns the compute.
   *
   * Changing it replaces the compute: its host goes away and open connections drop.
   */
  projectId: pulumi.Input<string>;

  /**
   * The branch that the compute serves; begins with `br-`. A branch has at most one `read_write` compute.
   *
   * Changing it moves the compute, which suspends it and drops open connections.
   */
  branchId: pulumi.Input<string>;

  /**
   * `read_write` (default) is the primary of its branch, `read_only` a read replica.
   *
   * Changing it replaces the compute: its host goes away and open connections drop.
   */
  type?: pulumi.Input<"read_write" | "read_only" | undefined>;

  /**
   * Smallest size in Compute Units: 0.25, 0.5, or a whole number from 1 to 10; on Neon from 1 to 16, or an even number from
   * 18 to 56. For a fixed size, set it to the same value as the largest size. It decides max_connections; on Neon the largest
   * size counts too. Default: the service's.
   *
   * Changing it restarts the compute and drops open connections.
   */
  autoscalingLimitMinCu?: pulumi.Input<number | undefined>;

  /**
   * Largest size in Compute Units: 0.25, 0.5, or a whole number from 1 to 10; on Neon from 1 to 16, or an even number from 18
   * to 56. Default: the service's.
   *
   * Changing it restarts the compute and drops open connections.
   */
  autoscalingLimitMaxCu?: pulumi.Input<number | undefined>;

  /**
   * Seconds without activity after which the compute suspends: 60 to 604,800 (7 days), 0 for the service's
   * default of 300, -1 for never. Default: the service's.
   *
   * Changing it leaves open connections alone.
   */
  suspendTimeoutSeconds?: pulumi.Input<number | undefined>;

  /**
   * A name for the compute, of 1 to 64 characters. Neon has names, other services may not. Default: none.
   *
   * Changing it leaves open connections alone.
   */
  name?: pulumi.Input<string | undefined>;

  /**
   * Whether connection pooling is on. Default: the service's.
   *
   * Changing it may drop open connections: the service does not document it.
   */
  poolerEnabled?: pulumi.Input<boolean | undefined>;

  /**
   * How connections are pooled; `transaction` is the only mode that the service documents.
   *
   * Changing it may drop open connections: the service does not document it.
   */
  poolerMode?: pulumi.Input<"transaction" | undefined>;

  /**
   * Whether the compute is prevented from running. Default: the service's.
   *
   * Setting it to true suspends the compute and drops open connections.
   */
  disabled?: pulumi.Input<boolean | undefined>;

  /**
   * Whether connections without a password are allowed. Default: the service's.
   *
   * Changing it may drop open connections: the service does not document it.
   */
  passwordlessAccess?: pulumi.Input<boolean | undefined>;

  /**
   * Postgres settings of the compute. Only the names that you declare are managed: if you take one out, alone or with the
   * whole argument, it is removed at the service. A secret value stays secret in the state.
   *
   * Changing it may drop open connections: the service does not document it.
   */
  settings?: pulumi.Input<
    | {
        /** Values by name, as postgresql.conf has them. */
        pgSettings: pulumi.Input<PgSettings>;
      }
    | undefined
  >;

  /**
   * The region to create the compute in. Default: the service's.
   *
   * Changing it replaces the compute: its host goes away and open connections drop.
   */
  regionId?: pulumi.Input<string | undefined>;

  /**
   * Any JSON values by name; a Date counts as text. Adding or changing a value restarts the compute. Removing a value,
   * creating the compute or adopting it does not. An idle or disabled compute is not started. If another change restarts
   * the compute anyway, it restarts once. A secret value stays secret in the state.
   *
   * Changing it restarts the compute and drops open connections.
   */
  restartTriggers?: pulumi.Input<Record<string, pulumi.Input<unknown>> | undefined>;

  /**
   * Takes over the compute with this id instead of creating one: `ep-…`. It takes effect only when the resource is created. Use
   * it to manage the primary that every default branch comes with. In TypeScript, `adopt` also sets the option `retainOnDelete`
   * unless you set it yourself: the compute then stays at the service when the resource is removed. In other languages, set
   * that option.
   *
   * Changing it leaves open connections alone.
   */
  adopt?: pulumi.Input<string | undefined>;

  /**
   * What to do with a change that drops open connections. `warn` (default) applies it with a warning. `forbid` fails the
   * preview. `forbid-when-active` fails the preview unless the compute is idle or disabled. `defer` leaves the change to the
   * first update that finds the compute idle or disabled, or that runs in the stack's `compute:interruptionWindow`. Until then,
   * `defer` applies the other changes, and refuses moves and replacements. Deletions are not covered: use the option `protect`.
   *
   * Changing it leaves open connections alone.
   */
  onInterruption?: pulumi.Input<"warn" | "forbid" | "forbid-when-active" | "defer" | undefined>;

  /**
   * How long to wait for the service's operations.
   *
   * Changing it leaves open connections alone.
   */
  timeouts?: pulumi.Input<EndpointTimeouts | undefined>;
}

/** The outputs of a compute, for both provider variants. */
export abstract class EndpointResource extends pulumi.CustomResource {
  /** Id of the compute; begins with `ep-`. Equals the resource's id. */
  declare readonly endpointId: pulumi.Output<string>;
  /** Host name for connections. It changes when the compute is replaced. */
  declare readonly host: pulumi.Output<string>;
  /** Host name of the region's shared proxy. */
  declare readonly proxyHost: pulumi.Output<string | undefined>;
  /** The project that owns the compute. */
  declare readonly projectId: pulumi.Output<string>;
  /** The branch that the compute serves; begins with `br-`. It changes when the compute moves. */
  declare readonly branchId: pulumi.Output<string>;
  /** The region that the compute runs in, as the service calls it; absent if the service names none. */
  declare readonly regionId: pulumi.Output<string | undefined>;
  /** `read_write` is the primary of its branch, `read_only` a read replica. */
  declare readonly type: pulumi.Output<"read_write" | "read_only">;
  /** In Compute Units. */
  declare readonly autoscalingLimitMinCu: pulumi.Output<number | undefined>;
  /** In Compute Units. */
  declare readonly autoscalingLimitMaxCu: pulumi.Output<number | undefined>;
  /** In seconds; 0 is the service's default, -1 never. */
  declare readonly suspendTimeoutSeconds: pulumi.Output<number | undefined>;
  /** The name of the compute, if it has one. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Whether connection pooling is on. */
  declare readonly poolerEnabled: pulumi.Output<boolean | undefined>;
  /** How connections are pooled, such as `transaction`. */
  declare readonly poolerMode: pulumi.Output<string | undefined>;
  /** Whether the compute is prevented from running. */
  declare readonly disabled: pulumi.Output<boolean | undefined>;
  /** Whether connections without a password are allowed. */
  declare readonly passwordlessAccess: pulumi.Output<boolean | undefined>;
  /** The Postgres settings that the program declares, by name; absent if it declares none. */
  declare readonly settings: pulumi.Output<
    | {
        /** Values by name, as the program declares them. */
        pgSettings: Record<string, string | number | boolean>;
      }
    | undefined
  >;
  /** ISO 8601, UTC. */
  declare readonly createdAt: pulumi.Output<string | undefined>;

  /**
   * Reads a compute that this stack does not manage. The stack never changes or deletes it.
   *
   * @param name - the resource's name, unique among the computes of the stack.
   * @param id - `ep-…`; unknown as long as it depends on a resource that does not exist yet.
   * @param lookup - the project: an endpoint id is unique only within its project.
   * @param opts - Pulumi's resource options.
   *
   * @example
   * ```ts
   * const shared = Endpoint.get("shared", "ep-warm-night-ugsg797l", { projectId });
   * export const host = shared.host;
   * ```
   */
  // eslint-disable-next-line max-params -- the order of every resource's `get` in Pulumi.
  static get<Resource>(
    this: new (name: string, args: EndpointArgs, opts?: pulumi.CustomResourceOptions) => Resource,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    lookup: { readonly projectId: pulumi.Input<string> },
    opts?: pulumi.CustomResourceOptions,
  ): Resource {
    return new this(name, lookup as EndpointArgs, { ...opts, id });
  }

  // eslint-disable-next-line max-params -- the variant, then the order of every resource in Pulumi.
  protected constructor(
    { type, hidden = {}, ...options }: Variant,
    name: string,
    args: EndpointArgs,
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    const properties = {
      // Every output exists (and is unknown) in a preview.
      ...Object.fromEntries(outputNames.map((output) => [output, undefined])),
      ...args,
      // The default is set here, not only in the provider: a refresh that runs the program compares what the program itself
      // passes.
      ...(opts?.id === undefined ? { type: args.type ?? "read_write" } : {}),
      ...hidden,
    };
    const other = type === dynamicType ? nativeType : dynamicType;
    const aliases = aliasesOfOtherVariant({ own: type, other }, opts?.aliases);
    const kept = keepingAdopted(args.adopt, opts);
    const restoreTraces = shortenStackTraces();
    try {
      super(type, name, properties, pulumi.mergeOptions({ ...options, aliases }, kept));
    } finally {
      restoreTraces();
    }
  }
}

/** What differs between the two variants of the provider. */
export interface Variant extends pulumi.CustomResourceOptions {
  readonly type: string;
  /** For the provider process: not part of the arguments. */
  readonly hidden?: Readonly<Record<string, unknown>>;
}

/**
 * A compute of a managed Postgres service (an "endpoint" in the service's API).
 *
 * @example
 * A primary of a fixed size, and a replica that scales automatically:
 * ```ts
 * const app = new Endpoint("app", { projectId, branchId, ...fixedSize(1), suspendTimeoutSeconds: 600 });
 * const replica = new Endpoint("replica", { projectId, branchId, type: "read_only", ...autoscaling(0.25, 2) });
 * export const host = app.host;
 * ```
 *
 * @example
 * A compute whose open connections no update may drop:
 * ```ts
 * const shop = new Endpoint("shop", {
 *   projectId,
 *   branchId,
 *   ...fixedSize(2),
 *   settings: { pgSettings: { work_mem: "16MB" } },
 *   onInterruption: "forbid-when-active",
 * });
 * ```
 */
export class Endpoint extends EndpointResource {
  /**
   * Declares a compute. A wrong argument fails the preview, which says what is allowed.
   *
   * @param name - the resource's name, unique among the computes of the stack.
   * @param args - the arguments of the compute, at least `projectId` and `branchId`.
   * @param opts - Pulumi's resource options, such as `protect` or `retainOnDelete`.
   */
  constructor(name: string, args: EndpointArgs, opts?: pulumi.CustomResourceOptions) {
    refuseUnknownSettings();
    refuseImport(name, opts);
    const { parent, ignoreChanges: ignores } = opts ?? {};
    const hidden = hiddenInputs({ type: dynamicType, name, parent, ignores }, args);
    super({ type: dynamicType, hidden }, name, args, opts);
  }
}

/**
 * Compiles only if each documented argument has a row in the table, each row is documented as an argument, and each
 * attribute of the service is documented as an output.
 */
fields satisfies Record<keyof EndpointArgs, unknown>;
argumentNames satisfies readonly (keyof EndpointArgs)[];
Endpoint.prototype satisfies Record<AttributeName, unknown>;
