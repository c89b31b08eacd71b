/**
 * `npm run test:long -- NAME [arguments]`: a test that takes longer than a change can wait for. test/README.md says what each
 * adds to `npm test`.
 */
import { runNamed } from "../named";

const jestProgram = "node_modules/jest/bin/jest.js";
const long = (folder: string): readonly string[] => [
  jestProgram,
  ...["--config", "test/reliability/long.config.js", "--testPathPatterns", `reliability/${folder}/`],
];

export const longTests = {
  matrix: [
    jestProgram,
    ...["--selectProjects", "reliability", "--testPathPatterns", "reliability/matrix", "--verbose"],
  ],
  crash: long("crash"),
  model: long("model"),
  fuzz: long("fuzz"),
  sockets: long("sockets"),
  awake: ["test/reliability/awake/awake.mjs"],
  act: [jestProgram, "--config", "test/strangers/jest.config.js", "--testPathPatterns", "strangers/act/"],
  strangers: ["tools/bootstrap.js", "test", "--config", "test/strangers/jest.config.js"],
  mutation: ["node_modules/@stryker-mutator/core/bin/stryker.js", "run"],
};

export function run(args: readonly string[]): Promise<number> {
  return runNamed({ script: "npm run test:long", programs: longTests }, args);
}
