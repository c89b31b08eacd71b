import { sectionOf } from "../../../tools/release/changelog";
import { readinessOf, type Candidate } from "../../../tools/release/readiness";
import { shippedOf, type Sbom } from "../../../tools/release/sbom";

const changelog = `# Changelog

## [Unreleased]

### Added

- Later.

## [1.2.0] - 2026-01-02

### Fixed

- A thing, see [1.1.0].

## [1.1.0]

## [1.0.0] - 2025-01-02
`;

describe("a version's section of the changelog", () => {
  it("is the text up to the next version's", () => {
    expect(sectionOf(changelog, "1.2.0")).toEqual({
      date: "2026-01-02",
      text: "### Fixed\n\n- A thing, see [1.1.0].",
    });
    expect(sectionOf(changelog, "Unreleased")).toEqual({ text: "### Added\n\n- Later." });
  });

  it.each(["1.2", "1x2.0", "9.9.9", ""])("is none for %s, which has no heading", (name) => {
    expect(sectionOf(changelog, name)).toBeUndefined();
  });
});

const page = "https://github.com/someone/pulumi-compute-endpoint";
const manifest = {
  version: "1.2.0",
  repository: { url: `git+${page}.git` },
  homepage: `${page}#readme`,
  bugs: `${page}/issues`,
};
const ready: Candidate = { manifest, changelog, changes: "", tag: "v1.2.0", runsIn: undefined };

describe("a release", () => {
  it("is ready where tag, changelog, address and working copy agree", () => {
    expect(readinessOf(ready).filter(({ remedy }) => remedy !== undefined)).toEqual([]);
    expect(readinessOf({ ...ready, runsIn: "someone/pulumi-compute-endpoint" }).length).toBe(4);
  });

  const version = (is: string): Partial<Candidate> => ({
    manifest: { ...manifest, version: is },
    tag: `v${is}`,
  });
  const elsewhere = "git+https://github.com/OWNER/pulumi-compute-endpoint.git";
  const placeholder = "https://github.com/OWNER/pulumi-compute-endpoint";

  it.each<{ candidate: Partial<Candidate>; what: string; state: string; reason: string }>([
    { candidate: { tag: undefined }, what: "tag", state: "none", reason: "there is no tag" },
    {
      candidate: { tag: "v1.3.0" },
      what: "tag",
      state: "v1.3.0, where package.json has 1.2.0",
      reason: "the tag names another version",
    },
    {
      candidate: version("1.3.0"),
      what: "changelog",
      state: "nothing of 1.3.0",
      reason: "the changelog has no section",
    },
    {
      candidate: version("1.1.0"),
      what: "changelog",
      state: "1.1.0 has no date or no text",
      reason: "its section has no date",
    },
    {
      candidate: version("1.0.0"),
      what: "changelog",
      state: "1.0.0 has no date or no text",
      reason: "its section has no text",
    },
    {
      candidate: {
        manifest: {
          ...manifest,
          repository: { url: elsewhere },
          homepage: `${placeholder}#readme`,
          bugs: `${placeholder}/issues`,
        },
      },
      what: "repository",
      state: "OWNER/pulumi-compute-endpoint",
      reason: "the address is the placeholder",
    },
    {
      candidate: { manifest: { ...manifest, repository: { url: elsewhere } } },
      what: "repository",
      state: "OWNER/pulumi-compute-endpoint",
      reason: "the three addresses differ",
    },
    {
      candidate: { runsIn: "a-fork/pulumi-compute-endpoint" },
      what: "repository",
      state: "someone/pulumi-compute-endpoint",
      reason: "it runs in a fork",
    },
    {
      candidate: { changes: " M sdk/index.ts\n?? new.ts\n" },
      what: "working copy",
      state: "2 files differ from the commit",
      reason: "something is not committed",
    },
  ])("is held up where $reason", ({ candidate, what, state }) => {
    const held = readinessOf({ ...ready, ...candidate }).filter(({ remedy }) => remedy !== undefined);
    expect(held).toEqual([{ what, state, remedy: expect.stringMatching(/.{10}/) as string }]);
  });
});

describe("the bill of materials", () => {
  const component = (name: string, more: object = {}): Sbom["components"][number] => ({
    "bom-ref": `${name}@1`,
    name,
    properties: Object.entries(more).map(([property, value]) => ({ name: property, value: String(value) })),
  });
  const development = { "cdx:npm:package:development": true };
  const all: Sbom = {
    metadata: { component: { "bom-ref": "root", name: "a-folder", version: "1.2.0" } },
    components: [
      component("zod"),
      component("@grpc/grpc-js", development),
      component("long", development),
      component("jest", development),
    ],
    dependencies: [
      { ref: "root", dependsOn: ["zod@1", "jest@1", "@grpc/grpc-js@1"] },
      { ref: "@grpc/grpc-js@1", dependsOn: ["long@1"] },
      { ref: "jest@1", dependsOn: ["long@1"] },
    ],
  };
  const shipped = shippedOf(all, {
    name: "pulumi-compute-endpoint",
    bundled: ["@grpc/grpc-js@1"],
  });

  it("has what an installation brings and what is bundled, and nothing that is used here alone", () => {
    expect(shipped.components.map(({ name }) => name)).toEqual(["zod", "@grpc/grpc-js"]);
    expect(shipped.dependencies).toEqual([
      { ref: "root", dependsOn: ["zod@1", "@grpc/grpc-js@1"] },
      { ref: "@grpc/grpc-js@1", dependsOn: [] },
    ]);
  });

  it("has the package's name, not that of the folder it was made in", () => {
    expect(shipped.metadata.component).toEqual({
      ...all.metadata.component,
      name: "pulumi-compute-endpoint",
    });
  });
});
