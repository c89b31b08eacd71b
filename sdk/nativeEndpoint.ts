/**
 * The same resource, served by the plugin.
 */
import * as pulumi from "@pulumi/pulumi";
import type { settings } from "../provider/config";
import { packageVersion } from "../provider/version";
import { dynamicType, EndpointResource, nativeType, type EndpointArgs } from "./endpoint";

/** With the version, the engine takes the plugin of this very package where it has several. */
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
   * Reads a compute that is not this stack's: it is never changed or deleted from here.
   *
   * @param name - the resource's name, unique among the computes of the stack.
   * @param id - `ep-…`; unknown while another resource still has to be created.
   * @param lookup - the project: the interface has no endpoint id that is unique without it.
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
   * Declares a compute. A wrong argument fails the preview, with what it must be.
   *
   * @param name - the resource's name, unique among the computes of the stack.
   * @param args - what the program says of the compute; `projectId` and `branchId` at least.
   * @param opts - Pulumi's options of a resource, such as `protect` or `retainOnDelete`.
   */
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
   * @param args - what is left out comes from the environment, then from the stack's configuration.
   * @param opts - Pulumi's options of a resource.
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const version = pluginVersion === undefined ? {} : { version: pluginVersion };
    const { apiKey, ...others } = args;
    const key = apiKey === undefined ? {} : { apiKey: pulumi.secret(apiKey) };
    super("compute", name, { ...others, ...key }, pulumi.mergeOptions(version, opts));
  }
}

/** What a setting takes. A list is one of its words. */
type Taken<Kind> = Kind extends "flag"
  ? boolean
  : Kind extends "count"
    ? number
    : Kind extends readonly (infer Word)[]
      ? Word
      : string;

/**
 * The settings of docs/reference.md, without `compute:`: `apiKey`, `baseUrl`, `onInterruption`, `requestsPerMinute` and all
 * others. The environment wins over them. The key is stored encrypted in the state.
 */
export type ProviderArgs = {
  [Name in keyof typeof settings]?: pulumi.Input<Taken<(typeof settings)[Name]["kind"]>>;
};
