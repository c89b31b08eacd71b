import { existsSync } from "node:fs";
import path from "node:path";

const root = path.join(__dirname, "..", "..", "..");
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
