/** What keeps the suite and the small tools honest. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endChildren, runChild } from "../../../tools/children";
import { resourceNames } from "../../../tools/resourceNames";
import { itUnlessWindows } from "../../support/systems";
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

it.each(defects)(
  "a past defect can be put back, and has tests that are there: $defect",
  ({ file, from, beds }) => {
    expect(readFileSync(path.join(root, file), "utf8").split(from)).toHaveLength(2);
    expect(beds.filter((bed) => !existsSync(path.join(root, `${bed.split(" > ")[0]}.test.ts`)))).toEqual([]);
  },
);

const fullOnly = jest.requireActual<readonly { file: string; quick: string }[]>("../../lanes/fullOnly.js");

describe("the files that npm test leaves to npm run test:full", () => {
  it("are there, once each, with what npm test has of the same", () => {
    expect(fullOnly.filter(({ file }) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(new Set(fullOnly.map(({ file }) => file)).size).toBe(fullOnly.length);
    for (const { quick } of fullOnly) expect(quick).toMatch(/\w{3}/);
  });

  it.each([
    { extent: "quick", hasFull: false },
    { extent: "rest", hasFull: true },
    { extent: "all", hasFull: true },
  ])("are looked for in the part $extent: $hasFull", ({ extent, hasFull }) => {
    jest.replaceProperty(process, "env", { ...process.env, TEST_EXTENT: extent });
    jest.isolateModules(() => {
      const { testMatchOf } = jest.requireActual<{
        testMatchOf: (lane: string, folder: string) => readonly string[];
      }>("../../lanes/lanes.js");
      const matched = testMatchOf("engine", root);
      const { file } = fullOnly.find((one) => one.file.startsWith("test/engine/"))!;
      const isNamed = matched.includes(`<rootDir>/${file}`) || matched[0]!.endsWith("/**/*.test.ts");
      expect(isNamed && !matched.includes(`!**/${file}`)).toBe(hasFull);
    });
    jest.restoreAllMocks();
  });
});

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) await sleep(20);
}

itUnlessWindows("it has no process groups", "ends what a detached child has started, too", async () => {
  const file = path.join(temporaryFolder(), "pid");
  const read = (): string => (existsSync(file) ? readFileSync(file, "utf8") : "");
  // As npm's shell does, this one waits for a child to which it passes no signal.
  const child = runChild("sh", ["-c", `sleep 60 & echo $! > '${file}'; wait`], { detached: true });
  await until(() => read().endsWith("\n"));
  const pid = Number(read());
  expect(runs(pid)).toBe(true);
  endChildren();
  expect(await child).toEqual({ code: null, signal: "SIGTERM" });
  await until(() => !runs(pid));
});

it("names the computes of every stack, by the ids of both variants", () => {
  const folder = temporaryFolder();
  const stacks = path.join(folder, "state/.pulumi/stacks/shop");
  mkdirSync(stacks, { recursive: true });
  const urn = (type: string, name: string): string => `urn:pulumi:local::shop::${type}::${name}`;
  const resources = [
    { urn: urn("pulumi:pulumi:Stack", "shop-local") },
    { urn: urn("pulumi:providers:pulumi-nodejs", "default"), id: "f9fd4820" },
    { urn: urn("pulumi-nodejs:dynamic/compute:Endpoint", "app"), id: "ep-one-1" },
    { urn: urn("my:Shop$compute:index:Endpoint", "reports"), id: "calm-sea-1/ep-two-2" },
  ];
  writeFileSync(path.join(stacks, "local.json"), JSON.stringify({ checkpoint: { latest: { resources } } }));
  writeFileSync(path.join(stacks, "empty.json"), JSON.stringify({ checkpoint: {} }));
  writeFileSync(path.join(stacks, "half.json"), '{"checkpoint":');
  expect(resourceNames(folder)).toEqual({ "ep-one-1": "app", "ep-two-2": "reports" });
});

it("names nothing where there is no stack yet", () => {
  expect(resourceNames(temporaryFolder())).toEqual({});
});
