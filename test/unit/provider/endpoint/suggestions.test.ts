/** What a name that is not an argument is answered with, below the first level. */
import { checkInputs } from "../../../../provider/endpoint/planning/inputs";

const declared = { projectId: "calm-sea-1", branchId: "br-calm-sea-1" };

it.each<[string, string, object]>([
  [
    "settings.work_mem",
    "Postgres parameters belong into settings.pgSettings",
    { settings: { work_mem: "8MB" } },
  ],
  ...["preloadLibraries", "preload_libraries", "pgbouncerSettings", "pgbouncer_settings"].map(
    (name) =>
      [
        `settings.${name}`,
        "This package does not manage it: what the service has for it stays as it is",
        { settings: { [name]: {} } },
      ] as [string, string, object],
  ),
  ["settings.pgSetings", "Write settings.pgSettings", { settings: { pgSetings: {} } }],
  ["timeouts.updat", "Write timeouts.update", { timeouts: { updat: 5 } }],
  [
    "timeouts.read",
    "Its arguments: timeouts.create, timeouts.update, timeouts.delete",
    { timeouts: { read: 5 } },
  ],
])("answers %s with: %s", (says, fix, more) => {
  const rules = { service: "interface", creates: false } as const;
  const { failures } = checkInputs({ ...declared, ...more }, rules);
  const failure = failures.find(({ property }) => property === says);
  expect(failure?.reason).toBe(`${says} is not an argument of Endpoint. ${fix}`);
});
