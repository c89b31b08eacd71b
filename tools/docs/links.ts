/**
 * Looks for links that lead nowhere: each of every page, of the navigation and of the search.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { inflateSync } from "node:zlib";

/** A link that leads nowhere, and what mends it. */
export interface BrokenLink {
  readonly page: string;
  readonly link: string;
  readonly what: string;
  readonly fix: string;
}

export interface LinkCheck {
  readonly pages: number;
  readonly links: number;
  readonly broken: readonly BrokenLink[];
}

/** @param fileBehind - the file of this checkout that an outer address is of; undefined for any other address. */
export function checkLinks(site: string, fileBehind: (address: string) => string | undefined): LinkCheck {
  const pages = readdirSync(site, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html"))
    .map((file) => file.split(path.sep).join("/"));
  const anchors = new Map(
    pages.map((page) => [page, anchorsOf(readFileSync(path.join(site, page), "utf8"))]),
  );
  const links = [...pages.flatMap((page) => linksOf(site, page)), ...scriptedLinks(site)];
  const broken = links.flatMap(({ page, link }): readonly BrokenLink[] => {
    const found = problemOf({ site, page, link, anchors, fileBehind });
    return found === undefined ? [] : [{ page, link, ...found }];
  });
  return { pages: pages.length, links: links.length, broken };
}

interface Link {
  readonly page: string;
  readonly link: string;
}

interface Place extends Link {
  readonly site: string;
  readonly anchors: ReadonlyMap<string, ReadonlySet<string>>;
  readonly fileBehind: (address: string) => string | undefined;
}

function problemOf({
  site,
  page,
  link,
  anchors,
  fileBehind,
}: Place): Omit<BrokenLink, keyof Link> | undefined {
  if (/^(https?|mailto|data|javascript):/.test(link)) {
    const file = fileBehind(link);
    if (file === undefined || existsSync(file)) return undefined;
    return { what: "the repository has no such file", fix: "Link to a file that is there" };
  }
  if (link.startsWith("/"))
    return { what: "it begins at the server's root", fix: "Make it relative: the site lies below a path" };
  const [address = "", anchor = ""] = link.split("#");
  const file = decodeURI(address.replace(/\?.*/, ""));
  const target = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
  if (!existsSync(path.join(site, target)))
    return { what: "there is no such file", fix: "Link to a page or a picture of the site" };
  if (statSync(path.join(site, target)).isDirectory())
    return { what: "it is a folder", fix: "Name its index.html: from a file:// nobody looks for it" };
  const known = anchors.get(target);
  if (anchor === "" || known === undefined || known.has(decodeURIComponent(anchor))) return undefined;
  return { what: `${target} has no such heading or name`, fix: nearest(anchor, known) };
}

/** The heading that was meant is often the one that begins alike. */
function nearest(anchor: string, known: ReadonlySet<string>): string {
  const start = anchor.slice(0, 4);
  const alike = [...known].filter((name) => name.startsWith(start)).slice(0, 5);
  return alike.length === 0 ? "Link to a heading that is there" : `One of #${alike.join(", #")}`;
}

function linksOf(site: string, page: string): readonly Link[] {
  const html = withoutScripts(readFileSync(path.join(site, page), "utf8"));
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = ""]) => ({
    page,
    link: plain(link),
  }));
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, name = ""]) => plain(name)));
}

function withoutScripts(html: string): string {
  return html.replaceAll(/<script>.*?<\/script>/gs, "");
}

function plain(attribute: string): string {
  const characters = { "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
  return attribute.replaceAll(
    /&(?:quot|#39|lt|gt|amp);/g,
    (entity) => characters[entity as keyof typeof characters],
  );
}

/** What scripts make links of, from the site's root on: compressed JSON in a text. */
function scriptedLinks(site: string): readonly Link[] {
  return ["navigation", "search", "hierarchy"].flatMap((name) => {
    const page = `assets/${name}.js`;
    const file = path.join(site, page);
    if (!existsSync(file)) return [];
    const [, packed = ""] = /"([^"]*)"/.exec(readFileSync(file, "utf8")) ?? [];
    const json = inflateSync(Buffer.from(packed, "base64")).toString();
    return [...json.matchAll(/"(?:path|url)":"([^"]*)"/g)].map(([, link = ""]) => ({
      page,
      link: `../${link}`,
    }));
  });
}
