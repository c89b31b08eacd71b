import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deflateSync } from "node:zlib";
import { checkoutFolder } from "../../../tools/checkout";
import { accessible } from "../../../tools/docs/accessible";
import { checkLinks, type LinkCheck } from "../../../tools/docs/links";
import { addressOf, documents, linkedFile, repositoryAddress, titleOf } from "../../../tools/docs/pages";
import { entries } from "../../../tools/docs/site";
import { removeTemporaryFolders, temporaryFolder } from "./temporaryFolder";

afterEach(removeTemporaryFolders);

const manifest = JSON.parse(readFileSync(path.join(checkoutFolder, "package.json"), "utf8")) as {
  exports: Record<string, { types?: string }>;
};

describe("the reference", () => {
  it("has every entry that a program may import, and not the one that stored states name", () => {
    const declared = Object.entries(manifest.exports).flatMap(([entry, { types }]) =>
      entry === "./provider" || types === undefined
        ? []
        : [types.replace("./dist/", "").replace(".d.ts", ".ts")],
    );
    expect([...entries].sort()).toEqual(declared.sort());
  });
});

describe("the pages", () => {
  it.each(documents())("%s has a title, and is where it is said to be", (file) => {
    expect(titleOf(file)).not.toBe("");
  });

  it.each([
    { reason: "a picture is copied", target: "docs/images/comment.png", address: undefined },
    { reason: "a file is read in the repository", target: "LICENSE", address: "/blob/main/LICENSE" },
    { reason: "so is a folder", target: "examples/drift", address: "/tree/main/examples/drift" },
  ])("know where to find what they link to: $reason", ({ target, address }) => {
    const found = addressOf(path.join(checkoutFolder, target), "README.md");
    expect(found).toBe(address && repositoryAddress() + address);
    if (found !== undefined) expect(linkedFile(found)).toBe(path.join(checkoutFolder, target));
  });

  it("may link to the repository's own pages, which are no files", () => {
    const advisories = addressOf("../../security/advisories/new", "SECURITY.md");
    expect(advisories).toBe(`${repositoryAddress()}/security/advisories/new`);
    expect(addressOf("#reporting", "SECURITY.md")).toBeUndefined();
  });
});

describe("the theme's HTML", () => {
  it.each([
    {
      reason: "a page has a main landmark",
      html: '<div class="col-content">',
      fixed: '<div class="col-content" role="main">',
    },
    {
      reason: "a control has no link inside",
      html: '<summary><h2>A<a href="#a" class="tsd-anchor-icon"><svg></svg></a></h2></summary>',
      fixed: "<summary><h2>A</h2></summary>",
    },
    { reason: "a keyboard scrolls a wide table", html: "<table>", fixed: '<table tabindex="0">' },
    { reason: "no heading level is left out", html: "<h4>Hierarchy", fixed: '<h4 aria-level="2">Hierarchy' },
  ])("is corrected: $reason", ({ html, fixed }) => {
    expect(accessible(html)).toBe(fixed);
  });
});

describe("the check of links", () => {
  const script = (json: string): string =>
    `window.data = "${deflateSync(Buffer.from(json)).toString("base64")}"`;

  function check(files: Readonly<Record<string, string>>): LinkCheck {
    const site = temporaryFolder();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(site, name)), { recursive: true });
      writeFileSync(path.join(site, name), text);
    }
    return checkLinks(site, linkedFile);
  }

  it("passes what leads somewhere", () => {
    const { pages, links, broken } = check({
      "index.html": '<a href="guides/a.html#two"></a><img src="a.png"><a href="https://example.com/x"></a>',
      "guides/a.html": '<h2 id="two"></h2><a href="../index.html"></a><a href="#two"></a>',
      "a.png": "",
      "assets/navigation.js": script('[{"path":"guides/a.html"}]'),
    });
    expect({ pages, links, broken }).toEqual({ pages: 2, links: 6, broken: [] });
  });

  it.each([
    { reason: "a page that is not there", html: '<a href="b.html"></a>', what: "there is no such file" },
    { reason: "a picture that is not there", html: '<img src="b.png">', what: "there is no such file" },
    { reason: "a heading that is not there", html: '<h2 id="one"></h2><a href="#two"></a>', what: "heading" },
    { reason: "a folder", html: '<a href="guides"></a>', what: "it is a folder" },
    { reason: "the server's root", html: '<a href="/index.html"></a>', what: "server's root" },
    {
      reason: "a file that the repository has not",
      html: `<a href="${repositoryAddress()}/blob/main/docs/nothing.md"></a>`,
      what: "the repository has no such file",
    },
  ])("finds a link to $reason", ({ html, what }) => {
    const { broken } = check({ "index.html": html, "guides/a.html": "" });
    expect(broken).toEqual([
      expect.objectContaining({ page: "index.html", what: expect.stringContaining(what) as string }),
    ]);
  });

  it("names the heading that was meant", () => {
    const { broken } = check({ "index.html": '<h2 id="size-of"></h2><a href="#sizes"></a>' });
    expect(broken).toEqual([expect.objectContaining({ link: "#sizes", fix: "One of #size-of" })]);
  });

  it("looks into the navigation and the search, which are no HTML", () => {
    const { broken } = check({
      "assets/search.js": script('{"rows":[{"name":"a","url":"functions/a.html"}]}'),
    });
    expect(broken).toEqual([
      expect.objectContaining({ page: "assets/search.js", link: "../functions/a.html" }),
    ]);
  });
});
