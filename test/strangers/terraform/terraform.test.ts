/** Plans that Terraform and OpenTofu really make, with a provider that has the attributes of published ones. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { preparedBy } from "../../support/preparing";
import { createPlanner, type Planner } from "./plans";
import type { Prepared } from "./prepare";
import { reportOn } from "./report";
import { changes } from "./rows/changes";
import { elsewhere } from "./rows/elsewhere";
import { lives } from "./rows/lives";
import { parts } from "./rows/parts";

const { programs, providers } = preparedBy(path.join(__dirname, "prepare.ts")) as Prepared;
const rows = [...changes, ...lives, ...parts, ...elsewhere];

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

  it.each(rows.filter(({ by }) => by?.test(name) ?? true))("is judged: $reason", (row) => {
    const report = reportOn(planner.plan(row), "restart,replace,delete,move,suspend");
    // The line is shown where it fails.
    expect(report).toEqual({ code: row.code, says: row.says, line: expect.any(String) as string });
  });
});
