/**
 * Makes a server that speaks S3, in the cache: `node --require tools/swcHook.js prepareS3.ts`. Prints JSON.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";

import { digest, once } from "../../../tools/languages/once";

/** On PyPI, looked after, without anything to compile: what many projects test their own use of S3 with. */
const packages = ["moto[s3]==5.2.5", "flask>=3,<4", "flask-cors>=6,<7"];

/** What only a machine without these programs, or without PyPI in reach, says. Any other failure is ours. */
const lacking = /^there is no /;

async function prepare(): Promise<Record<string, string>> {
  try {
    const version = run("there is no python3", ["python3", "--version"]);
    const folder = await once(`s3-${digest(version, ...packages)}`, (staging) => {
      run("there is no module venv for Python", ["python3", "-m", "venv", staging]);
      const pip = [path.join(staging, "bin/python"), "-m", "pip", "install", "--quiet"];
      run("there is no PyPI in reach", [...pip, "--disable-pip-version-check", ...packages]);
      return Promise.resolve();
    });
    return { python: path.join(folder, "bin/python") };
  } catch (error) {
    if (!(error instanceof Error) || !lacking.test(error.message)) throw error;
    return { missing: error.message.split("\n")[0] ?? "" };
  }
}

/** @throws with what is then said to be the matter, and what the command said. */
function run(matter: string, [command = "", ...words]: readonly string[]): string {
  const ran = spawnSync(command, words, { encoding: "utf8" });
  if (ran.status === 0) return ran.stdout;
  throw new Error(`${matter}: ${ran.error?.message ?? ran.stderr.trim().split("\n").slice(-8).join(" ")}`);
}

void prepare().then((prepared) => {
  console.log(JSON.stringify(prepared));
});
