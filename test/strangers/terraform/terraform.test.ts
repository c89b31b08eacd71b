/** Real plans of Terraform and OpenTofu, with a provider that has the attributes of published providers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runCommand } from "../../../preview/command";
import { preparedBy } from "../../support/preparing";
import { createPlanner, type Planner } from "./plans";
import type { Prepared } from "./prepare";
import { rows } from "./rows";

const { programs, providers } = preparedBy(path.join(__dirname, "prepare.ts")) as Prepared;

/** What `compute-preview` says about a plan. */
function judged(plan: string): {
  readonly code: number;
  readonly says: readonly string[];
  readonly line: string;
} {
  let printed = "";
  let line = "";
  const code = runCommand(["--format=json", "--fail-on=restart,replace,delete,move,suspend"], {
    read: () => Buffer.from(plan),
    list: () => undefined,
    isTerminal: false,
    print: (text) => (printed += text),
    complain: (text) => (line += text),
  });
  const { computes, unjudged } = JSON.parse(printed || '{ "computes": [], "unjudged": [] }') as {
    computes: { name: string; outcome: string; drops: string }[];
    unjudged: string[];
  };
  const says = computes.map(({ name, outcome, drops }) => `${name}: ${outcome}, ${drops}`);
  return { code, says: [...says, ...unjudged.map((name) => `not known: ${name}`)], line };
}

describe.each(programs)("a plan of $name", ({ name, executable }) => {
  let folder: string;
  let planner: Planner;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "compute-terraform-"));
    planner = createPlanner({ executable, providers, folder });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(rows.filter(({ by }) => by?.test(name) ?? true))("is judged by its changes: $reason", (row) => {
    // If the test fails, it shows this line, which the command prints for people.
    const line = expect.any(String) as string;
    expect(judged(planner.plan(row))).toEqual({ code: row.code, says: row.says, line });
  });
});
