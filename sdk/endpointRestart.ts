/**
 * The EndpointRestart resource that a program declares.
 */
import * as pulumi from "@pulumi/pulumi";
import { dynamicRestartType, nativeRestartType } from "../provider/pure/fields";
import { refuseUnknownSettings } from "./configured";
import type { EndpointTimeouts, Variant } from "./endpoint";
import { explained } from "./explained";
import { hiddenInputs } from "./hidden";
import { shortenStackTraces } from "./stackTraces";

/** Arguments of a restart. */
export interface EndpointRestartArgs {
  /** The project that owns the compute. Changing it restarts nothing. */
  projectId: pulumi.Input<string>;

  /**
   * The compute to restart: `app.endpointId`. Changing it restarts nothing: a compute that replaces another one has
   * just started.
   */
  endpointId: pulumi.Input<string>;

  /**
   * Any values. Adding or changing one restarts the compute and drops open connections; removing one does nothing. A
   * secret value stays secret in the state.
   */
  triggers: pulumi.Input<Record<string, pulumi.Input<unknown>>>;

  /**
   * What to do with a restart that drops open connections: as for an Endpoint. With `defer` it waits until the compute
   * is idle, or for the stack's `compute:interruptionWindow`. Changing it restarts nothing.
   */
  onInterruption?: pulumi.Input<"warn" | "forbid" | "forbid-when-active" | "defer">;

  /** How long to wait for the service's operations. Changing it restarts nothing. */
  timeouts?: pulumi.Input<EndpointTimeouts>;
}

/** The outputs of a restart, for both provider variants. */
export abstract class EndpointRestartResource extends pulumi.CustomResource {
  /** The project that owns the compute. */
  declare readonly projectId: pulumi.Output<string>;
  /** The compute that is restarted. */
  declare readonly endpointId: pulumi.Output<string>;
  /** The triggers of the last restart; absent while the first one waits. */
  declare readonly triggers: pulumi.Output<Record<string, unknown> | undefined>;

  // eslint-disable-next-line max-params -- the order of every resource in Pulumi, with its variant before.
  protected constructor(
    { type, hidden = {}, ...options }: Variant,
    name: string,
    args: EndpointRestartArgs,
    opts: pulumi.CustomResourceOptions | undefined,
  ) {
    if (opts?.id !== undefined || opts?.import !== undefined) throw explained(importRefusal(name));
    // A stack can switch to the other variant without a restart.
    const aliases = [{ type: type === dynamicRestartType ? nativeRestartType : dynamicRestartType }];
    const restoreTraces = shortenStackTraces();
    try {
      super(type, name, { ...args, ...hidden }, pulumi.mergeOptions({ ...options, aliases }, opts));
    } finally {
      restoreTraces();
    }
  }
}

function importRefusal(name: string): string {
  return `Importing EndpointRestart ${name}: a restart is an event, and the service keeps nothing of it that could be imported. Leave the options id and import out: creating it restarts the compute once.`;
}

/**
 * Restarts a compute: once when it is created, and whenever a trigger is added or changed. It waits for the restart, and
 * says on its own row what happened. Deleting it does nothing.
 *
 * A compute that is created or restarted in the same run is not restarted again, and an idle or disabled one is not
 * started. A restart that failed is sent again by the next `pulumi up`.
 *
 * @example
 * A compute that never suspends gets the service's weekly release:
 * ```ts
 * const app = new Endpoint("app", { projectId, branchId, ...fixedSize(1), suspendTimeoutSeconds: -1 });
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
    refuseUnknownSettings();
    const hidden = hiddenInputs({ type: dynamicRestartType, name, parent: opts?.parent }, args);
    super({ type: dynamicRestartType, hidden }, name, args, opts);
  }
}
