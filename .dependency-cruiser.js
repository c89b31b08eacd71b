"use strict";

/** The rooms (top-level folders), and the directions in which they may import. CONTRIBUTING.md has the map. */
const rooms = "^(sdk|provider|preview|import|verify|action|emulator|tools|bench|examples)/";

/** Tables and rules that need neither a service nor an engine: provider, reports and stack programs share them. */
const model = "^provider/model/";

/** The files of the model that only the provider uses: they load zod. */
const declared = "^provider/model/(inputs|sizeFailures|state)\\.ts$";

/** The files of the provider that stack programs may load: they load no packages, not even zod. */
const costsNothing =
  "^provider/(model/(?!(stored|inputs|sizeFailures|state)\\.ts$)|settings/(sources|table)\\.ts$)";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: { path: rooms },
      to: { circular: true },
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
      from: { path: "^emulator/service/model/" },
      to: { path: "^emulator/service/(http|faults|controls|persistence)/" },
    },
    {
      name: "emulator-service-without-extras",
      comment:
        "The service could be a package of its own: Postgres servers, their driver and the console build on it.",
      severity: "error",
      from: { path: "^emulator/service/" },
      to: { path: "^emulator/(?!service/)" },
    },
    {
      name: "extras-are-loaded-where-they-are-asked-for",
      comment: "Most tests open neither the console nor real computes: they need not load them.",
      severity: "error",
      from: { path: "^emulator/(?!extras/)" },
      to: { path: "^emulator/extras/", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "hosts-behind-the-seam",
      comment:
        "What the service does is the same whether computes are real or not: hosts are opened in one place.",
      severity: "error",
      from: { path: "^emulator/(?!extras/postgres/|extras/computes/open\\.ts$)" },
      to: { path: "^emulator/extras/postgres/" },
    },
    {
      name: "postgres-knows-the-seam-alone",
      severity: "error",
      from: { path: "^emulator/extras/postgres/" },
      to: { path: "^emulator/(?!extras/postgres/|service/host\\.ts$)" },
    },
    {
      name: "provider-knows-no-face",
      comment: "The provider process loads ./provider alone.",
      severity: "error",
      from: { path: "^provider/" },
      to: { path: "^(sdk|preview|import|verify|emulator|tools)/" },
    },
    {
      name: "provider-loads-undici-with-the-first-request",
      comment:
        "Most runs of a stack send nothing. wiring.ts, which brings it, is loaded with the first request.",
      severity: "error",
      from: { path: "^provider/", pathNot: "^provider/wiring\\.ts$" },
      to: { path: "^provider/service/transport\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "sdk-loads-only-pure-provider-files",
      comment: "A stack program must not pay for undici and zod; lookups import them when first called.",
      severity: "error",
      from: { path: "^sdk/" },
      to: {
        path: "^(provider|preview|emulator|tools)/",
        pathNot: [costsNothing, "^provider/version\\.ts$"],
        dependencyTypesNot: ["type-only"],
        dynamic: false,
      },
    },
    {
      name: "what-costs-nothing-imports-nothing",
      severity: "error",
      from: { path: costsNothing },
      to: { dependencyTypesNot: ["core", "type-only"], pathNot: costsNothing },
    },
    {
      name: "tables-import-each-other",
      comment: "compute-preview loads them: neither undici nor anything of Pulumi comes with them.",
      severity: "error",
      from: { path: model, pathNot: declared },
      to: { pathNot: [model, "^node_modules/zod/"], dependencyTypesNot: ["core", "type-only"] },
    },
    {
      name: "model-below-the-rest",
      comment: "It says what a compute is, and asks nobody.",
      severity: "error",
      from: { path: model },
      to: { path: "^provider/(service|run|plan|lifecycle|host)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "service-below-its-users",
      comment: "How the service is asked is one thing, what for another.",
      severity: "error",
      from: { path: "^provider/service/" },
      to: { path: "^provider/(run|plan|lifecycle)/" },
    },
    {
      name: "plan-below-lifecycle",
      comment: "A preview plans and applies nothing; what is applied asks the same plan.",
      severity: "error",
      from: { path: "^provider/plan/" },
      to: { path: "^provider/lifecycle/" },
    },
    {
      name: "plan-asks-in-one-place",
      comment:
        "Whoever changes what a preview says need not read how requests are sent: a list is all that it asks for.",
      severity: "error",
      from: { path: "^provider/plan/", pathNot: "^provider/plan/live\\.ts$" },
      to: {
        path: "^provider/(service/(?!lists\\.ts$)|run/stackBackend\\.ts$|wiring\\.ts$)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "creating-judges-nothing",
      comment:
        "To create exactly once is a subject of its own: what is taken over or changed stands above it.",
      severity: "error",
      from: { path: "^provider/lifecycle/(post|candidates|cutOff|recentReplicas)\\.ts$" },
      to: {
        path: "^provider/(lifecycle/(due|patch|receipt|update|create|adopt)|plan/(check|compare|diff|newResource)|model/(interruption|notice|policy))\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "settings-below-the-rest",
      severity: "error",
      from: { path: "^provider/settings/" },
      to: { path: "^provider/(service|run|plan|lifecycle|host)/" },
    },
    {
      name: "preview-asks-pure-files",
      comment: "compute-preview reads the engine's JSON; the provider's rules are asked where they are pure.",
      severity: "error",
      from: { path: "^preview/" },
      to: {
        path: "^(sdk/|emulator/|tools/|provider/)",
        pathNot: [model, "^provider/(version|redact)\\.ts$"],
      },
    },
    {
      name: "preview-reads-then-judges-then-renders",
      severity: "error",
      from: { path: "^preview/read/" },
      to: { path: "^preview/(?!read/)" },
    },
    {
      name: "guests-know-what-is-read-alone",
      comment:
        "Other providers are guests: Terraform's form, their table and their rules need nothing of our own judgement.",
      severity: "error",
      from: { path: "^preview/peers/" },
      to: { path: "^preview/(?!peers/|read/|shape\\.ts$)" },
    },
    {
      name: "preview-judges-then-renders",
      severity: "error",
      from: { path: "^preview/judge/" },
      to: { path: "^preview/(?!read/|peers/|judge/|(shape|outcomes)\\.ts$)" },
    },
    {
      name: "import-reads-as-lookups-do",
      comment: "compute-import lists as a program's lookups do, and never writes.",
      severity: "error",
      from: { path: "^import/" },
      to: {
        path: "^(sdk/|emulator/|tools/|action/|preview/|provider/)",
        pathNot: [
          "^preview/(read/(call|standardStreams|urn)|peers/table|render/(aligned|escape))\\.ts$",
          "^provider/(facts|lookups|version|settings/config|model/inputs)\\.ts$",
        ],
      },
    },
    {
      name: "nothing-imports-the-import",
      severity: "error",
      from: { path: "^(sdk|provider|preview|action|emulator|tools|bench)/" },
      to: { path: "^import/" },
    },
    {
      name: "verify-asks-the-provider",
      comment:
        "compute-verify judges nothing and sends nothing by itself: it calls the provider's host as an engine does, and looks with its client.",
      severity: "error",
      from: { path: "^verify/" },
      to: {
        path: "^(sdk/|emulator/|tools/|action/|import/|preview/|provider/)",
        pathNot: [
          "^preview/(read/(call|standardStreams)|render/aligned|connections/postgres)\\.ts$",
          "^provider/host/(session|check|diff|create|update|delete)\\.ts$",
          "^provider/(clock|wiring|version)\\.ts$",
          "^provider/(settings/config|lifecycle/receipt|service/(observation|operations|running|schemas|wait))\\.ts$",
          model,
        ],
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "the-watcher-alone-is-shared",
      comment: "The demo holds a connection open as compute-verify does.",
      severity: "error",
      from: { path: "^(sdk|provider|preview|import|action|emulator|tools|bench)/" },
      to: { path: "^verify/(?!watcher\\.ts$)" },
    },
    {
      name: "action-stands-over-the-preview",
      comment: "The action runs compute-preview as it is; what it has of its own is GitHub.",
      severity: "error",
      from: { path: "^action/" },
      to: { path: "^(sdk|provider|emulator|tools|bench|test)/" },
    },
    {
      name: "nothing-imports-the-action",
      severity: "error",
      from: { path: "^(sdk|provider|preview|import|emulator|tools|bench)/" },
      to: { path: "^action/" },
    },
    {
      name: "host-is-the-edge",
      comment: "What is stored and what crosses to the engine's process is known there alone.",
      severity: "error",
      from: { path: "^provider/(?!host/|index\\.ts$|plugin\\.ts$)" },
      to: { path: "^provider/host/" },
    },
    {
      name: "host-core-below-its-variants",
      comment: "What both variants share stands below each of them.",
      severity: "error",
      from: { path: "^provider/host/[^/]+\\.ts$" },
      to: { path: "^provider/host/[^/]+/" },
    },
    {
      name: "host-variants-apart",
      severity: "error",
      from: { path: "^provider/host/([^/]+)/" },
      to: { path: "^provider/host/[^/]+/", pathNot: "^provider/host/$1/" },
    },
    {
      name: "nothing-imports-tools-or-tests",
      severity: "error",
      from: { path: "^(sdk|provider|preview|import|verify|action|emulator)/" },
      to: { path: "^(tools|test|bench)/" },
    },
    {
      name: "shipped-code-uses-declared-dependencies",
      severity: "error",
      // Bundled files contain the packages that they use.
      from: {
        path: "^(sdk|provider|preview|import|verify|action|emulator)/",
        pathNot: "^(action/findings|provider/(plugin|host/plugin/(server|messages)))\\.ts$",
      },
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
    exclude: { path: "^(dist|emulator/test)/" },
  },
};
