import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { resourceNames } from "../../../tools/resourceNames";
import { temporaryFolder } from "../../support/temporaryFolder";

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
