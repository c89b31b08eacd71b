/**
 * A stranger's program (a primary, its replica, and a component that holds a component with two computes), and what it goes through at a
 * control plane of its own; each step is a column.
 */
import { packageOf, type Variant } from "../../support/variants";
import { createStack, type TestStack } from "../../support/stack";

export interface Life {
  /** @returns the folder of the program, ready for `pulumi`. */
  readonly prepare: () => string;
  /** What commands have in their environment, given the stack's own. */
  readonly environment?: (own: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
}

export function comesUpAndGoesAway({ prepare, environment = (): NodeJS.ProcessEnv => ({}) }: Life): void {
  let stack: TestStack;
  let branchId: string;
  /** As the service has them. */
  const sizes = (): readonly number[] =>
    stack.computes(branchId).map((id) => stack.emulator.endpoint(id).endpoint.autoscaling_limit_max_cu);
  const run = async (words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> =>
    (await stack.ok(words, { ...environment(stack.environment), ...more })).output;

  beforeAll(async () => {
    stack = await createStack({ program: prepare });
    branchId = stack.emptyBranch();
    for (const [key, value] of Object.entries({ projectId: stack.projectId, branchId }))
      await stack.ok(["config", "set", key, value]);
  });
  afterAll(() => stack.close());

  it("up", async () => {
    const told = await run(["up", "--yes", "--skip-preview"], { PULUMI_NODEJS_TRANSPILE_ONLY: "false" });
    expect(told).not.toContain("warning: ");
    expect(sizes()).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(await paths(stack)).toEqual([...computes].sort());
  });

  it("preview's notice", async () => {
    await stack.ok(["config", "set", "size", "large"]);
    const told = await run(["preview", "--diff"]);
    expect(told.match(/^ *warning: restart: size 0\.25 → 1 CU /gm)).toHaveLength(4);
    expect(told).toMatch(/~ 4 to update\n/);
  });

  it("destroy", async () => {
    expect(sizes()).toHaveLength(4);
    await run(["destroy", "--yes", "--skip-preview"]);
    expect(sizes()).toEqual([]);
  });
}

/** The computes of the state, each behind the components that it is in. */
async function paths(stack: TestStack): Promise<readonly string[]> {
  const { stdout } = await stack.ok(["stack", "export"]);
  const urns = [...stdout.matchAll(/"urn": "urn:pulumi:test::outside::(.*?)"/g)].map(([, rest]) => rest!);
  return urns
    .filter((urn) => /compute:(index:)?Endpoint::/.test(urn))
    .map((urn) => urn.replace(/^(.*\$)?[^$]*::/, "$1"))
    .map((urn) => urn.replaceAll("outside:index:", "").replace(/\$(?=[^$]*$)/, " "))
    .sort();
}

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
const computes = [
  "app",
  "replica",
  "Reporting$Readers reporting-readers-first",
  "Reporting$Readers reporting-readers-second",
];
