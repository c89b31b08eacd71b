import { readFileSync } from "node:fs";
import path from "node:path";
import { computeSizes } from "../../../provider/sizes";
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
