/** The versions of the matrix: pinned, or the newest that npm has. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../../tools/checkout";
import { nodePackage } from "../../../tools/nodes";
import { testedNodes, triedSdks } from "../../../tools/tested";

const manifest = JSON.parse(readFileSync(path.join(checkoutFolder, "package.json"), "utf8")) as {
  engines: { node: string };
  peerDependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

const [, node22, node24, node26] = testedNodes;
const [, newestSdk] = triedSdks;

/** The latest versions when this was written. `TEST_VERSIONS=newest` asks npm for today's latest. */
const latest = {
  node22: { range: `${nodePackage}@22`, seen: node22 },
  node24: { range: `${nodePackage}@24`, seen: node24 },
  nodeNewest: { range: nodePackage, seen: node26 },
  sdk: { range: "@pulumi/pulumi", seen: newestSdk },
  pnpm: { range: "pnpm", seen: "12.21.0" },
  yarn: { range: "@yarnpkg/cli-dist", seen: "4.18.1" },
  bun: { range: "bun", seen: "1.4.5" },
  typescript: { range: "typescript", seen: "7.0.2" },
  attw: { range: "@arethetypeswrong/cli", seen: "0.18.5" },
} as const satisfies Record<string, { range: string; seen: string }>;

/** The highest version in a range, as npm resolves it. */
function askNpm(range: string): string {
  const asked = spawnSync("npm", ["view", range, "version", "--json"], { encoding: "utf8" });
  if (asked.status !== 0) throw new Error(`npm view ${range} ended with ${asked.status}:\n${asked.stderr}`);
  const answer = JSON.parse(asked.stdout) as string | readonly string[];
  return typeof answer === "string" ? answer : [...answer].sort(byVersion).at(-1)!;
}

function byVersion(left: string, right: string): number {
  return left.localeCompare(right, "en", { numeric: true });
}

const asksNpm = process.env["TEST_VERSIONS"] === "newest";

function latestOf(name: keyof typeof latest): string {
  const { range, seen } = latest[name];
  return asksNpm ? askNpm(range) : seen;
}

const floorOf = (range: string): string => /^>=(\S+)/.exec(range)![1]!;

export const node = {
  floor: floorOf(manifest.engines.node),
  "22": latestOf("node22"),
  "24": latestOf("node24"),
  newest: latestOf("nodeNewest"),
};

export const sdk = {
  floor: floorOf(manifest.peerDependencies["@pulumi/pulumi"]!),
  pinned: manifest.devDependencies["@pulumi/pulumi"]!,
  newest: latestOf("sdk"),
};

export const managers = { pnpm: latestOf("pnpm"), yarn: latestOf("yarn"), bun: latestOf("bun") };

/** The oldest compiler that the types support, and the newest. */
export const typescript = { oldest: "5.4.5", newest: latestOf("typescript") };

export const attw = latestOf("attw");
