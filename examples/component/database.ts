import * as pulumi from "@pulumi/pulumi";
import { autoscaling, Endpoint, fixedSize } from "pulumi-compute-endpoint/native";

export interface DatabaseArgs {
  readonly projectId: pulumi.Input<string>;
  readonly branchId: pulumi.Input<string>;
  /** Size of the primary, in Compute Units. */
  readonly cu: number;
  readonly replicas: number;
  /** Protects its computes: no change restarts, moves or deletes them. */
  readonly production: boolean;
  /** Allows changes that interrupt its computes, even in production. */
  readonly interrupt?: boolean;
  /** Key for the values that the database signs. */
  readonly signingKey: pulumi.Input<string>;
}

/**
 * The computes of one branch: its primary, and replicas that scale automatically. The first replica is changed before
 * the others, and the primary last: a change that breaks a compute breaks a replica first.
 */
export class Database extends pulumi.ComponentResource {
  readonly host: pulumi.Output<string>;
  readonly replicaHosts: pulumi.Output<string[]>;

  constructor(name: string, args: DatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    super("company:index:Database", name, {}, opts);
    const { projectId, branchId, cu, replicas: count, production, interrupt = false, signingKey } = args;
    const common = {
      projectId,
      branchId,
      onInterruption: production && !interrupt ? "forbid" : "warn",
      settings: { pgSettings: { "app.signing_key": signingKey } },
    } as const;
    // The children use the account of `opts.provider` too.
    const options = { parent: this, protect: production };
    const replicas: Endpoint[] = [];
    for (let index = 0; index < count; index++) {
      const ofReplica = { ...common, type: "read_only", ...autoscaling(0.25, cu) } as const;
      const dependsOn = replicas.slice(0, 1);
      replicas.push(new Endpoint(`${name}-replica-${index}`, ofReplica, { ...options, dependsOn }));
    }
    const ofPrimary = { ...common, ...fixedSize(cu) };
    const primary = new Endpoint(`${name}-primary`, ofPrimary, { ...options, dependsOn: replicas });
    this.host = primary.host;
    this.replicaHosts = pulumi.output(replicas.map(({ host }) => host));
    this.registerOutputs({ host: this.host, replicaHosts: this.replicaHosts });
  }
}
