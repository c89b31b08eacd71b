/**
 * Builds the site, build/docs/: README.md as its front page, the pages of docs/, and the comments on public names.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { URL } from "node:url";
import { Converter, OptionDefaults, ReflectionKind, RendererEvent } from "typedoc";

const { repository, exports } = JSON.parse(readFileSync("package.json", "utf8"));
const repositoryAddress = repository.url.replace(/^git\+|\.git$/g, "");
/** The site is built from the main branch, and links to files of that branch. */
const filesAddress = `${repositoryAddress}/blob/main/`;

/** Pages by the group of README.md that links to them. */
const groups = new Map();
const [, list] = readFileSync("README.md", "utf8").split("## More pages");
for (const [, group, links] of list.matchAll(/^- \*\*(.+?)\*\*: (.*)$/gm))
  for (const [, page] of links.matchAll(/\]\(([\w/-]+\.md)\)/g)) groups.set(page, group);
const groupNames = [...new Set(groups.values())];

/** Pages for Pulumi's registry, which renders them with its own titles. */
const ofTheRegistry = ["_index.md", "installation-configuration.md"];
for (const name of readdirSync("docs", { recursive: true })
  .map((file) => file.replaceAll(path.sep, "/"))
  .filter((file) => file.endsWith(".md") && !ofTheRegistry.includes(file))
  .sort())
  if (!groups.has(`docs/${name}`)) groups.set(`docs/${name}`, groupNames.at(-1));

/** @type {import("typedoc").TypeDocOptions} */
export default {
  name: "pulumi-compute-endpoint",
  includeVersion: true,
  // The entry points that programs may import: not `./provider`, which only stored states name.
  entryPoints: Object.entries(exports)
    .filter(([entry, { types }]) => types !== undefined && entry !== "./provider")
    .map(([, { types }]) => types.replace("./dist/", "").replace(".d.ts", ".ts")),
  tsconfig: "tsconfig.build.json",
  out: "build/docs",
  projectDocuments: [...groups.keys()],
  plugin: [plugin],
  logLevel: "Warn",
  // `npm run types` compiles the same files.
  skipErrorChecking: true,
  treatWarningsAsErrors: true,
  // `linkPages` checks links: those to files of the repository lead out of the site.
  validation: { notExported: true, invalidLink: true, invalidPath: false, notDocumented: true },
  // Git is not asked for an address, so that every clone builds the same site, wherever it came from.
  disableGit: true,
  sourceLinkTemplate: `${filesAddress}{path}#L{line}`,
  navigationLinks: { Repository: repositoryAddress },
  // Each page has its own heading.
  headings: { readme: false, document: false },
  navigation: { includeGroups: true },
  groupOrder: [...groupNames, "Modules", "*"],
  searchInDocuments: true,
  customCss: "tools/docs/site.css",
  // A file name such as CHANGELOG.md must not become a link.
  markdownItOptions: { html: true, linkify: false },
  markdownItLoader: keepCodeInHeadings,
  highlightLanguages: [...OptionDefaults.highlightLanguages, "python", "sql"],
  excludeInternal: true,
  excludeExternals: true,
};

function plugin(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
    page.name = path.parse(fileOf(page)).name;
    page.frontmatter.group = groups.get(fileOf(page));
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    // Members that the code derives from a table have no declaration that could have a comment.
    const made = Object.values(project.reflections).filter(
      (one) => one.kindOf(ReflectionKind.Property) && (one.sources === undefined || isInVariable(one)),
    );
    app.options.setValue(
      "intentionallyNotDocumented",
      made.filter((one) => !one.hasComment()).map((one) => one.getFullName()),
    );
    linkPages(app, { content: project.readme, file: "README.md", project });
    for (const page of project.documents)
      linkPages(app, { content: page.content, file: fileOf(page), project });
  });
  // Each page already has its address, which is made from its file's name. So the titles can change now.
  app.renderer.on(RendererEvent.BEGIN, ({ project }) => {
    for (const page of project.documents) page.name = titleOf(page);
  });
}

function titleOf({ content }) {
  const text = content.map((part) => part.text).join("");
  return /^# (.*)$/m.exec(text)[1].replaceAll("`", "");
}

const fileOf = (page) =>
  path.relative("", page.project.files.getReflectionPath(page)).replaceAll(path.sep, "/");

function isInVariable({ parent }) {
  return parent !== undefined && (parent.kindOf(ReflectionKind.Variable) || isInVariable(parent));
}

/** Links that lead neither to a page nor to a picture lead to the repository. */
function linkPages(app, { content, file, project }) {
  for (const [at, part] of content.entries()) {
    if (part.kind !== "relative-link") continue;
    const target = part.target === undefined ? undefined : project.files.resolve(part.target, project);
    if (typeof target === "object" || /\.(png|svg)$/.test(target)) continue;
    const address = new URL(part.text, filesAddress + file).href;
    const [linked] = decodeURI(address.replace(filesAddress, "")).split("#");
    // Addresses outside the files are pages of the repository itself, such as its advisories.
    if (address.startsWith(filesAddress) && !existsSync(linked))
      app.logger.error(`${file} links to ${part.text}, which is not there.`);
    content[at] = { kind: "text", text: address };
  }
}

/** TypeDoc leaves code out of a heading's anchor and of the list of a page's headings; GitHub does not. */
function keepCodeInHeadings(parser) {
  parser.core.ruler.push("code-in-headings", ({ tokens, Token }) => {
    for (const [at, { type }] of tokens.entries()) {
      if (type !== "heading_open") continue;
      for (const code of tokens[at + 1].children.filter((child) => child.type === "code_inline"))
        code.children = [Object.assign(new Token("text", "", 0), { content: code.content })];
    }
  });
}
