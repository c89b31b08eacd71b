/** The corners of package managers × Node × SDK: every value once at least, and the floors and the newest together. */
import { node, sdk } from "./versions";

export type Manager = "npm" | "pnpm" | "yarn" | "yarn PnP" | "bun";

export interface Corner {
  readonly manager: Manager;
  /** The program is one package of several, and what it imports may be installed above it. */
  readonly inWorkspace: boolean;
  readonly node: keyof typeof node;
  readonly sdk: keyof typeof sdk;
  /** The format of the program. */
  readonly program: "TypeScript" | "ES module";
}

const plain = { inWorkspace: false, program: "TypeScript" } as const;

export const corners: readonly Corner[] = [
  { ...plain, manager: "npm", node: "floor", sdk: "floor" },
  { ...plain, manager: "npm", node: "newest", sdk: "newest" },
  { ...plain, manager: "npm", inWorkspace: true, node: "24", sdk: "pinned" },
  { ...plain, manager: "pnpm", node: "22", sdk: "newest" },
  { ...plain, manager: "pnpm", inWorkspace: true, node: "24", sdk: "floor", program: "ES module" },
  { ...plain, manager: "yarn", node: "22", sdk: "pinned" },
  { ...plain, manager: "yarn PnP", node: "24", sdk: "newest" },
  { ...plain, manager: "bun", node: "newest", sdk: "floor", program: "ES module" },
];

export function nameOf(corner: Corner): string {
  const { manager, inWorkspace, program } = corner;
  const where = inWorkspace ? `${manager} workspace` : manager;
  const versions = `Node ${corner.node} (${node[corner.node]}), SDK ${corner.sdk} (${sdk[corner.sdk]})`;
  return `${where}, ${versions}, ${program}`;
}
