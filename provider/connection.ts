/**
 * The client of the service, for the provider process and for a program's lookups alike.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createApi, type Api } from "./api/client";
import { createRateLimiter } from "./api/limiter";
import { RetryQuota } from "./api/retry";
import { createTransport } from "./api/transport";
import type { Clock } from "./clock";
import type { Connection } from "./config";

/** @param redact - takes everything secret out of what the service says. */
export function connectApi(
  { apiKey, baseUrl }: Connection,
  { clock, redact }: { readonly clock: Clock; readonly redact: (text: string) => string },
): Api {
  const transport = createTransport({ apiKey, baseUrl, userAgent: userAgent() });
  const limiter = createRateLimiter(clock, Math.random);
  const quota = new RetryQuota();
  return createApi({ transport, clock, random: Math.random, quota, limiter, redact });
}

/** `pulumi-compute-endpoint/0.1.0 node/20.20.2`: from the package that this file is in. */
function userAgent(): string {
  const version = [join(__dirname, "..", ".."), join(__dirname, "..")]
    .map(versionIn)
    .find((found) => found !== undefined);
  return `pulumi-compute-endpoint/${version ?? "unknown"} node/${process.versions.node}`;
}

/** From dist/provider the manifest is two folders up; from the sources, one. */
function versionIn(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version?: string }).version;
  } catch {
    return undefined;
  }
}
