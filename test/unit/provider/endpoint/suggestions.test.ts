/** What a name that is not an argument is answered with, below the first level. */
import { checkInputs } from "../../../../provider/endpoint/planning/inputs";

const declared = { projectId: "calm-sea-1", branchId: "br-calm-sea-1" };

it.each([
  {
    more: { settings: { work_mem: "8MB" } },
    says: "settings.work_mem",
    fix: "Write settings.pgSettings.work_mem",
  },
  { more: { settings: { pgSetings: {} } }, says: "settings.pgSetings", fix: "Write settings.pgSettings" },
  { more: { timeouts: { updat: 5 } }, says: "timeouts.updat", fix: "Write timeouts.update" },
  {
    more: { timeouts: { read: 5 } },
    says: "timeouts.read",
    fix: "Its arguments: timeouts.create, timeouts.update, timeouts.delete",
  },
])("answers $says with: $fix", ({ more, says, fix }) => {
  const rules = { allowUnlistedSizes: false, creates: false };
  const { failures } = checkInputs({ ...declared, ...more }, rules);
  const failure = failures.find(({ property }) => property === says);
  expect(failure?.reason).toBe(`${says} is not an argument of Endpoint. ${fix}`);
});
