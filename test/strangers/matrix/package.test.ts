import { packedOutside, succeed } from "../../support/packed";
import { linters } from "./versions";

jest.setTimeout(240_000);

const outside = packedOutside({ "@arethetypeswrong/cli": linters.attw, publint: linters.publint });

/** No rule of either is ignored. */
it.each([
  { linter: `attw ${linters.attw}`, words: ["attw"], options: ["--no-emoji"], says: "No problems found" },
  {
    linter: `publint ${linters.publint}`,
    words: ["publint", "run"],
    options: ["--strict"],
    says: "All good!",
  },
])("package: the tarball: $linter", async ({ words, options, says }) => {
  const [command = "", ...rest] = words;
  const { folder, tarball } = outside;
  const told = await succeed([`node_modules/.bin/${command}`, ...rest, tarball, ...options], folder);
  expect(told).toContain(says);
});
