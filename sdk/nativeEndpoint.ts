/**
 * The Endpoint resource and the provider resource of the plugin.
 */
import * as pulumi from "@pulumi/pulumi";
import { nativeType } from "../provider/model/fields";
import type { ServiceName } from "../provider/model/services";
import { packageDownloadAddress, packageVersion } from "../provider/version";
import { EndpointResource, type EndpointArgs } from "./endpoint";

const version = packageVersion();
const pluginDownloadURL = packageDownloadAddress();

/**
 * Options of resources and calls: the engine takes the plugin of this package's version, and downloads it if it is missing.
 *
 * package.json has no member `pulumi`, which names a plugin for the whole package: with it, the engine would download the plugin
 * also for programs that use only the dynamic provider, before each preview.
 */
export const ofThisVersion: { readonly version?: string; readonly pluginDownloadURL?: string } = {
  ...(version !== undefined && { version }),
  ...(pluginDownloadURL !== undefined && { pluginDownloadURL }),
};

/**
 * A compute of a managed Postgres service (an "endpoint" in the service's API).
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
   * Declares a compute. A wrong argument fails the preview, which says what is allowed.
   *
   * @param name - the resource's name, unique among the computes of the stack.
   * @param args - the arguments of the compute, at least `projectId` and `branchId`.
   * @param opts - Pulumi's resource options, such as `protect` or `retainOnDelete`.
   */
  constructor(name: string, args: EndpointArgs, opts?: pulumi.CustomResourceOptions) {
    super({ type: nativeType, ...ofThisVersion }, name, args, opts);
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
   * @param args - missing arguments come from the environment. The stack's configuration applies only to computes without
   * an explicit provider.
   * @param opts - Pulumi's resource options.
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const { apiKey, ...others } = args;
    const key = apiKey === undefined ? {} : { apiKey: pulumi.secret(apiKey) };
    super("compute", name, { ...others, ...key }, pulumi.mergeOptions(ofThisVersion, opts));
  }
}

/** The settings of docs/reference.md, without `compute:`. Each overrides the environment. */
export interface ProviderArgs {
  /** The service's API key. Stored encrypted in the state. */
  apiKey?: pulumi.Input<string | undefined>;
  /** The service's address without `/api/v2`; https, or http on this machine. */
  baseUrl?: pulumi.Input<string | undefined>;
  /** Default for resources that do not set `onInterruption`; if the environment sets it too, the stricter value counts. */
  onInterruption?: pulumi.Input<"warn" | "forbid" | "forbid-when-active" | "defer" | undefined>;
  /** When deferred changes (`onInterruption: "defer"`) are applied, unless the compute is idle earlier: `Sat,Sun 02:00-04:00 Europe/Berlin` (separate several with `;`) or `always`. */
  interruptionWindow?: pulumi.Input<string | undefined>;
  /** If a change interrupts a compute, previews and updates ask the service what the compute does now. */
  liveFacts?: pulumi.Input<boolean | undefined>;
  /** The service whose sizes and figures apply: `interface`, `neon` or `unknown` (any size is accepted, no figures appear). */
  service?: pulumi.Input<ServiceName | undefined>;
  /** How many requests a process sends to one route per minute; set it slightly below the service's limit; `0` means no limit: only a 429 slows requests down. */
  requestsPerMinute?: pulumi.Input<number | undefined>;
  /** Plugin only: reads each compute before a preview or update, so that changes made by hand are seen. */
  refreshBeforeUpdate?: pulumi.Input<boolean | undefined>;
}
