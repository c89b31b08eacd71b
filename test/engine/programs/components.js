"use strict";
// A program as teams write it: components in components, replicas made in a loop, outputs of one resource in the
// arguments of another, dependsOn, transforms, and an alias where a component was renamed.
const pulumi = require("@pulumi/pulumi");
const { Endpoint, fixedSize } = require(process.env.TESTED_PACKAGE);
const { readFileSync } = require("node:fs");

const { projectId, branchId, name, aliases, cu, replicas, replicaName, replicaAliases } = JSON.parse(
  readFileSync("resources.json", "utf8"),
);

class Replicas extends pulumi.ComponentResource {
  constructor(name, { count, of }, opts) {
    super("shop:index:Replicas", name, {}, opts);
    this.hosts = Array.from({ length: count }, (_, index) => {
      const args = { projectId: of.projectId, branchId: of.branchId, type: "read_only", ...fixedSize(0.25) };
      const opts = { parent: this, dependsOn: [of], aliases: replicaAliases?.[index] };
      const own = new Endpoint(`${replicaName ?? name}-${index}`, args, opts);
      return own.host;
    });
    this.registerOutputs({ hosts: this.hosts });
  }
}

class Database extends pulumi.ComponentResource {
  constructor(name, { cu, replicas }, opts) {
    super("shop:index:Database", name, {}, opts);
    this.primary = new Endpoint(
      `${name}-primary`,
      {
        projectId,
        branchId,
        ...fixedSize(cu),
        settings: { pgSettings: { "app.token": pulumi.secret("tok-4711") } },
      },
      { parent: this },
    );
    this.replicas = new Replicas(`${name}-replicas`, { count: replicas, of: this.primary }, { parent: this });
    this.registerOutputs({ host: this.primary.host });
  }
}

const database = new Database(
  name,
  { cu, replicas },
  {
    aliases,
    transforms: [
      ({ type, props, opts }) =>
        /compute:(index:)?Endpoint$/.test(type)
          ? { props: { ...props, suspendTimeoutSeconds: 900 }, opts }
          : undefined,
    ],
  },
);

exports.hosts = pulumi.all([database.primary.host, ...database.replicas.hosts]);
