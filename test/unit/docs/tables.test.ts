import { readFileSync } from "node:fs";
import path from "node:path";
import { factsOf } from "../../../provider/pure/services";
import {
  autoscaling,
  computeSizes,
  fixedSize,
  maxConnections,
  type SizeArgs,
} from "../../../provider/pure/sizes";
import { engineVariables } from "../../../tools/engine/settings";

const textOf = (file: string): string => readFileSync(path.join(__dirname, "..", "..", "..", file), "utf8");

/** The cells of each row of the first table below a heading. */
function rowsBelow(page: string, heading: string): readonly (readonly string[])[] {
  const section = textOf(page).split(`${heading}\n`)[1]!;
  const table = /\n(\|.*?)\n\n/s.exec(section)![1]!;
  const rows = table.split("\n").map((row) => row.split("|").map((cell) => cell.trim()));
  return rows.slice(2).map((cells) => cells.slice(1, -1));
}

it("docs/contributing/interface.md has the sizes that the provider knows", () => {
  const known = computeSizes("interface").map(({ cu, ramGb, localFileCacheGb, maxConnections }) => [
    String(cu),
    `${ramGb} GB`,
    `${localFileCacheGb} GB`,
    String(maxConnections),
  ]);
  expect(rowsBelow("docs/contributing/interface.md", "### 8.1 Sizes")).toEqual(known);
});

it("docs/neon.md has the figures that the provider has of Neon", () => {
  const rows = rowsBelow("docs/neon.md", "## What is different there");
  const told: Readonly<Record<string, string>> = Object.fromEntries(
    rows.map(([topic = "", there = ""]) => [topic, there] as const),
  );
  const at = (size: SizeArgs): string | undefined => maxConnections(size, "neon")?.toLocaleString("en");
  const range = at(autoscaling(0.25, 2));
  expect(range).toBe(at(fixedSize(2)));
  expect(told["max_connections"]).toBe(
    `by both limits: ${at(fixedSize(0.25))} for 0.25 CU, ${at(fixedSize(1))} for 1, ${range} for 2 and for 0.25 to 2, ` +
      `${at(autoscaling(1, 8))} for 1 to 8; from 100 to ${at(fixedSize(56))}`,
  );
  const { sizes, ranges, suspendsUpToCu, fileCacheShare, fileCacheBelowCu } = factsOf("neon")!;
  expect(sizes.filter((cu) => cu < 1 || cu > ranges!.mostCu)).toEqual([
    ...[0.25, 0.5, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54, 56],
  ]);
  expect(told["sizes"]).toBe("0.25, 0.5, 1 to 16 CU, then even numbers from 18 to 56");
  expect(told["autoscaling"]).toBe(
    `up to ${ranges?.mostCu} CU, and at most ${ranges?.spanCu} CU between the limits`,
  );
  expect(told["file cache"]).toContain(
    `${fileCacheShare * 100} % of the RAM; from ${fileCacheBelowCu} CU on`,
  );
  expect(told["autosuspend"]).toContain(`above ${suspendsUpToCu} CU a compute never suspends`);
});

it("docs/contributing/building.md has the variables of the engine", () => {
  const told = rowsBelow("docs/contributing/building.md", "## The engine").map(([variable]) => variable);
  expect(told).toEqual(Object.values(engineVariables).map((variable) => `\`${variable}\``));
});

it("CONTRIBUTING.md has the folders that there are", () => {
  const told = rowsBelow("CONTRIBUTING.md", "## Folders").map(([room]) => room!.replaceAll(/[`/]/g, ""));
  const { include } = JSON.parse(textOf("tsconfig.json").replaceAll(/^\s*\/\/.*$/gm, "")) as {
    include: string[];
  };
  const isRoom = (name: string): boolean => !name.includes("*");
  expect([...told].sort()).toEqual(include.filter(isRoom).sort());
});
