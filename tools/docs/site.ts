/**
 * Makes the site with TypeDoc: the entries of the package as its sources describe them, and the pages of docs/.
 */
import path from "node:path";
import type {
  Application,
  DocumentReflection,
  PageEvent,
  ProjectReflection,
  Reflection,
  TypeDocOptions,
} from "typedoc" with { "resolution-mode": "import" };

import { checkoutFolder } from "../checkout";
import { ExpectedError } from "../expectedError";
import { accessible } from "./accessible";
import { linkCitations } from "./citations";
import { checkExamples } from "./examples";
import { keepCodeInHeadings } from "./headings";
import { describeTables } from "./members";
import { openGuides, rankGuides, searchGroupBoosts } from "./navigation";
import {
  addressName,
  addressOf,
  documents,
  groupOf,
  pageGroups,
  relativeTo,
  repositoryAddress,
  revision,
  titleOf,
} from "./pages";

/** What a program may import, but for `provider`: stored states name that one, people do not. */
export const entries = ["sdk/index.ts", "sdk/native.ts", "emulator/index.ts", "preview/index.ts"] as const;

/** What these are called in a program. */
const exportNames = ["", "/native", "/emulator", "/preview"].map((name) => `pulumi-compute-endpoint${name}`);

/**
 * @returns how many examples were compiled.
 * @throws ExpectedError where a public name has no comment, or anything else is not as it should be.
 */
export async function buildSite(folder: string): Promise<number> {
  const typedoc = await import("typedoc");
  const app = await typedoc.Application.bootstrap(options());
  const { KindRouter } = typedoc;
  app.renderer.defineRouter(
    "pages",
    class extends KindRouter {
      /** A page's address is its file's name: titles change, and have characters that addresses have not. */
      override getIdealBaseName(reflection: Reflection): string {
        if (!reflection.isDocument()) return super.getIdealBaseName(reflection);
        return `documents/${addressName(fileOf(reflection))}`;
      }
    },
  );
  app.converter.on(typedoc.Converter.EVENT_CREATE_DOCUMENT, (_context, page) => {
    if (!(page instanceof typedoc.DocumentReflection)) return;
    page.name = titleOf(fileOf(page));
    page.frontmatter["group"] = groupOf(fileOf(page));
  });
  app.renderer.on(typedoc.PageEvent.END, (page: PageEvent) => {
    if (page.contents !== undefined) page.contents = accessible(page.contents);
  });
  openGuides(app, typedoc);
  rankGuides(app, typedoc);
  const project = await app.convert();
  if (project === undefined) throw unfit();
  refuse(app);
  describeTables(project, typedoc);
  linkCitations(project);
  linkPages(project);
  app.validate(project);
  refuse(app);
  const examples = compiledExamples(project);
  await app.generateDocs(project, folder);
  refuse(app);
  return examples;
}

function options(): TypeDocOptions {
  const repository = repositoryAddress();
  return {
    // Not the name of the package alone: that is a module's, which is a leaf of the navigation.
    name: "pulumi-compute-endpoint documentation",
    includeVersion: true,
    entryPoints: entries.map((entry) => path.join(checkoutFolder, entry)),
    tsconfig: path.join(checkoutFolder, "tsconfig.build.json"),
    basePath: checkoutFolder,
    readme: path.join(checkoutFolder, "README.md"),
    projectDocuments: documents().map((file) => path.join(checkoutFolder, file)),
    logLevel: "Warn",
    // No address is asked of git, so that a clone builds the same site wherever it came from.
    disableGit: true,
    sourceLinkTemplate: `${repository}/blob/${revision}/{path}#L{line}`,
    navigationLinks: { Repository: repository },
    router: "pages",
    customCss: path.join(checkoutFolder, "tools/docs/site.css"),
    // Each page brings its own.
    headings: { readme: false, document: false },
    navigation: { includeGroups: true },
    // A module's page lists its members; the navigation would be longer than all guides.
    navigationLeaves: exportNames,
    groupOrder: [pageGroups.guides, "Modules", pageGroups.project, "Classes", "Functions", "*"],
    searchGroupBoosts,
    searchInComments: true,
    searchInDocuments: true,
    githubPages: true,
    // A file's name, such as CHANGELOG.md, is no address.
    markdownItOptions: { html: true, linkify: false },
    markdownItLoader: keepCodeInHeadings,
    excludeInternal: true,
    excludeExternals: true,
    externalSymbolLinkMappings: {
      "@pulumi/pulumi": { "*": "https://www.pulumi.com/docs/reference/pkg/nodejs/pulumi/pulumi/" },
    },
    treatWarningsAsErrors: true,
    // Links of pages are checked in what was built: those that leave the site are no paths of it.
    validation: { notExported: true, invalidLink: true, invalidPath: false, notDocumented: true },
    requiredToBeDocumented: [
      "Module",
      "Variable",
      "Function",
      "Class",
      "Interface",
      "Constructor",
      "Property",
      "Method",
      "Accessor",
      "TypeAlias",
    ],
  };
}

/** @throws ExpectedError if TypeDoc found a problem, which it has printed by then. */
function refuse({ logger }: Application): void {
  if (logger.hasErrors() || logger.hasWarnings()) throw unfit();
}

function unfit(): ExpectedError {
  return new ExpectedError(
    "Building the site: TypeDoc found the problems above. Fix them in the files that it names.",
  );
}

/** @returns how many there are. */
function compiledExamples(project: ProjectReflection): number {
  const { examples, uncompiled } = checkExamples(project);
  if (uncompiled.length === 0) return examples;
  const problems = uncompiled.map(({ name, what }) => `The example of ${name} does not compile: ${what}`);
  throw new ExpectedError(
    [...problems, "Building the site: fix these examples in their comments."].join("\n"),
  );
}

/** From the checkout's folder on. */
function fileOf(page: DocumentReflection): string {
  return relativeTo(page.project.files.getReflectionPath(page) ?? "");
}

/** What a page links to that is neither page nor picture is read in the repository. */
function linkPages(project: ProjectReflection): void {
  const pages = (project.documents ?? []).map((page) => ({ content: page.content, from: fileOf(page) }));
  for (const { content, from } of [{ content: project.readme ?? [], from: "README.md" }, ...pages])
    for (const [at, part] of content.entries()) {
      if (part.kind !== "relative-link") continue;
      const target = part.target === undefined ? undefined : project.files.resolve(part.target, project);
      const address = typeof target === "object" ? undefined : addressOf(target ?? part.text, from);
      if (address !== undefined) content[at] = { kind: "text", text: address };
    }
}
