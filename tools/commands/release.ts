/**
 * `npm run release:check`, `release:files` and `release:dry`: what .github/workflows/release.yml runs, and its
 * rehearsal.
 */
import { readFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../checkout";
import { ExpectedError } from "../expectedError";
import { git } from "../release/commands";
import { writeReleaseFiles } from "../release/files";
import { readinessOf, type Candidate } from "../release/readiness";
import { rehearse } from "../release/rehearsal";

export async function run([what = "", ...options]: readonly string[]): Promise<number> {
  switch (what) {
    case "check":
      return tellReadiness() ? 0 : 1;
    case "files":
      await writeReleaseFiles();
      return 0;
    case "dry":
      if (!tellReadiness()) console.log("           A release would end here; the rehearsal goes on.");
      rehearse({ tests: options.includes("--test") });
      return 0;
    default:
      throw new ExpectedError("Usage: npm run release:check|release:files|release:dry [-- --test]");
  }
}

/** @returns whether nothing stands in the way. */
function tellReadiness(): boolean {
  const findings = readinessOf(candidate(process.env));
  for (const { what, state, remedy } of findings) {
    console.log(`${remedy === undefined ? "ok     " : "missing"}    ${what.padEnd(14)} ${state}`);
    if (remedy !== undefined) console.log(`${" ".repeat(26)}→ ${remedy}`);
  }
  return findings.every(({ remedy }) => remedy === undefined);
}

function candidate(environment: NodeJS.ProcessEnv): Candidate {
  const textOf = (file: string): string => readFileSync(path.join(checkoutFolder, file), "utf8");
  const ofWorkflow = environment["GITHUB_REF_TYPE"] === "tag" ? environment["GITHUB_REF_NAME"] : undefined;
  const [onCommit] = git(["tag", "--points-at", "HEAD", "--list", "v*"]).split("\n");
  return {
    manifest: JSON.parse(textOf("package.json")) as Candidate["manifest"],
    changelog: textOf("CHANGELOG.md"),
    changes: git(["status", "--porcelain"]),
    tag: ofWorkflow ?? (onCommit === "" ? undefined : onCommit),
    runsIn: environment["GITHUB_REPOSITORY"],
  };
}
