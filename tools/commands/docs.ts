/**
 * `npm run docs`: the API reference and the pages of docs/ as a static site in build/docs/, without a broken link.
 */
import { rmSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { checkLinks } from "../docs/links";
import { linkedFile } from "../docs/pages";
import { buildSite } from "../docs/site";

/** Ignored by git; what `.github/workflows/docs.yml` publishes. */
const site = path.join(checkoutFolder, "build/docs");

export async function run(): Promise<number> {
  rmSync(site, { recursive: true, force: true });
  const examples = await buildSite(site);
  const { pages, links, broken } = checkLinks(site, linkedFile);
  for (const { page, link, what, fix } of broken) console.error(`${page}: ${link}: ${what}. ${fix}.`);
  console.log(
    `${path.relative(process.cwd(), site)}: ${examples} examples, ${pages} pages, ${links} links, ${broken.length} of them broken`,
  );
  return broken.length === 0 ? 0 : 1;
}
