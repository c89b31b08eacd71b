import runner from "./runner.js";

/** Tells Stryker about this repository: which strings are sentences, and what each folder must score. */

/** People read sentences, and tests read the parts of them that matter. A string such as `"read_write"` is logic. */
const sentences = {
  shouldIgnore(node) {
    if (node.isStringLiteral() && isSentence([node.node.value])) return "a sentence";
    if (!node.isTemplateLiteral()) return undefined;
    // Ignoring a template also ignores everything inside it, so a template with a decision in it is not ignored.
    const decides = node.node.expressions.some((inner) => !isPlain(inner));
    return !decides && isSentence(node.node.quasis.map(({ value }) => value.raw)) ? "a sentence" : undefined;
  },
};

function isSentence(texts) {
  return texts.some((text) => /\S\s|\s\S/.test(text));
}

function isPlain(expression) {
  if (expression.type === "MemberExpression") return isPlain(expression.object);
  if (expression.type === "CallExpression")
    return isPlain(expression.callee) && expression.arguments.every(isPlain);
  return ["Identifier", "ThisExpression", "NumericLiteral"].includes(expression.type);
}

/**
 * Percent of mutants that tests must catch, subfolders included: a little less than measured. Only Jest can test how service/
 * handles undici's failures, so those mutants count as not caught.
 */
const folders = [
  { name: "provider/service", least: 86 },
  { name: "provider/plan", least: 87 },
  { name: "provider/lifecycle", least: 88 },
  { name: "provider/model", least: 94 },
];

/** Fails the run if a folder is below its minimum; Stryker's own table has the score of each folder. */
class FolderScores {
  onMutationTestReportReady(report) {
    for (const { name, least } of folders) {
      const score = scoreOf(report.files, name);
      if (score === undefined || score >= least) continue;
      console.log(`\n${name}: ${score.toFixed(1)} % is below ${least} %.`);
      process.exitCode = 1;
    }
  }
}

/** @returns undefined if no mutant counts. */
function scoreOf(files, folder) {
  const all = Object.entries(files).flatMap(([file, { mutants }]) =>
    file.startsWith(`${folder}/`) ? mutants.map(({ status }) => status) : [],
  );
  const caught = all.filter((status) => ["Killed", "Timeout"].includes(status)).length;
  const missed = all.filter((status) => ["Survived", "NoCoverage"].includes(status)).length;
  return caught + missed === 0 ? undefined : (100 * caught) / (caught + missed);
}

export const strykerPlugins = [
  { kind: "Ignore", name: "sentences", value: sentences },
  { kind: "TestRunner", name: "one-process", injectableClass: runner.Runner },
  { kind: "Reporter", name: "folders", injectableClass: FolderScores },
];
