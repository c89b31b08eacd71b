/**
 * The same resource, served by the plugin.
 */
import * as pulumi from "@pulumi/pulumi";
import { packageVersion } from "../provider/version";
import { dynamicType, EndpointResource, nativeType, type EndpointArgs } from "./endpoint";

/** With the version, the engine takes the plugin of this very package where it has several. */
export const pluginVersion = packageVersion();

/**
 * A compute of a managed Postgres service ("endpoint" in the service's interface).
 *
 * ```ts
 * import { Endpoint, fixedSize } from "pulumi-compute-endpoint/native";
 *
 * const app = new Endpoint("app", { projectId, branchId, ...fixedSize(1) });
 * export const host = app.host;
 * ```
 */
export class Endpoint extends EndpointResource {
  /**
   * Reads a compute that is not this stack's: it is never changed or deleted from here.
   *
   * @param id - `ep-…`; unknown while another resource still has to be created.
   * @param lookup - the project: the interface has no endpoint id that is unique without it.
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

  constructor(name: string, args: EndpointArgs, opts?: pulumi.CustomResourceOptions) {
    const version = pluginVersion === undefined ? {} : { version: pluginVersion };
    // A stack of the dynamic provider moves over without a change.
    const own = { ...version, aliases: [{ type: dynamicType }] };
    super(nativeType, name, { ...args }, pulumi.mergeOptions(own, opts));
  }
}

/**
 * The service that computes are of, where a stack has several: `new Endpoint(name, args, { provider })`.
 *
 * ```ts
 * const other = new Provider("other", { apiKey: config.requireSecret("otherKey"), baseUrl });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const version = pluginVersion === undefined ? {} : { version: pluginVersion };
    const { apiKey, ...others } = args;
    const key = apiKey === undefined ? {} : { apiKey: pulumi.secret(apiKey) };
    super("compute", name, { ...others, ...key }, pulumi.mergeOptions(version, opts));
  }
}

/** The configuration of docs/reference.md, without `compute:`. The environment wins over it. */
export interface ProviderArgs {
  /** The service's API key. Stored encrypted in the state. */
  apiKey?: pulumi.Input<string>;
  /** The service's address without `/api/v2`. */
  baseUrl?: pulumi.Input<string>;
}
