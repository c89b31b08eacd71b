import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, fixedSize } from "pulumi-compute-endpoint/native";

export interface DatabaseArgs {
  readonly projectId: pulumi.Input<string>;
  readonly branchId: pulumi.Input<string>;
  /** Size of the primary, in Compute Units. */
  readonly cu: number;
  readonly replicas: number;
  /** No change restarts, moves or deletes its computes. */
  readonly production: boolean;
  /** Lets changes interrupt it, although it is production. */
  readonly interrupt?: boolean;
  /** Key for the values that the database signs. */
  readonly signingKey: pulumi.Input<string>;
}

/** The computes of one branch: its primary, and replicas that grow by themselves. */
export class Database extends pulumi.ComponentResource {
  readonly host: pulumi.Output<string>;
  readonly replicaHosts: pulumi.Output<string[]>;

  constructor(name: string, args: DatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    super("company:index:Database", name, {}, opts);
    const { projectId, branchId, cu, replicas, production, interrupt = false, signingKey } = args;
    const common = {
      projectId,
      branchId,
      onInterruption: production && !interrupt ? "forbid" : "warn",
      settings: { pgSettings: { "app.signing_key": signingKey } },
    } as const;
    // The account of `opts.provider` is the children's too.
    const options = { parent: this, protect: production };
    const primary = new Endpoint(`${name}-primary`, { ...common, ...fixedSize(cu) }, options);
    this.host = primary.host;
    this.replicaHosts = pulumi.output(
      Array.from({ length: replicas }, (_, index) => {
        const ofReplica = { ...common, type: "read_only", ...autoscaling(0.25, cu) } as const;
        return new Endpoint(`${name}-replica-${index}`, ofReplica, options).host;
      }),
    );
    this.registerOutputs({ host: this.host, replicaHosts: this.replicaHosts });
  }
}
