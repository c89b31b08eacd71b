/** The README's lines for a package that is not on npm yet. */
import { manifest } from "../checkout";

/** Set this to true before the first release: `npm version` then rewrites the lines. */
export const isOnNpm: boolean = false;

const file = `PATH/TO/pulumi-compute-endpoint-${manifest.version}.tgz`;

/** Each line as long as the package is not on npm, and the line that replaces it. */
const lines: readonly (readonly [notYet: string, onNpm: string])[] = [
  ["not on npm yet ([install it from a file](docs/install.md#before-it-is-on-npm)), never run", "never run"],
  ["`OWNER` is the account that has [your copy](docs/install.md#4-the-pipeline) of this repository.\n\n", ""],
  [`npx -p ${file} `, "npx -p pulumi-compute-endpoint "],
  [`npm install ${file}\n`, "npm install pulumi-compute-endpoint\n"],
  [
    ` Until a release is published, also add these lines to Pulumi.yaml:

\`\`\`yaml
plugins:
  providers:
    - name: compute
      path: ./node_modules/pulumi-compute-endpoint/dist/plugin
\`\`\`
`,
    "\n",
  ],
  ["- To build the `.tgz`, run `npm ci && npm pack` in a clone.\n", ""],
];

/** The README of a package that is on npm. */
export function withNpmLines(readme: string): string {
  return lines.reduce((text, [notYet, onNpm]) => text.replace(notYet, () => onNpm), readme);
}

/** The lines that this README has, but should not have, or the other way round. */
export function wrongLines(readme: string, onNpm: boolean): readonly string[] {
  return lines.map(([notYet]) => notYet).filter((line) => readme.includes(line) === onNpm);
}
