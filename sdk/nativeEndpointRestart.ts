/**
 * The EndpointRestart resource of the plugin.
 */
import type * as pulumi from "@pulumi/pulumi";
import { nativeRestartType } from "../provider/pure/fields";
import { EndpointRestartResource, type EndpointRestartArgs } from "./endpointRestart";
import { ofThisVersion } from "./nativeEndpoint";

/**
 * Restarts a compute: once when it is created, and whenever a trigger is added or changed. It waits for the restart, and
 * says on its own row what happened. Deleting it does nothing.
 *
 * @example
 * ```ts
 * new EndpointRestart("weekly", { projectId, endpointId: app.endpointId, triggers: { release: "2026-48" } });
 * ```
 */
export class EndpointRestart extends EndpointRestartResource {
  /**
   * Declares a restart. A wrong argument fails the preview, which says what is allowed.
   *
   * @param name - the resource's name, unique among the restarts of the stack.
   * @param args - the compute, and the triggers of its restarts.
   * @param opts - Pulumi's options of a resource.
   */
  constructor(name: string, args: EndpointRestartArgs, opts?: pulumi.CustomResourceOptions) {
    super({ type: nativeRestartType, ...ofThisVersion }, name, args, opts);
  }
}
