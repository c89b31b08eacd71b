"use strict";

/**
 * Files that only `npm run test:full` runs; `quick` says which tests of `npm test` cover the same. A new file runs in `npm test`
 * until it is listed here.
 */
module.exports = [
  { file: "test/engine/automation.test.ts", quick: "life: the same calls of a program on disk" },
  { file: "test/engine/component.test.ts", quick: "engine/start: a program with the same resources" },
  {
    file: "test/engine/examples.test.ts",
    quick: "unit/preview/golden: the words; `npm run lint`: the types of all examples",
  },
  { file: "test/engine/hosts.test.ts", quick: "life: a program with the host of this machine" },
  {
    file: "test/engine/languages.test.ts",
    quick: "unit/tools/schema: the schema that the SDKs are generated from",
  },
  {
    file: "test/engine/lifecycle.test.ts",
    quick: "life: a first life; scenarios: the same steps with the mini engine",
  },
  { file: "test/engine/linters.test.ts", quick: "unit/docs/workflows" },
  {
    file: "test/engine/miniEngine.test.ts",
    quick: "life: the same steps with the real engine; reliability/model: with the mini engine",
  },
  {
    file: "test/engine/order.test.ts",
    quick: "scenarios/comesBack: what the provider does with one compute",
  },
  { file: "test/engine/package.test.ts", quick: "contract/bundles; unit/tools/tools" },
  {
    file: "test/engine/plugin/executable.test.ts",
    quick: "unit/tools/executables, contract/start: the same code as a script",
  },
  {
    file: "test/engine/plugin/install.test.ts",
    quick: "contract/bundles, contract/start",
  },
  { file: "test/engine/plugin/moving.test.ts", quick: "unit/provider/host/calls: states of both variants" },
  {
    file: "test/engine/previewEnvironments.test.ts",
    quick: "emulator/branches: the same requests; `npm run lint`: its types",
  },
  {
    file: "test/engine/savedPreviews.test.ts",
    quick: "unit/preview/saved: the same filter; unit/docs/workflows: the steps that use it",
  },
  {
    file: "test/engine/sdkPackages.test.ts",
    quick: "unit/tools/schema: the schema that the SDKs are generated from",
  },
  {
    file: "test/engine/verify.test.ts",
    quick: "unit/verify: the same in one process, with the emulator's counters",
  },
  {
    file: "test/reliability/crash/backends.test.ts",
    quick: "unit/provider/run/exportStack, scenarios/unfinished",
  },
];
