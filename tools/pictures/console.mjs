/**
 * Takes docs/images/console.png: the console page while a change of size drops the connections of a compute.
 *
 *   npm run picture -- console
 *
 * Needs a Postgres, and a Chromium on PATH.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startEmulator } from "../../dist/emulator/index.js";
import { openBrowser } from "./browser.mjs";

const emulator = await startEmulator({ computes: "postgres", operationMs: 700 });
if (emulator.computes.kind !== "hosted") throw new Error(`Taking the picture: ${emulator.computes.reason}.`);
const { project, branch, endpoint } = emulator.createProject({ name: "shop" });
const replica = emulator.createEndpoint(project.id, { branch_id: branch.id, type: "read_only" });
const preview = emulator.createBranch(project.id, { name: "feature/checkout" });
for (const { id } of [endpoint, replica.endpoint, preview.endpoint]) await active(id);

const clients = [];
for (const id of [endpoint.id, endpoint.id, endpoint.id, replica.endpoint.id]) {
  const client = new pg.Client({ connectionString: emulator.endpoint(id).place.uri });
  client.on("error", () => undefined);
  await client.connect();
  clients.push(client);
}
emulator.suspendEndpoint(preview.endpoint.id);
emulator.nameResources({
  [endpoint.id]: "app",
  [replica.endpoint.id]: "reports",
  [preview.endpoint.id]: "checkout",
});
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 360 }, deviceScaleFactor: 1.5 });
  await page.goto(`${emulator.url}/_emulator/console`);
  emulator.updateEndpoint(endpoint.id, { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 });
  // The restart is the second operation. The connections are gone once the server is gone.
  await page.locator("li", { hasText: "start_compute" }).first().locator(".running").waitFor();
  await page
    .locator("tr", { hasText: endpoint.id })
    .locator("td", { hasText: /^\s*0\s*max/ })
    .waitFor();
  await page.screenshot({ path: "docs/images/console.png" });
} finally {
  await browser.close();
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  await emulator.close();
}

async function active(id) {
  while (emulator.endpoint(id).endpoint.current_state !== "active") await sleep(20);
}
