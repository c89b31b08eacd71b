/**
 * Words of the provider that files keep: comments on previews, and what pages show. Tests compare them with the current words;
 * `GOLDENS=write npx jest unit/preview/golden unit/docs/notices` writes all of them again.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../tools/checkout";

const isWriting = process.env["GOLDENS"] === "write";

/** Expects a file of the checkout to have this text. */
export function expectKept(file: string, text: string): void {
  const full = path.resolve(checkoutFolder, file);
  if (isWriting) writeFileSync(full, text);
  expect(existsSync(full) ? readFileSync(full, "utf8") : "").toBe(text);
}

/** Expects a page to show this text at the place that the pattern finds. */
export function expectShown(page: string, place: RegExp, shown: string): void {
  const text = readFileSync(path.join(checkoutFolder, page), "utf8");
  expect(text.match(new RegExp(place, `${place.flags}g`))).toHaveLength(1);
  expectKept(
    page,
    text.replace(place, () => shown),
  );
}
