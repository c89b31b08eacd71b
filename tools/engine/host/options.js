"use strict";

/** What `runtime.options` in Pulumi.yaml may say, as the official Node language host reads it. */

const packageManagers = ["auto", "npm", "yarn", "pnpm", "bun"];

const kinds = {
  typescript: { holds: (value) => typeof value === "boolean", must: "be true or false" },
  tsconfig: { holds: (value) => typeof value === "string", must: "be a text" },
  nodeargs: { holds: (value) => typeof value === "string", must: "be a text" },
  packagemanager: {
    holds: (value) => packageManagers.includes(value),
    must: `be one of ${packageManagers.join(", ")}`,
  },
};

/**
 * The options of a program, each with its default.
 *
 * @throws where one has a value that it cannot have.
 */
function readOptions(given = {}) {
  for (const [name, { holds, must }] of Object.entries(kinds)) {
    if (!(name in given) || holds(given[name])) continue;
    throw new Error(
      `Reading runtime.options in Pulumi.yaml: the ${name} option must ${must}, and it is ${JSON.stringify(given[name])}.`,
    );
  }
  return { typescript: true, tsconfig: "", nodeargs: "", packagemanager: "auto", ...given };
}

/** What the options say to the SDK's runner: it finds a tsconfig from the program's own folder, so the path stays as it is. */
function optionVariables({ typescript, tsconfig }) {
  return {
    ...(typescript && { PULUMI_NODEJS_TYPESCRIPT: "true" }),
    ...(tsconfig !== "" && { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig }),
  };
}

/**
 * Splits `--flag "a b"` as a shell would: quotes, backslashes and comments.
 *
 * @throws where a quote is not closed.
 */
function splitArguments(text) {
  const words = [];
  let word;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "#" && word === undefined) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    } else if (character === '"' || character === "'") {
      const { inside, end } = readQuoted(text, at);
      word = (word ?? "") + inside;
      at = end;
    } else {
      if (character === "\\") at += 1;
      if (at >= text.length) throw notSplit(text, "it ends in a backslash");
      word = (word ?? "") + text[at];
    }
  }
  return word === undefined ? words : [...words, word];
}

function readQuoted(text, start) {
  const quote = text[start];
  let inside = "";
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === quote) return { inside, end: at };
    if (text[at] === "\\" && quote === '"') at += 1;
    inside += text[at] ?? "";
  }
  throw notSplit(text, `a ${quote} is not closed`);
}

function notSplit(text, why) {
  return new Error(
    `Reading runtime.options in Pulumi.yaml: nodeargs is ${JSON.stringify(text)}, and ${why}.`,
  );
}

module.exports = { readOptions, optionVariables, splitArguments };
