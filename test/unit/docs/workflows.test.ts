import { corners, nameOf } from "../../strangers/matrix/corners";
import { filesOf, textOf } from "./checkout";

const workflows = filesOf(".github/workflows").map((file) => ({
  name: file.replace(".github/workflows/", ""),
  text: textOf(file),
}));

// What actionlint and zizmor find in them is in test/engine/linters.test.ts.
it.each(workflows)("$name may do nothing that a job does not ask for", ({ text }) => {
  expect(text).toMatch(/^permissions:( \{\}|\n {2}contents: read)$/m);
});

describe("ci.yml", () => {
  const { text } = workflows.find(({ name }) => name === "ci.yml")!;

  it("names systems that never ran as such in the README, until their failure counts", () => {
    expect(text.match(/continue-on-error: true/g)).toHaveLength(1);
    expect(textOf("README.md")).toMatch(/Windows and\s+macOS[^]{0,100}\sthat\s+have never run\./);
  });

  it("runs a life with the newest engine, Node and SDK: one of the corners", () => {
    const [, wanted = ""] = /COMPUTE_ENGINE_VERSION: newest\n[^]*? -t '(.*)'/.exec(text) ?? [];
    const named = corners.filter((corner) => new RegExp(wanted).test(nameOf(corner)));
    expect(named).toEqual([expect.objectContaining({ node: "newest", sdk: "newest" })]);
  });
});

describe("the release", () => {
  const { text } = workflows.find(({ name }) => name === "release.yml")!;
  const job = (name: string): string =>
    new RegExp(`\\n  ${name}:\\n((?: {4,}.*\\n|\\n| {2,}#.*\\n)+)`).exec(text)![1]!;

  it("publishes only what was tested, by trust, and where nothing was built", () => {
    expect(job("npm")).toContain("needs: [test, files]");
    expect(job("npm")).toContain("id-token: write");
    expect(job("npm")).not.toMatch(/checkout|npm (ci|install)|secrets\./);
    expect(text).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN/);
    expect(job("files")).not.toContain("write");
  });

  it("attests every file of the checksums, before it makes the release", () => {
    const github = job("github");
    const attests = github.indexOf("uses: actions/attest-build-provenance@");
    expect(attests).toBeGreaterThan(github.indexOf("uses: actions/download-artifact@"));
    expect(attests).toBeLessThan(github.indexOf("gh release create"));
    expect(github).toContain("subject-checksums: SHA256SUMS");
    expect(github).toMatch(/id-token: write\n +attestations: write/);
    expect(github).not.toMatch(/checkout|npm (ci|install|run)/);
  });

  it("checks the files that it hands on", () => {
    for (const name of ["npm", "github"])
      expect(job(name)).toContain("sha256sum --check --strict SHA256SUMS");
  });
});

it("names the repository in package.json once, and everywhere else as it is there", () => {
  const { repository, homepage, bugs } = JSON.parse(textOf("package.json")) as {
    readonly repository: { readonly url: string };
    readonly [other: string]: unknown;
  };
  // npm derives both from the repository.
  expect({ homepage, bugs }).toEqual({ homepage: undefined, bugs: undefined });
  const [, owner] = /^git\+https:\/\/github\.com\/(\w[\w-]*)\/pulumi-compute-endpoint\.git$/.exec(
    repository.url,
  )!;
  const named = filesOf("*.md", "*.yml", "*.yaml", "*.json").flatMap((file) => {
    const found = textOf(file).matchAll(
      /(?:github\.com\/|uses: |"|`)([\w-]+)\/pulumi-compute-endpoint[/@#.]/g,
    );
    return [...found].map(([, by]) => `${file}: ${by}`);
  });
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((each) => !each.endsWith(`: ${owner}`))).toEqual([]);
  for (const file of ["SECURITY.md", ".github/ISSUE_TEMPLATE/bug.yml", ".github/dependabot.yml"])
    expect(textOf(file)).not.toContain("OWNER");
});
