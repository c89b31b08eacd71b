import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkout, copyOf, examples } from "../support/examples";
import { run, up, useStack } from "../support/stack";

interface Expected {
  readonly example: string;
  /** Configuration of the program, by what it means on the control plane. */
  readonly config: Readonly<Record<string, "project" | "default branch" | "free branch" | number>>;
  /** Type and size of each compute that it makes. */
  readonly makes: readonly (readonly [type: string, minCu: number, maxCu: number])[];
  readonly outputs: unknown;
}

const { version: tsNodeVersion } = JSON.parse(
  readFileSync(path.join(checkout, "node_modules/ts-node/package.json"), "utf8"),
) as { version: string };

const host = expect.stringMatching(/^ep-\S+\.localhost$/) as string;

const all: readonly Expected[] = [
  {
    example: "quickstart",
    config: { projectId: "project", branchId: "free branch", defaultBranchId: "default branch" },
    makes: [
      ["read_only", 0.25, 2],
      ["read_write", 0.25, 0.25],
    ],
    outputs: { appHost: host, reportsHost: host },
  },
  {
    example: "autoscaling",
    config: { projectId: "project", branchId: "free branch", maxCu: 2 },
    makes: [["read_write", 0.5, 2]],
    outputs: { host, maxConnections: 225 },
  },
  {
    example: "read-replicas",
    config: { projectId: "project", branchId: "default branch" },
    makes: [
      ["read_only", 0.25, 2],
      ["read_only", 1, 4],
    ],
    outputs: { primaryHost: host, replicaHosts: [host, host] },
  },
];

// Each is checked by the compiler in every run: `npm run types`.
describe.each(all)("examples/$example", ({ example, config, makes, outputs }) => {
  let before: readonly string[];
  const stack = useStack({ program: copyOf(example) }, async () => {
    before = stack.computes();
    const ids = {
      project: stack.projectId,
      "default branch": stack.defaultBranchId,
      "free branch": stack.emptyBranch(),
    };
    const pairs = Object.entries(config).flatMap(([key, value]) => [
      "--plaintext",
      `${key}=${typeof value === "number" ? String(value) : ids[value]}`,
    ]);
    await stack.ok(["config", "set-all", ...pairs]);
  });

  it("comes up by the ts-node of this checkout", async () => {
    // One of them is enough to see that Pulumi's own check of types takes what is published.
    const isChecked = example === "quickstart";
    const { output } = await stack.ok([...up, "--debug"], {
      PULUMI_NODEJS_TRANSPILE_ONLY: String(!isChecked),
    });
    // The stack too.
    expect(output).toContain(`${makes.length + 1} created`);
    const tsNode = path.join(checkout, "node_modules", "ts-node", "dist", "index.js");
    expect(output).toContain(`Found ts-node version: ${tsNodeVersion} at ${tsNode}`);
    const made = stack.computes().filter((id) => !before.includes(id));
    const sizes = made.map((id) => {
      const { endpoint } = stack.emulator.endpoint(id);
      return [endpoint.type, endpoint.autoscaling_limit_min_cu, endpoint.autoscaling_limit_max_cu];
    });
    expect(sizes.sort()).toEqual(makes);
    expect(await stack.outputs()).toEqual(outputs);
  });
});

it("examples/pull-request prints what docs/images/comment.png shows (else: npm run picture -- comment)", async () => {
  const { stdout } = await run(process.execPath, ["examples/pull-request/local.mjs"], {
    cwd: checkout,
    env: process.env,
  });
  const png = readFileSync(path.join(checkout, "docs/images/comment.png"));
  // Behind the header, as tools/pictures/comment.mjs puts it.
  const shown = png.toString("utf8", 41 + "Comment\0\0\0\0\0".length, 41 + png.readUInt32BE(33));
  const withoutIds = (text: string): string => text.trim().replaceAll(/\b(ep|br)-[\w-]+/g, "$1-…");
  expect(withoutIds(stdout)).toBe(withoutIds(shown));
});

it("runs every example that is a program: component.test.ts the component", () => {
  const folders = readdirSync(examples).filter((name) => existsSync(path.join(examples, name, "index.ts")));
  expect(folders.sort()).toEqual(["autoscaling", "component", "pull-request", "quickstart", "read-replicas"]);
});
