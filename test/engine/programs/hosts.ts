/** Small programs, and what both Node language hosts do with them. */
import path from "node:path";

/** Where the SDK of this checkout finds a ts-node and a compiler, which it prefers to its own. */
const modules = path.join(__dirname, "..", "..", "..", "node_modules");

/** Writes down what a program sees of its host, for each host into a file of its own. */
export const seeing = `
require("node:fs").writeFileSync(process.env.SEEN, JSON.stringify({
  cwd: require("node:path").relative(process.env.ROOT, process.cwd()),
  argv: process.argv.slice(2),
  nodeArguments: process.execArgv,
  variables: Object.fromEntries(Object.entries(process.env).filter(([name]) => /^PULUMI_(NODEJS|CONFIG)/.test(name)).sort()),
  compiler: Object.keys(require.cache).filter((file) => /.(ts-node|typescript)(@[0-9.]+)?.(lib.|dist.)?(index|typescript)[.]js$/.test(file)).sort(),
  terminal: Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY),
}));
`;
const seeingTyped = `declare const require: any, process: any;\n${seeing}`;
const commonjs = { module: "commonjs", moduleResolution: "node", noCheck: true };
const tsconfig = (compilerOptions: object): string => JSON.stringify({ compilerOptions });

export interface Case {
  readonly reason: string;
  /** Lines of Pulumi.yaml below \`runtime.options\`. */
  readonly options?: string;
  readonly main?: string;
  readonly files: Readonly<Record<string, string>>;
  readonly environment?: NodeJS.ProcessEnv;
  readonly code: number;
  readonly seen?: object;
  readonly printed?: RegExp;
  /** Each host has its own message, and both match `printed`. */
  readonly inWordsOfTheirs?: true;
}

export const cases: readonly Case[] = [
  {
    reason: "finds tsconfig from the folder of main",
    options: "tsconfig: tsconfig.own.json",
    main: "programs/one/index.ts",
    files: { "programs/one/index.ts": seeingTyped, "programs/one/tsconfig.own.json": tsconfig(commonjs) },
    code: 0,
    seen: {
      cwd: "programs/one",
      variables: {
        PULUMI_NODEJS_TSCONFIG_PATH: "tsconfig.own.json",
        PULUMI_NODEJS_TYPESCRIPT: "true",
      },
    },
  },
  {
    reason:
      "runs TypeScript by default, with the project's own ts-node and compiler, and passes the configuration on",
    files: { "index.ts": seeingTyped, "package.json": '{ "name": "one", "main": "index.ts" }' },
    code: 0,
    seen: {
      cwd: "",
      argv: [],
      compiler: [
        path.join(modules, "ts-node", "dist", "index.js"),
        path.join(modules, "typescript", "lib", "typescript.js"),
      ],
      variables: {
        PULUMI_CONFIG: '{"tested:config:plain":"value"}',
        PULUMI_CONFIG_SECRET_KEYS: "[]",
        PULUMI_NODEJS_TYPESCRIPT: "true",
      },
    },
  },
  {
    reason: "runs JavaScript with typescript turned off",
    options: "typescript: false",
    files: { "index.js": seeing },
    code: 0,
    seen: { compiler: [], terminal: false },
  },
  {
    reason: "splits nodeargs at spaces outside of quotes",
    options: String.raw`{ typescript: false, nodeargs: "--title='a b' --no-warnings --require ./before.js" }`,
    files: { "index.js": seeing, "before.js": "process.env.PULUMI_NODEJS_BEFORE = process.title;" },
    code: 0,
    seen: {
      nodeArguments: ["--title=a b", "--no-warnings", "--require", "./before.js"],
      variables: { PULUMI_NODEJS_BEFORE: "a b" },
    },
  },
  {
    reason: "names a program's exit code",
    options: "typescript: false",
    files: { "index.js": "process.exit(3);" },
    code: 1,
    printed: /Program exited with non-zero exit code: 3/,
  },
  {
    reason: "says that the SDK is missing",
    main: "alone/index.js",
    files: { "alone/index.js": seeing },
    environment: { WITHOUT_SDK: "true" },
    code: 1,
    printed: /SDK (has not been|is not) installed/,
    inWordsOfTheirs: true,
  },
];
