import { readFileSync } from "node:fs";
import path from "node:path";
import { defaultRateLimits } from "../../../provider/settings/rates";

const page = readFileSync(path.join(__dirname, "../../../docs/teams.md"), "utf8");

it("docs/teams.md has the rates that are kept to by default", () => {
  const { perMinute, perSecond } = defaultRateLimits;
  expect(page).toContain(`${perMinute} requests a minute and ${perSecond} a second`);
});
