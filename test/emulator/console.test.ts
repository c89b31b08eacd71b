import { existsSync } from "node:fs";
import path from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import { startEmulator, type Emulator, type ProjectCreationView } from "../../emulator";
import { request } from "node:http";
import {
  closeSharedPostgres,
  describeOnPostgres,
  newPostgresBench,
  type PostgresBench,
} from "./postgresSupport";

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
    page.getByRole("article", { name: `Compute ${id}` });
  const fact = (name: string): ReturnType<Page["locator"]> =>
    compute()
      .locator("div", { has: page.locator(`dt:text-is("${name}")`) })
      .locator("dd");

  it("shows projects, branches, computes and operations, and takes names for text", async () => {
    await compute().waitFor();
    expect(await page.getByRole("heading", { level: 2 }).innerText()).toContain("shop <b>");
    expect(await compute().innerText()).toMatch(/active[^]*0\.25 CU[^]*112/);
    const operations = await page.getByRole("region", { name: "Operations" }).innerText();
    expect(operations).toMatch(/start_compute\s+finished/);
  });

  it("shows a restart dropping connections as it happens, and a new compute, without being loaded again", async () => {
    await page.evaluate(() => ((globalThis as { mark?: string }).mark = "same page"));
    emulator.updateEndpoint(made.endpoint.id, { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 });
    await fact("times dropped").filter({ hasText: "1" }).waitFor();
    expect(await fact("size").innerText()).toBe("1 CU");
    const branch = emulator.createBranch(made.project.id, { name: "feature" });
    await compute(branch.endpoint!.id).waitFor();
    expect(await page.evaluate(() => (globalThis as { mark?: string }).mark)).toBe("same page");
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
  });

  it("breaks none of its own policy, and logs no error", () => {
    expect(complaints).toEqual([]);
  });

  it("has nothing that changes anything", async () => {
    expect(await page.locator("button, form, input, a").count()).toBe(0);
  });
});

inBrowser(() => {
  describeOnPostgres("with computes that are real", () => {
    let browser: Browser;
    let page: Page;
    let bench: PostgresBench;

    beforeAll(async () => {
      bench = await newPostgresBench();
      browser = await chromium.launch({ executablePath: executablePath!, args: ["--no-sandbox"] });
      page = await browser.newPage();
      await page.goto(`${bench.emulator.url}/_emulator/console`);
    });
    afterAll(async () => {
      await browser.close();
      await closeSharedPostgres();
    });

    it("lets the keyboard reach and copy a connection string, and leaves the focus there as things change", async () => {
      const name = `Connection string of ${bench.id}`;
      const { uri } = bench.emulator.endpoint(bench.id).place!;
      const read = (): Promise<unknown> =>
        page.evaluate(`({
          focused: document.activeElement.getAttribute("aria-label"),
          selected: getSelection().toString(),
        })`);
      await page.getByLabel(name).waitFor();
      await page.keyboard.press("Tab");
      expect(await read()).toEqual({ focused: name, selected: uri });
      bench.emulator.updateEndpoint(bench.id, { autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 2 });
      const compute = page.getByRole("article", { name: `Compute ${bench.id}` });
      await compute.filter({ hasText: "2 CU" }).filter({ hasText: "active" }).waitFor();
      expect(await read()).toEqual({ focused: name, selected: uri });
    });
  });
});

describe("the console's address", () => {
  const ask = (headers: Record<string, string>, at: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${address()}${at}`, { headers }, (answer) => {
        resolve(answer.statusCode);
        answer.destroy();
      })
        .on("error", reject)
        .end();
    });

  it.each([
    { at: "", headers: { Host: "evil.example" }, status: 403, reason: "a foreign host" },
    { at: "/feed", headers: { Host: "evil.example" }, status: 403, reason: "a foreign host" },
    { at: "/feed", headers: { Origin: "https://evil.example" }, status: 403, reason: "a foreign page" },
    { at: "", headers: {}, status: 200, reason: "a browser of this machine" },
  ])("$at answers $status to $reason", async ({ at, headers, status }) => {
    expect(await ask({ ...headers }, at)).toBe(status);
  });

  it("allows no script, style or frame but its own", async () => {
    const answer = await fetch(address());
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'nonce-[^']+'; .*frame-ancestors 'none'$/,
    );
  });
});
