import runner from "./runner.js";

/** What Stryker is told about this repository: which strings are sentences, and what each folder must score. */

/** A message is read by people, and tests read the parts of it that matter; `"read_write"` is logic. */
const sentences = {
  shouldIgnore(node) {
    if (node.isStringLiteral() && isSentence([node.node.value])) return "a sentence";
    if (!node.isTemplateLiteral()) return undefined;
    // Whatever is inside an ignored template is ignored with it: one that decides something is not.
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
 * Percent of mutants that tests must catch, subfolders included: a little less than was measured. What service/ makes of the
 * failures of undici is tested with Jest alone, and counts as not caught.
 */
const folders = [
  { name: "provider/service", least: 86 },
  { name: "provider/plan", least: 87 },
  { name: "provider/lifecycle", least: 88 },
  { name: "provider/model", least: 94 },
  { name: "provider", least: 0 },
];

/** Prints a table of the folders, and fails the run where one of them is below its least. */
class FolderScores {
  onMutationTestReportReady(report) {
    const rows = folders.map((folder) => ({ ...folder, ...countsOf(report.files, folder.name) }));
    console.log("\n| folder | score | least | killed | timeout | survived | no coverage | ignored |");
    console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (const row of rows.filter(({ score }) => score !== undefined)) {
      const { Killed, Timeout, Survived, NoCoverage, Ignored } = row.counts;
      const cells = [row.name, row.score.toFixed(1), row.least || "", Killed, Timeout, Survived, NoCoverage];
      console.log(`| ${[...cells, Ignored].map((cell) => cell ?? 0).join(" | ")} |`);
    }
    const low = rows.filter(({ score, least }) => score !== undefined && score < least);
    for (const { name, score, least } of low)
      console.log(`\n${name}: ${score.toFixed(1)} % is below ${least} %.`);
    if (low.length > 0) process.exitCode = 1;
  }
}

function countsOf(files, folder) {
  const counts = {};
  for (const [file, { mutants }] of Object.entries(files))
    if (file.startsWith(`${folder}/`))
      for (const { status } of mutants) counts[status] = (counts[status] ?? 0) + 1;
  const { Killed = 0, Timeout = 0, Survived = 0, NoCoverage = 0 } = counts;
  const all = Killed + Timeout + Survived + NoCoverage;
  return { counts, score: all === 0 ? undefined : (100 * (Killed + Timeout)) / all };
}

export const strykerPlugins = [
  { kind: "Ignore", name: "sentences", value: sentences },
  { kind: "TestRunner", name: "one-process", injectableClass: runner.Runner },
  { kind: "Reporter", name: "folders", injectableClass: FolderScores },
];
