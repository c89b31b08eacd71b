import { rmSync } from "node:fs";
import path from "node:path";
import { folderOutside, npmInstall, packInto, succeed, writeFiles } from "../../support/packed";
import { linters } from "./versions";

jest.setTimeout(240_000);

let outside: string;
let tarball: string;

beforeAll(async () => {
  outside = folderOutside();
  tarball = await packInto(path.join(outside, "packed"));
  const dependencies = { "@arethetypeswrong/cli": linters.attw, publint: linters.publint };
  writeFiles(outside, { "package.json": JSON.stringify({ private: true, dependencies }) });
  await npmInstall(outside);
});
afterAll(() => {
  rmSync(outside, { recursive: true, force: true });
});

/** No rule of either is ignored. */
describe("package: the tarball", () => {
  it(`attw ${linters.attw}`, async () => {
    const told = await succeed(["node_modules/.bin/attw", tarball, "--no-emoji"], outside);
    expect(told).toContain("No problems found");
  });

  it(`publint ${linters.publint}`, async () => {
    const told = await succeed(["node_modules/.bin/publint", "run", tarball, "--strict"], outside);
    expect(told).toContain("All good!");
  });
});
