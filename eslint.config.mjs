import js from "@eslint/js";
import ts from "typescript";
import tseslint from "typescript-eslint";

const always = [
  { selector: "ExportAllDeclaration", message: "Name what you export." },
  { selector: "TSEnumDeclaration", message: "Use a union or an `as const` object." },
];

/**
 * Reports the compiler's errors, so `npm test` does not need `npm run types`. The compiler has already checked the file
 * for the other rules.
 */
const types = {
  create: ({ sourceCode, report }) => ({
    Program(node) {
      const { program, esTreeNodeToTSNodeMap } = sourceCode.parserServices;
      const found = program.getSemanticDiagnostics(esTreeNodeToTSNodeMap.get(node));
      for (const { start = 0, messageText } of found) {
        const message = ts.flattenDiagnosticMessageText(messageText, "\n");
        report({ loc: sourceCode.getLocFromIndex(start), message });
      }
    },
  }),
};

/** Rules for what reviews kept repeating. Prettier does the formatting. */
export default tseslint.config(
  // template/ has its own package.json, and is checked where it is installed: test/strangers/template.test.ts.
  {
    ignores: [
      "dist/",
      "build/",
      "node_modules/",
      ".local/",
      "coverage/",
      "reports/",
      "action/bundle.js",
      "template/",
    ],
  },
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [...tseslint.configs.strictTypeChecked],
    // A single program takes three quarters of the time that the project service takes.
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    plugins: { own: { rules: { types } } },
    rules: {
      "own/types": "error",
      // Hardly any code here is affected by these two rules, and they would take a seventh of the time.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "max-params": ["error", 3],
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
      "max-lines": ["error", { max: 260, skipBlankLines: true, skipComments: true }],
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true } }],
      "no-restricted-syntax": ["error", ...always],
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
  {
    // An object with state is a closure here, and a class in the emulator: CONTRIBUTING.md has this rule.
    files: ["{sdk,provider,preview,import,verify,action,tools,bench}/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...always,
        {
          selector: ":matches(ClassDeclaration, ClassExpression):not([superClass])",
          message:
            "Write an interface and a function `createX` that returns it. A class extends another one, such as Error.",
        },
      ],
    },
  },
  {
    files: ["{sdk,provider,preview,import,verify}/**/*.ts"],
    ignores: ["provider/settings/config.ts", "preview/main.ts", "verify/main.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        {
          object: "process",
          property: "env",
          message: "Read the environment in provider/settings/config.ts.",
        },
      ],
    },
  },
  {
    // Tests read as tables, so they may have long `describe` bodies and non-null assertions.
    files: ["test/**/*.ts", "emulator/test/**/*.ts"],
    rules: { "max-lines-per-function": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    files: ["**/*.js", "**/*.cjs", "**/*.mjs"],
    languageOptions: {
      sourceType: "commonjs",
      globals: {
        require: "readonly",
        module: "writable",
        process: "readonly",
        console: "readonly",
        __dirname: "readonly",
        Buffer: "readonly",
      },
    },
  },
  { files: ["**/*.mjs"], languageOptions: { sourceType: "module" } },
);
