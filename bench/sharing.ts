/**
 * Many processes on one account's rate limit: each has a limiter of its own, and knows of the others only by what
 * the service refuses.
 */
import path from "node:path";
import { startEmulator } from "../emulator";
import { checkoutFolder } from "../tools/checkout";
import { runChild } from "../tools/children";
import { createRequestMeter } from "./meter";
import { burst } from "./options";
import { operationMs } from "./stack";

export interface SharingPlan {
  readonly processes: number;
  /** Computes that each of them creates. */
  readonly each: number;
  readonly perMinute: number;
}

/** @returns what came of it, as text. */
export async function shareLimit({ processes, each, perMinute }: SharingPlan): Promise<string> {
  const requests = createRequestMeter();
  const emulator = await startEmulator({
    operationMs,
    switches: { rateLimitPerMinute: perMinute, rateLimitBurst: burst },
    onRequest: requests.record,
  });
  const program = path.join(checkoutFolder, "bench", "programs", "sharer.js");
  const env = { ...process.env, COMPUTE_BASE_URL: emulator.url, COMPUTE_API_KEY: emulator.apiKey };
  const startedMs = performance.now();
  const started = Array.from({ length: processes }, () => {
    const { project, branch } = emulator.createProject();
    const words = [program, project.id, branch.id, String(each)];
    return runChild(process.execPath, words, { env, stdio: ["ignore", "ignore", "inherit"] });
  });
  const ended = await Promise.all(started);
  const seconds = (performance.now() - startedMs) / 1000;
  await emulator.close();
  const { total, byRoute, limited } = requests.take();
  const well = ended.filter(({ code }) => code === 0).length;
  return [
    `${processes} processes with ${each} creates each, ${perMinute} requests a minute and route, bursts of ${burst}`,
    `ended well: ${well} of ${processes}, after ${seconds.toFixed(1)} s`,
    `requests: ${total} (${JSON.stringify(byRoute)})`,
    `answers of 429: ${limited}, ${((100 * limited) / total).toFixed(1)} %`,
  ].join("\n");
}
