import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "../../..");

interface Defect {
  readonly defect: string;
  readonly file: string;
  readonly from: string;
  readonly beds: readonly string[];
}

const list = readFileSync(path.join(root, "test/reliability/awake/defects.json"), "utf8");
const defects = JSON.parse(list) as readonly Defect[];

it.each(defects)("can be put back, and has tests that are there: $defect", ({ file, from, beds }) => {
  expect(readFileSync(path.join(root, file), "utf8").split(from)).toHaveLength(2);
  expect(beds.filter((bed) => !existsSync(path.join(root, `${bed.split(" > ")[0]}.test.ts`)))).toEqual([]);
});
