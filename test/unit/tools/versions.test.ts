/** The version in lines that users paste: only `npm version` writes it. */
import { manifest } from "../../../tools/checkout";
import { filesWithVersion, withVersion } from "../../../tools/release/versions";
import { textOf } from "../docs/checkout";

const files = filesWithVersion();
const textsBy = (version: string): string => files.map((file) => withVersion(textOf(file), version)).join("");

it("the version is package.json's, wherever a page, the template or an example names it", () => {
  const stale = files.filter((file) => withVersion(textOf(file), manifest.version) !== textOf(file));
  // `npm version` rewrites the files.
  expect(stale).toEqual([]);
});

it("the version appears nowhere in a form that `npm version` does not know", () => {
  const next = "987.6.5-beta.4";
  const isNamed = new RegExp(String.raw`(?<![\d.])${manifest.version.replaceAll(".", "\\.")}(?!\d)`);
  expect(files.filter((file) => isNamed.test(withVersion(textOf(file), next)))).toEqual([]);
  expect(textsBy(next).split(next).length).toBeGreaterThan(15);
  // The old version can be written back, even from a prerelease.
  expect(withVersion(textsBy(next), manifest.version)).toBe(textsBy(manifest.version));
});
