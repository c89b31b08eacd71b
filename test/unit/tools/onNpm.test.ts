/** What the README says before and after the package is on npm. */
import { isOnNpm, withNpmLines, wrongLines } from "../../../tools/release/onNpm";
import { textOf } from "../docs/checkout";

const readme = textOf("README.md");

it("the README has the lines for today", () => {
  // Once `isOnNpm` is true, `npm version` rewrites them.
  expect(wrongLines(readme, isOnNpm)).toEqual([]);
});

it("the README of a package on npm installs it from npm, and speaks of no file", () => {
  const next = withNpmLines(readme);
  expect(wrongLines(next, true)).toEqual([]);
  expect(next).not.toMatch(/\.tgz|not on npm|`OWNER`/);
  for (const line of [
    "npm install pulumi-compute-endpoint\n",
    "npx -p pulumi-compute-endpoint compute-preview plan.json --fail-on drop,replace,delete\n",
  ])
    expect(next).toContain(line);
});

it("what the README shows first works in a clone: no command before the workflow needs npm's registry or an account", () => {
  const [first = ""] = readme.split("## The comment on your pull requests");
  const [commands = ""] = /(?<=```sh\n).*?(?=```)/s.exec(first) ?? [];
  expect(
    commands
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/)[0]),
  ).toEqual(expect.arrayContaining(["npm start", "npm test"]));
  expect(commands).not.toMatch(/npx|npm install/);
});
