/**
 * The resource EndpointRestart of earlier versions.
 */
import * as pulumi from "@pulumi/pulumi";
import { removedRestart } from "../provider/model/changes";
import { explained } from "./explained";

/** A restart of earlier versions: it is the argument `restartTriggers` of an Endpoint now. */
export class EndpointRestart extends pulumi.CustomResource {
  /** @throws RunError always, which says what to write. */
  constructor(name: string, args: pulumi.Inputs, opts?: pulumi.CustomResourceOptions) {
    super(refused(name), name, args, opts);
  }
}

function refused(name: string): never {
  throw explained(`Declaring EndpointRestart ${name}: ${removedRestart}.`);
}
