import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../../tools/checkout";

const folders = ["sdk", "provider", "preview", "action", "emulator", "tools", "bench"];

const sources = folders.flatMap((folder) =>
  readdirSync(path.join(checkoutFolder, folder), { recursive: true, withFileTypes: true })
    .map((entry) => path.relative(checkoutFolder, path.join(entry.parentPath, entry.name)))
    .filter((file) => /\.(ts|js|mjs)$/.test(file))
    // Made of the sources, by `npm run action`.
    .filter((file) => file !== path.join("action", "bundle.js")),
);

/** After the lines that have to be first, a comment with a sentence. */
const opening =
  /^(?:#!.*\n|"use strict";\n|\s)*(?:\/\*\*[^.]*[.:][^]*?\*\/|\/\/ [^\n]*(?:\n\/\/[^\n]*)*[.:])/;

describe("every source file", () => {
  it("begins with a sentence that says what the file is for", () => {
    const without = sources.filter(
      (file) => !opening.test(readFileSync(path.join(checkoutFolder, file), "utf8")),
    );
    expect(sources.length).toBeGreaterThan(200);
    expect(without).toEqual([]);
  });
});
