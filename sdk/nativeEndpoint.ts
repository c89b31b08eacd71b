/**
 * The Endpoint resource and the provider resource of the plugin.
 */
import * as pulumi from "@pulumi/pulumi";
import { packageVersion } from "../provider/version";
import { dynamicType, EndpointResource, nativeType, type EndpointArgs } from "./endpoint";

/** With the version, the engine selects the plugin of this package if several are installed. */
export const pluginVersion = packageVersion();

/**
 * A compute of a managed Postgres service ("endpoint" in the service's interface).
 *
 * @example
 * ```ts
 * import { Endpoint, fixedSize } from "pulumi-compute-endpoint/native";
 *
 * const app = new Endpoint("app", { projectId, branchId, ...fixedSize(1) });
 * export const host = app.host;
 * ```
 */
export class Endpoint extends EndpointResource {
  /**
   * Reads a compute that this stack does not manage. It is never changed or deleted from here.
   *
   * @param name - the resource's name, unique among the computes of the stack.
   * @param id - `ep-…`; unknown while another resource still has to be created.
   * @param lookup - the project: an endpoint id is unique only within its project.
   * @param opts - Pulumi's options of a resource.
   *
   * @example
   * ```ts
   * const shared = Endpoint.get("shared", "ep-warm-night-ugsg797l", { projectId });
   * export const host = shared.host;
   * ```
   */
  // eslint-disable-next-line max-params -- the order of every resource's `get` in Pulumi.
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    lookup: { readonly projectId: pulumi.Input<string> },
    opts?: pulumi.CustomResourceOptions,
  ): Endpoint {
    return new Endpoint(name, lookup as EndpointArgs, { ...opts, id });
  }

  /**
   * Declares a compute. A wrong argument fails the preview, which says what is allowed.
   *
   * @param name - the resource's name, unique among the computes of the stack.
   * @param args - the arguments of the compute, at least `projectId` and `branchId`.
   * @param opts - Pulumi's options of a resource, such as `protect` or `retainOnDelete`.
   */
  constructor(name: string, args: EndpointArgs, opts?: pulumi.CustomResourceOptions) {
    const version = pluginVersion === undefined ? {} : { version: pluginVersion };
    // A stack of the dynamic provider can switch to the plugin without a change.
    const own = { ...version, aliases: [{ type: dynamicType }] };
    super(nativeType, name, { ...args }, pulumi.mergeOptions(own, opts));
  }
}

/**
 * An account or service, for stacks that use several: `new Endpoint(name, args, { provider })`.
 *
 * @example
 * ```ts
 * const other = new Provider("other", { apiKey: config.requireSecret("otherKey"), baseUrl });
 * const app = new Endpoint("app", { projectId, branchId }, { provider: other });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /**
   * Declares an account to manage computes with.
   *
   * @param name - the resource's name, unique among the providers of the stack.
   * @param args - missing arguments come from the environment; the stack's configuration applies only to computes
   * without such a provider.
   * @param opts - Pulumi's options of a resource.
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const version = pluginVersion === undefined ? {} : { version: pluginVersion };
    const { apiKey, ...others } = args;
    const key = apiKey === undefined ? {} : { apiKey: pulumi.secret(apiKey) };
    super("compute", name, { ...others, ...key }, pulumi.mergeOptions(version, opts));
  }
}

/** The settings of docs/reference.md, without `compute:`. Each overrides the environment. */
export interface ProviderArgs {
  /** The service's API key. Stored encrypted in the state. */
  apiKey?: pulumi.Input<string>;
  /** The service's address without `/api/v2`; https, or http on this machine. */
  baseUrl?: pulumi.Input<string>;
  /** `onInterruption` of resources that say nothing of it; of two places that set it, the stricter one counts. */
  onInterruption?: pulumi.Input<"warn" | "forbid" | "forbid-when-active" | "defer">;
  /** When what `onInterruption: "defer"` holds back is applied: `Sat,Sun 02:00-04:00 Europe/Berlin`, with `;` between several, or `always`. */
  interruptionWindow?: pulumi.Input<string>;
  /** A preview asks the service how a compute is now, where a change interrupts it. */
  liveFacts?: pulumi.Input<boolean>;
  /** Keeps the notice of an interruption through the update, for saved plans. */
  updatePlans?: pulumi.Input<boolean>;
  /** Which sizes there are, and their figures: `interface`, `neon`, or a JSON list of rows `{ cu, ramGb, maxConnections, localFileCacheGb }`, of which `cu` alone is required. */
  sizeTable?: pulumi.Input<string>;
  /** Notices and reports give max_connections, RAM and file cache. */
  figures?: pulumi.Input<boolean>;
  /** What the service calls a compute's pooled host, for `connectionString`: `neon`, or a pattern such as `{name}-pooler.{domain}`. */
  pooledHost?: pulumi.Input<string>;
  /** Takes every size above 0. */
  allowUnlistedSizes?: pulumi.Input<boolean>;
  /** What the service calls a replica in `type`. */
  replicaType?: pulumi.Input<string>;
  /** The service also answers `GET …/endpoints/{id}`, which the interface has not. */
  readSingle?: pulumi.Input<boolean>;
  /** `any` restarts computes of one branch together, as the engine hands them out. */
  restartOrder?: pulumi.Input<"replicas-first" | "any">;
  /** `gone`, for one run: a project that the service does not know was deleted, with its computes. */
  missingProject?: pulumi.Input<"error" | "gone">;
  /** How many requests of one route a process sends in a minute: a little below what the service takes; `0` keeps no limit, and obeys answers of 429 alone. */
  requestsPerMinute?: pulumi.Input<number>;
  /** Where creates are written down before they are sent. */
  journalFolder?: pulumi.Input<string>;
  /** Plugin alone: reads each compute before a preview or update, so that it sees what was changed by hand. */
  refreshBeforeUpdate?: pulumi.Input<boolean>;
}
