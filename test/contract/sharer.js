"use strict";
// One of many processes on one account's rate limit: creates computes through the package's own client, eight at a
// time, and waits for each. Ends with 1 where a call failed.
const { setTimeout } = require("node:timers/promises");
const path = require("node:path");

const built = path.join(__dirname, "..", "..", "dist", "provider");
const { systemClock } = require(path.join(built, "clock.js"));
const { readConfig } = require(path.join(built, "settings", "config.js"));
const { connectApi } = require(path.join(built, "connect.js"));

const [projectId, branchId, count] = process.argv.slice(2);
const config = readConfig(() => undefined);
const api = connectApi(config, { clock: systemClock, redact: String });
let left = Number(count);

async function createOne() {
  const { operations } = await api.createEndpoint(projectId, { branch_id: branchId, type: "read_only" });
  for (let { id, status } of operations) {
    while (status !== "finished") {
      await setTimeout(1_030);
      ({ status } = await api.getOperation(projectId, id));
    }
  }
}

async function work() {
  while (left-- > 0) await createOne();
}

Promise.all(Array.from({ length: 8 }, work)).then(
  () => process.exit(0),
  (error) => {
    console.error(error.message);
    process.exit(1);
  },
);
