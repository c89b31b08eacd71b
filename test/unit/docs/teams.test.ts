import { readFileSync } from "node:fs";
import path from "node:path";
import { defaultRateLimits } from "../../../provider/settings/rates";

const page = readFileSync(path.join(__dirname, "../../../docs/teams.md"), "utf8");
const workflow = readFileSync(path.join(__dirname, "../../../examples/teams/workflow.yml"), "utf8");

describe("the workflow of docs/teams.md", () => {
  it("keeps the folder that the provider writes to, however the job ends", () => {
    const folders = [...workflow.matchAll(/path: (\S+)/g)].map(([, folder]) => folder!);
    expect(folders).toHaveLength(2);
    for (const folder of folders)
      expect(workflow).toContain(`COMPUTE_JOURNAL_FOLDER: \${{ github.workspace }}/${folder}\n`);
    expect(workflow).toMatch(/actions\/cache\/save@.*\n +if: always\(\) && hashFiles\(/);
  });

  it("never cuts a run off for another one, and pins its actions", () => {
    expect(workflow).toContain("cancel-in-progress: false");
    const used = [...workflow.matchAll(/- uses: (\S+)/g)].map(([, action]) => action!);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });
});

it("docs/teams.md has the rates that are kept to by default", () => {
  const { perMinute, perSecond } = defaultRateLimits;
  expect(page).toContain(`${perMinute} requests a minute and ${perSecond} a second`);
});
