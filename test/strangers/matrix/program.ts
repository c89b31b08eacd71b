/** A stranger's program: a primary, its replica, and a component that holds a component with two computes. */
import { packageOf, type Variant } from "../../support/variants";

/** Plain JavaScript but for the lines in `types`, so that it is also an ES module that Node runs as it is. */
export function programFor(variant: Variant, format: "TypeScript" | "ES module"): string {
  const types = format === "TypeScript";
  return `import * as pulumi from "@pulumi/pulumi";
import { Endpoint, fixedSize } from "${packageOf[variant]}";

const config = new pulumi.Config();
const projectId = config.require("projectId");
const branchId = config.require("branchId");
const size = fixedSize(config.get("size") === "large" ? 1 : 0.25);

class Readers extends pulumi.ComponentResource {
  constructor(name${types ? ": string" : ""}, opts${types ? "?: pulumi.ComponentResourceOptions" : ""}) {
    super("outside:index:Readers", name, {}, opts);
    for (const one of ["first", "second"])
      new Endpoint(\`\${name}-\${one}\`, { projectId, branchId, type: "read_only", ...size }, { parent: this });
    this.registerOutputs({});
  }
}

class Reporting extends pulumi.ComponentResource {
  constructor(name${types ? ": string" : ""}, opts${types ? "?: pulumi.ComponentResourceOptions" : ""}) {
    super("outside:index:Reporting", name, {}, opts);
    new Readers(\`\${name}-readers\`, { parent: this });
    this.registerOutputs({});
  }
}

const app = new Endpoint("app", { projectId, branchId, ...size });
const replica = new Endpoint("replica", { projectId, branchId, type: "read_only", ...size }, { dependsOn: app });
new Reporting("reporting", { dependsOn: app });

export const host = app.host;
export const replicaHost = replica.host;
`;
}

/** The computes of that program, by the path of components that each is in. */
export const computes = [
  "app",
  "replica",
  "Reporting$Readers reporting-readers-first",
  "Reporting$Readers reporting-readers-second",
];
