import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { startEmulator, type Emulator, type ProjectCreationView } from "../../emulator";
import {
  closeSharedPostgres,
  describeOnPostgres,
  newPostgresBench,
  type PostgresBench,
} from "./postgresSupport";
import { answerTo } from "./support";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const folders = (process.env["PATH"] ?? "").split(path.delimiter);
const executablePath = names
  .flatMap((name) => folders.map((folder) => path.join(folder, name)))
  .find(existsSync);
const inBrowser =
  executablePath === undefined
    ? describe.skip.bind(describe, `the console page (skipped: no ${names.join(", ")} on PATH)`)
    : describe.bind(describe, "the console page");

let emulator: Emulator;
let made: ProjectCreationView;

beforeAll(async () => {
  emulator = await startEmulator({ operationMs: 0 });
  made = emulator.createProject({ name: "shop <b>" });
  emulator.nameResources({ [made.endpoint.id]: "app" });
});
afterAll(() => emulator.close());

const address = (): string => `${emulator.url}/_emulator/console`;

inBrowser(() => {
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ["--no-sandbox"] });
    page = await browser.newPage();
    page.on("console", (line) => {
      if (["error", "warning"].includes(line.type())) complaints.push(line.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(address());
  });
  afterAll(() => browser.close());

  const compute = (id = made.endpoint.id): ReturnType<Page["locator"]> =>
    page.getByRole("row").filter({ hasText: id });
  const cell = async (name: string): Promise<string> => {
    const titles = await page.getByRole("columnheader").allInnerTexts();
    // The compute itself is a heading.
    return compute()
      .getByRole("cell")
      .nth(titles.indexOf(name) - 1)
      .innerText();
  };

  it("shows projects, branches, computes and operations, and takes names for text", async () => {
    await compute().waitFor();
    expect(await page.getByRole("heading", { level: 2 }).innerText()).toContain("shop <b>");
    expect(await compute().innerText()).toMatch(/active[^]*0\.25 CU[^]*112/);
    expect(await page.locator("main").innerText()).toContain("1 compute: 1 active");
    const operations = await page.getByRole("region", { name: "Operations" }).innerText();
    expect(operations).toMatch(/start_compute\s+finished/);
  });

  it("shows a restart dropping connections as it happens, and a new compute, without being loaded again", async () => {
    await page.evaluate(() => ((globalThis as { mark?: string }).mark = "same page"));
    emulator.updateEndpoint(made.endpoint.id, { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 });
    await compute().filter({ hasText: "1 CU" }).waitFor();
    expect(await cell("dropped")).toBe("1");
    const branch = emulator.createBranch(made.project.id, { name: "feature" });
    await compute(branch.endpoint!.id).waitFor();
    expect(await page.evaluate(() => (globalThis as { mark?: string }).mark)).toBe("same page");
  });

  it("filters by words, also as things change, and counts what is shown", async () => {
    const shown = page.locator("#shown");
    await page.getByLabel("Filter").fill("MAIN app");
    await shown.filter({ hasText: /^1 of 2 computes$/ }).waitFor();
    expect(await page.locator("tbody tr:visible").count()).toBe(1);
    emulator.updateEndpoint(made.endpoint.id, { autoscaling_limit_max_cu: 2 });
    await compute().filter({ hasText: "1 to 2 CU" }).waitFor();
    expect(await page.locator("tbody tr:visible").count()).toBe(1);
    await page.getByLabel("Filter").fill("");
    await shown.filter({ hasText: /^2 of 2 computes$/ }).waitFor();
  });

  it.each(["Enter", "Space"])("copies an id by the keyboard, with %s, and keeps the focus", async (key) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(`navigator.clipboard.writeText("")`);
    const button = page.getByRole("button", { name: "Copy the id of app" });
    await button.focus();
    await page.keyboard.press(key);
    await page.getByText("Copied the id of app").waitFor();
    expect(await page.evaluate(`navigator.clipboard.readText()`)).toBe(made.endpoint.id);
    emulator.updateEndpoint(made.endpoint.id, { autoscaling_limit_max_cu: key === "Enter" ? 3 : 4 });
    await compute()
      .filter({ hasText: key === "Enter" ? "1 to 3 CU" : "1 to 4 CU" })
      .waitFor();
    expect(await page.evaluate(`document.activeElement.getAttribute("aria-label")`)).toBe(
      "Copy the id of app",
    );
  });

  it.each(["light", "dark"] as const)("fits a narrow window in a %s scheme", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    // As text: the tests are not compiled for a browser.
    const shown = await page.evaluate(`({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      background: getComputedStyle(document.body).backgroundColor,
    })`);
    expect(shown).toEqual({
      overflow: 0,
      background: colorScheme === "dark" ? "rgb(13, 17, 23)" : "rgb(255, 255, 255)",
    });
    expect(await violations(page)).toEqual([]);
  });

  it("breaks none of its own policy, and logs no error", () => {
    // Those of the emulators that were closed are of the browser: the feed has ended.
    expect(complaints.filter((line) => !line.includes("net::ERR_"))).toEqual([]);
  });

  describeOnPostgres("with computes that are real", () => {
    let page: Page;
    let bench: PostgresBench;

    beforeAll(async () => {
      bench = await newPostgresBench();
      page = await browser.newPage();
      await page.goto(`${bench.emulator.url}/_emulator/console`);
    });
    afterAll(closeSharedPostgres);

    it("copies a connection string by the keyboard, and shows no password", async () => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const { uri, password, port } = bench.emulator.endpoint(bench.id).place!;
      const name = `Copy the connection string of ${bench.id}`;
      await page.getByRole("button", { name }).waitFor();
      const focused = (): Promise<unknown> =>
        page.evaluate(`document.activeElement.getAttribute("aria-label")`);
      for (let tabs = 0; tabs < 10 && (await focused()) !== name; tabs += 1) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByText(name.replace("Copy", "Copied")).waitFor();
      expect(await page.evaluate(`navigator.clipboard.readText()`)).toBe(uri);
      await page.setViewportSize({ width: 1280, height: 900 });
      expect(await hiddenWidth(page)).toBe(0);
      const text = await page.locator("body").innerText();
      expect(text).toContain(`127.0.0.1:${port}`);
      expect(text).not.toContain(password);
    });
  });
});

