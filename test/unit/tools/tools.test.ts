/** Checks the lists of past defects and of long tests, and the archives of the plugin. */
import { chmodSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as tar from "tar";
import { packFolder } from "../../../tools/plugin/pack";
import { temporaryFolder } from "../../support/temporaryFolder";

const root = path.join(__dirname, "../../..");

interface Defect {
  readonly defect: string;
  readonly file: string;
  readonly from: string;
  readonly beds: readonly string[];
}

const list = readFileSync(path.join(root, "test/reliability/awake/defects.json"), "utf8");
const defects = JSON.parse(list) as readonly Defect[];

it.each(defects)("a past defect can be put back, and its tests exist: $defect", ({ file, from, beds }) => {
  expect(readFileSync(path.join(root, file), "utf8").split(from)).toHaveLength(2);
  expect(beds.filter((bed) => !existsSync(path.join(root, `${bed.split(" > ")[0]}.test.ts`)))).toEqual([]);
});

const fullOnly = jest.requireActual<readonly { file: string }[]>("../../lanes/fullOnly.js");

it("the files that npm test leaves to npm run test:full exist", () => {
  expect(fullOnly.filter(({ file }) => !existsSync(path.join(root, file)))).toEqual([]);
});

/** Writes a plugin as a build would write it at this time, with these file modes. */
function builtPlugin(mode: number, at: Date): string {
  const plugin = temporaryFolder();
  for (const [name, text] of [
    ["plugin.js", "code"],
    ["pulumi-resource-compute", "starts"],
    ["package.json", '{"version":"1.2.3"}'],
  ] as const) {
    const file = path.join(plugin, name);
    writeFileSync(file, text);
    chmodSync(file, name.includes(".") ? mode : mode | 0o111);
    utimesSync(file, at, at);
  }
  return plugin;
}

it("the plugin is packed in the same bytes at any time and under any umask", async () => {
  const folder = temporaryFolder();
  const [first, second] = ["first.tar.gz", "second.tar.gz"].map((name) => path.join(folder, name));
  await packFolder(builtPlugin(0o644, new Date("2024-05-06T07:08:09Z")), first!);
  await packFolder(builtPlugin(0o600, new Date("2025-01-01T00:00:00Z")), second!);
  expect(readFileSync(first!).equals(readFileSync(second!))).toBe(true);
  const modes: Record<string, string | undefined> = {};
  const onReadEntry = ({ path: name, mode }: tar.ReadEntry): void => void (modes[name] = mode?.toString(8));
  await tar.list({ file: first!, onReadEntry });
  expect(modes).toEqual({ "package.json": "644", "plugin.js": "644", "pulumi-resource-compute": "755" });
});
