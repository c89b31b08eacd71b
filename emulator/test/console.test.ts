import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { chromium, type Page } from "playwright-core";
import { startEmulator, type Emulator } from "..";
import { answerTo } from "./support";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const folders = (process.env["PATH"] ?? "").split(path.delimiter);
const executablePath = names
  .flatMap((name) => folders.map((folder) => path.join(folder, name)))
  .find(existsSync);

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ operationMs: 0 });
});
afterAll(() => emulator.close());

const address = (): string => `${emulator.url}/_emulator/console`;

async function showsComputes(page: Page): Promise<void> {
  const { project, endpoint } = emulator.createProject({ name: "shop <b>" });
  emulator.nameResources({ [endpoint.id]: "app" });
  await page.goto(address());
  const compute = (id: string): ReturnType<Page["locator"]> => page.getByRole("row").filter({ hasText: id });
  await compute(endpoint.id).waitFor();
  // Names appear as text, not as HTML.
  expect(await page.getByRole("heading", { level: 2 }).innerText()).toContain("shop <b>");
  expect(await compute(endpoint.id).innerText()).toMatch(/active[^]*0\.25 CU[^]*112/);
  const operations = await page.getByRole("region", { name: "Operations" }).innerText();
  expect(operations).toMatch(/start_compute\s+finished/);

  // The page shows changes without a reload.
  await page.evaluate(() => ((globalThis as { mark?: string }).mark = "same page"));
  emulator.updateEndpoint(endpoint.id, { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 });
  await compute(endpoint.id).filter({ hasText: "1 CU" }).waitFor();
  const titles = await page.getByRole("columnheader").allInnerTexts();
  // The row's first cell names the compute and is a header, which has another role.
  const cells = compute(endpoint.id).getByRole("cell");
  expect(await cells.nth(titles.indexOf("dropped") - 1).innerText()).toBe("1");
  await compute(emulator.createBranch(project.id, { name: "feature" }).endpoint!.id).waitFor();
  expect(await page.evaluate(() => (globalThis as { mark?: string }).mark)).toBe("same page");

  await page.getByLabel("Filter").fill("MAIN app");
  await page
    .locator("#shown")
    .filter({ hasText: /^1 of 2 computes$/ })
    .waitFor();

  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the id of app" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("Copied the id of app").waitFor();
  expect(await page.evaluate(`navigator.clipboard.readText()`)).toBe(endpoint.id);
}

/** What axe (https://www.deque.com/axe) finds wrong, as rules and elements. */
async function violations(page: Page): Promise<unknown> {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html).slice(0, 3)]))`,
  );
}

const itInBrowser = executablePath === undefined ? it.skip : it;
const skipped = executablePath === undefined ? ` (skipped: no ${names.join(", ")} on PATH)` : "";

itInBrowser(
  `the console shows computes as they change, breaks no rule of accessibility, and logs no error${skipped}`,
  async () => {
    const browser = await chromium.launch({ executablePath: executablePath!, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on("console", (line) => {
        if (["error", "warning"].includes(line.type())) complaints.push(line.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      await showsComputes(page);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await violations(page)).toEqual([]);
      }
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);

describe("the console's address", () => {
  it.each([
    { at: "", headers: { Host: "evil.example" }, status: 403, reason: "a foreign host" },
    { at: "/feed", headers: { Origin: "https://evil.example" }, status: 403, reason: "a foreign page" },
    { at: "", headers: {}, status: 200, reason: "a browser on this machine" },
  ])("$at answers $status to $reason", async ({ at, headers, status }) => {
    const answer = await answerTo(`${address()}${at}`, { headers });
    answer.destroy();
    expect(answer.statusCode).toBe(status);
    if (status !== 200) return;
    // The page loads only its own scripts and styles, and no page can frame it.
    expect(answer.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'nonce-[^']+'; .*frame-ancestors 'none'$/,
    );
  });

  it("is where the server's root redirects a browser", async () => {
    const asked = await fetch(emulator.url, { headers: { Accept: "text/html,*/*" }, redirect: "manual" });
    expect([asked.status, asked.headers.get("location")]).toEqual([302, "/_emulator/console"]);
  });
});
