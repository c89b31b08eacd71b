import { runCommand } from "../../../preview/command";

/** What `compute-preview` says of a plan. */
export interface PlanReport {
  readonly code: number;
  /** A line for each compute, and for each resource that cannot be judged. */
  readonly says: readonly string[];
  /** The first line of its verdict, or its error. */
  readonly line: string;
}

export function reportOn(plan: string, failOn: string): PlanReport {
  let printed = "";
  let line = "";
  const code = runCommand(["--format", "json", "--fail-on", failOn], {
    read: () => Buffer.from(plan),
    list: () => undefined,
    isTerminal: false,
    print: (text) => (printed += text),
    complain: (text) => (line += text),
  });
  return { code, says: printed === "" ? [] : linesOf(printed), line };
}

function linesOf(report: string): readonly string[] {
  const { computes, unjudged } = JSON.parse(report) as {
    computes: { name: string; outcome: string; drops: string }[];
    unjudged: string[];
  };
  return [
    ...computes.map(({ name, outcome, drops }) => `${name}: ${outcome}, ${drops}`),
    ...unjudged.map((name) => `not known: ${name}`),
  ];
}
