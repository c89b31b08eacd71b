import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, fixedSize } from "pulumi-compute-endpoint";

interface DatabaseArgs {
  readonly projectId: pulumi.Input<string>;
  readonly branchId: pulumi.Input<string>;
  readonly replicas: number;
}

/** The component under test: a primary that no change may interrupt, and its replicas. */
export class Database extends pulumi.ComponentResource {
  readonly host: pulumi.Output<string>;

  constructor(name: string, { projectId, branchId, replicas }: DatabaseArgs) {
    super("example:index:Database", name);
    const place = { projectId, branchId };
    const parent = { parent: this };
    const args = { ...place, ...fixedSize(1), onInterruption: "forbid" } as const;
    const primary = new Endpoint(`${name}-primary`, args, parent);
    for (let index = 0; index < replicas; index++) {
      const ofReplica = { ...place, type: "read_only", ...autoscaling(0.25, 2) } as const;
      new Endpoint(`${name}-replica-${index}`, ofReplica, parent);
    }
    this.host = primary.host;
    this.registerOutputs({ host: this.host });
  }
}
