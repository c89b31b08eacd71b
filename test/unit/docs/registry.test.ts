/**
 * What Pulumi's registry asks of a package: members of the schema, and two pages with a front matter. AGENTS.md is
 * checked here too: what it names must exist.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { failureKinds } from "../../../preview/judge/shape";
import { settings } from "../../../provider/settings/table";
import { pluginSchema } from "../../../tools/schema/schema";
import { root, textOf } from "./checkout";

const manifest = JSON.parse(textOf("package.json")) as {
  readonly repository: { readonly url: string };
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
};
const address = manifest.repository.url.replace(/^git\+|\.git$/g, "");
const [, owner = "", name = ""] = new URL(address).pathname.split("/");

interface RegistryPage {
  readonly matter: Readonly<Record<string, string>>;
  readonly body: string;
}

function pageOf(file: string): RegistryPage {
  const [, matter = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(textOf(file)) ?? [];
  const entries = matter.split("\n").map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at), line.slice(at + 1).trim()];
  });
  return { matter: Object.fromEntries(entries) as RegistryPage["matter"], body };
}

describe("the schema", () => {
  const schema = pluginSchema();

  it.each([
    "name",
    "displayName",
    "description",
    "license",
    "publisher",
    "homepage",
    "repository",
    "logoUrl",
  ])("has %s", (member) => {
    expect(schema[member]).toEqual(expect.stringMatching(/\S/));
  });

  it("names the kind and the category by which the registry sorts", () => {
    const keywords = schema["keywords"] as readonly string[];
    expect(keywords).toEqual(expect.arrayContaining(["pulumi", "kind/native"]));
    expect(keywords.filter((keyword) => keyword.startsWith("category/"))).toEqual(["category/database"]);
  });

  it("names one repository everywhere, and a logo that is there", () => {
    expect(schema["repository"]).toBe(address);
    expect(schema["publisher"]).toBe(owner);
    expect(schema["pluginDownloadURL"]).toBe(`github://api.github.com/${owner}/${name}`);
    const [, logo = ""] = String(schema["logoUrl"]).split(`/${owner}/${name}/main/`);
    expect(existsSync(path.join(root, logo))).toBe(true);
  });
});

describe("the registry's pages", () => {
  const index = pageOf("docs/_index.md");
  const installation = pageOf("docs/installation-configuration.md");

  it.each([
    { file: "_index.md", page: index, layout: "package" },
    { file: "installation-configuration.md", page: installation, layout: "installation" },
  ])(
    "$file begins with title, description and layout, and no heading of the first level",
    ({ page, layout }) => {
      expect(Object.keys(page.matter)).toEqual(["title", "meta_desc", "layout"]);
      expect(page.matter["layout"]).toBe(layout);
      expect(page.matter["meta_desc"]!.length).toBeLessThanOrEqual(160);
      expect(page.body.replaceAll(/```.*?```/gs, "")).not.toMatch(/^# /m);
    },
  );

  it("link to no file of the repository by a relative path: the registry has only these two", () => {
    const links = [index, installation].flatMap(({ body }) => [...body.matchAll(/\]\(([^)]+)\)/g)]);
    expect(links.length).toBeGreaterThan(0);
    for (const [, target = ""] of links) expect(target).toMatch(/^https:/);
    for (const [, target = ""] of links.filter(([, url = ""]) => url.includes("github.com")))
      expect(target.startsWith(`${address}/`)).toBe(true);
  });
});

describe("AGENTS.md", () => {
  const text = textOf("AGENTS.md");

  it("names commands, kinds, variables and pages that exist", () => {
    const commands = [...text.matchAll(/npx (compute-[a-z]+)/g)].map(([, command = ""]) => command);
    expect(Object.keys(manifest.bin)).toEqual(expect.arrayContaining(commands));
    const [, kinds = ""] = /--fail-on ([\w,]+)/.exec(text) ?? [];
    expect(failureKinds).toEqual(expect.arrayContaining(kinds.split(",")));
    const variables = Object.values(settings).map(({ variable }) => variable);
    const named = text.match(/COMPUTE_[A-Z_]+/g)!;
    expect(variables).toEqual(expect.arrayContaining(named));
    for (const [file] of text.matchAll(/[\w/-]+\.md/g)) expect(existsSync(path.join(root, file))).toBe(true);
  });

  it("says which pages are in the package, and that the others are in the repository", () => {
    const [own = "", others = ""] = text.split("names the repository, which has the other pages");
    const inPackage = manifest.files.filter((file) => file.endsWith(".md") && file !== "AGENTS.md");
    for (const file of ["README.md", ...inPackage]) expect(own).toContain(file);
    const pages: readonly string[] = others.match(/docs\/[\w-]+\.md/g) ?? [];
    expect(pages.length).toBeGreaterThan(2);
    expect(manifest.files.filter((file) => pages.includes(file))).toEqual([]);
    expect(text).not.toContain("OWNER");
  });
});
