"use strict";

/** The rooms, and which way imports may go. CONTRIBUTING.md has the map. */
const rooms = "^(sdk|provider|preview|emulator|tools|examples)/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: { path: rooms },
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "emulator-stands-alone",
      comment:
        "A mistake shared between the provider and the service it is tested against would hide itself.",
      severity: "error",
      from: { path: "^emulator/" },
      to: { path: "^(sdk|provider|preview|tools)/" },
    },
    {
      name: "emulator-model-below-its-http",
      comment: "What the service does is one thing, how it is asked another.",
      severity: "error",
      from: { path: "^emulator/model/" },
      to: { path: "^emulator/(http|faults|controls|persistence)/" },
    },
    {
      name: "provider-knows-no-face",
      comment: "The provider process loads ./provider alone.",
      severity: "error",
      from: { path: "^provider/" },
      to: { path: "^(sdk|preview|emulator|tools)/" },
    },
    {
      name: "sdk-loads-only-pure-provider-files",
      comment: "A stack program must not pay for undici and zod; lookups import them when first called.",
      severity: "error",
      from: { path: "^sdk/" },
      to: {
        path: "^(provider/(?!endpoint/effects\\.ts$|sizes\\.ts$)|preview/|emulator/|tools/)",
        dependencyTypesNot: ["type-only"],
        dynamic: false,
      },
    },
    {
      name: "pure-files-import-nothing",
      severity: "error",
      from: { path: "^provider/(endpoint/effects|sizes)\\.ts$" },
      to: { dependencyTypesNot: ["type-only"], pathNot: "^provider/(endpoint/effects|sizes)\\.ts$" },
    },
    {
      name: "api-below-operations-below-endpoint",
      severity: "error",
      from: { path: "^provider/api/" },
      to: { path: "^provider/(operations|endpoint)/" },
    },
    {
      name: "operations-below-endpoint",
      severity: "error",
      from: { path: "^provider/operations/" },
      to: { path: "^provider/endpoint/" },
    },
    {
      name: "preview-reads-words-only",
      comment: "compute-preview reads the engine's JSON; from the provider it takes pure files.",
      severity: "error",
      from: { path: "^preview/" },
      to: { path: "^(sdk|emulator|tools|provider/(?!endpoint/effects\\.ts$|sizes\\.ts$))" },
    },
    {
      name: "nothing-imports-tools-or-tests",
      severity: "error",
      from: { path: "^(sdk|provider|preview|emulator)/" },
      to: { path: "^(tools|test|bench)/" },
    },
    {
      name: "shipped-code-uses-declared-dependencies",
      severity: "error",
      from: { path: "^(sdk|provider|preview|emulator)/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["npm-peer", "type-only"],
      },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^dist/" },
  },
};
