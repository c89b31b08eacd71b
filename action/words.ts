/**
 * What the Action adds to the report: where the run is, and why there is no preview.
 */
import { code } from "../preview/render/escape";
import type { Findings } from "./findings";
import type { Subject } from "./subject";

interface CommentParts {
  /** The comment's first line. */
  readonly marker: string;
  readonly subject: Subject | undefined;
  readonly findings: Findings;
  /** The address of this run. */
  readonly runUrl: string;
}

/** The whole comment. */
export function commentOf({ marker, subject, findings, runUrl }: CommentParts): string {
  const { markdown, full, withoutSecrets } = findings;
  const { revision } = subject ?? {};
  const what = revision && `Revision ${code(revision.sha.slice(0, 10))} into ${code(revision.base)}, `;
  return [
    withoutSecrets === undefined
      ? (markdown || noPreview(marker, logAdvice(runUrl))).trimEnd()
      : noPreview(marker, secretsAdvice[withoutSecrets]),
    ...(full === undefined ? [] : [`The summary of [this run](${runUrl}) has the full report.`]),
    `<sub>${what ?? ""}[this run](${runUrl}).</sub>`,
    "",
  ].join("\n\n");
}

function noPreview(marker: string, advice: string): string {
  return [marker, "### ⚠️ Not known: there is no preview", advice].join("\n\n");
}

function logAdvice(runUrl: string): string {
  return `Without a preview, it is not known whether a compute drops its connections. See the log of [this run](${runUrl}).`;
}

const secretsAdvice = {
  fork: "GitHub gives pull requests from forks no secrets, so nothing was previewed. A maintainer who has reviewed the code can push the branch to this repository.",
  dependabot:
    "GitHub gives Dependabot's pull requests only Dependabot's own secrets, so nothing was previewed. A maintainer can add the keys to those secrets (Settings, Secrets and variables, Dependabot), or leave these pull requests out with `if: github.actor != 'dependabot[bot]'`.",
} as const;