/** How much of the table is only seen by scrolling, in pixels. */
function hiddenWidth(page: Page): Promise<unknown> {
  return page.evaluate(
    `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".scroll"))`,
  );
}

/** What axe (https://www.deque.com/axe) finds wrong, as rules and elements. */
async function violations(page: Page): Promise<unknown> {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html).slice(0, 3)]))`,
  );
}

describe("the console's address", () => {
  it.each([
    { at: "", headers: { Host: "evil.example" }, status: 403, reason: "a foreign host" },
    { at: "/feed", headers: { Host: "evil.example" }, status: 403, reason: "a foreign host" },
    { at: "/feed", headers: { Origin: "https://evil.example" }, status: 403, reason: "a foreign page" },
    { at: "", headers: {}, status: 200, reason: "a browser of this machine" },
  ])("$at answers $status to $reason", async ({ at, headers, status }) => {
    const answer = await answerTo(`${address()}${at}`, { headers });
    answer.destroy();
    expect(answer.statusCode).toBe(status);
  });

  it("is where the bare address leads a browser, and other programs get JSON", async () => {
    const asBrowser = await fetch(emulator.url, { headers: { Accept: "text/html,*/*" }, redirect: "manual" });
    expect([asBrowser.status, asBrowser.headers.get("location")]).toEqual([302, "/_emulator/console"]);
    const asProgram = await fetch(emulator.url);
    expect([asProgram.status, await asProgram.json()]).toEqual([
      404,
      { message: "The API is below /api/v2." },
    ]);
  });

  it("allows no script, style or frame but its own", async () => {
    const answer = await fetch(address());
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'nonce-[^']+'; .*frame-ancestors 'none'$/,
    );
  });
});
