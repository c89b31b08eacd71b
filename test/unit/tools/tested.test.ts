/** What was tested, as `npm run doctor` and docs/install.md say it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import semver from "semver";
import { newestEngineVersion, testedEngineVersion } from "../../../tools/engine/version";
import { testedNodes, testsOfEngine, testsOfNode, testsOfSdk, triedSdks } from "../../../tools/tested";

const root = path.join(__dirname, "../../..");
const textOf = (file: string): string => readFileSync(path.join(root, file), "utf8");

it.each([
  { version: "20.20.2", says: "tested" },
  { version: "24.1.0", says: "tested with 24.21.0" },
  { version: "25.0.0", says: "not tested; the tests were run with Node 20, 22, 24, 26" },
])("the doctor says about Node $version: $says", ({ version, says }) => {
  expect(testsOfNode(version)).toBe(says);
});

const tried = `tried with one stack of the dynamic provider and one of the plugin; the tests were run with ${testedEngineVersion}`;
const neither = `not tested; the tests were run with ${testedEngineVersion}`;

it.each([
  { version: testedEngineVersion, ofSdk: "tested", ofEngine: "tested" },
  { version: newestEngineVersion, ofSdk: tried, ofEngine: tried },
  { version: "3.216.0", ofSdk: tried, ofEngine: neither },
  { version: "3.250.0", ofSdk: neither, ofEngine: neither },
])("the doctor says how much was tested with Pulumi $version", ({ version, ofSdk, ofEngine }) => {
  expect({ ofSdk: testsOfSdk(version), ofEngine: testsOfEngine(version) }).toEqual({ ofSdk, ofEngine });
});

it("docs/install.md names the same versions", () => {
  const [, nodes, pulumi, sdks, engine] =
    /with Node ([\d, and]+) and Pulumi (\S+)\. A stack of the dynamic provider and one of the plugin were also tried with Pulumi's SDK (\S+ and \S+), the latter with an engine (\S+) built/.exec(
      textOf("docs/install.md").replaceAll("\n", " "),
    )!;
  expect(nodes!.match(/\d+/g)).toEqual(testedNodes.map((version) => String(semver.major(version))));
  expect([pulumi, sdks, engine]).toEqual([testedEngineVersion, triedSdks.join(" and "), newestEngineVersion]);
});

it("the SDK of package.json was tested, and so was the oldest that it allows", () => {
  const { devDependencies, peerDependencies } = JSON.parse(textOf("package.json")) as Record<
    "devDependencies" | "peerDependencies",
    Readonly<Record<string, string>>
  >;
  expect(devDependencies["@pulumi/pulumi"]).toBe(testedEngineVersion);
  expect(peerDependencies["@pulumi/pulumi"]).toMatch(new RegExp(`^>=${triedSdks[0]} `));
});
