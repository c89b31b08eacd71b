/**
 * Joins the parts that speak to the service. Loaded with the first request, not with the provider process.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createServiceClock } from "./api/answers";
import { createApi, type Api } from "./api/client";
import { createRateLimiter } from "./api/limiter";
import { RetryQuota } from "./api/retry";
import { createTransport } from "./api/transport";
import type { Clock } from "./clock";
import type { Connection, ProviderConfig } from "./config";
import { createEndpoint } from "./endpoint/create";
import { deleteEndpoint } from "./endpoint/delete";
import type { Holders } from "./endpoint/holders";
import { createEndpointLists } from "./endpoint/lists";
import { nameLeftBehind } from "./endpoint/leftovers";
import { createLiveLooks, type LiveLooks } from "./endpoint/live";
import { readEndpoint, type Known } from "./endpoint/read";
import type { Resource } from "./endpoint/resource";
import type { Declaration, EndpointState } from "./endpoint/state";
import type { Services } from "./endpoint/step";
import { updateEndpoint } from "./endpoint/update";
import { createOperationBatches } from "./operations/batch";
import { openJournal } from "./writes/journal";
import { trackPendingCreates } from "./writes/pendingCreates";
import { createProjectLock } from "./writes/projectLock";

/** The calls that send requests. A compute that exists, but is not as asked for, is a PartialFailure. */
export interface Lifecycle extends LiveLooks {
  create(declaration: Declaration): Promise<EndpointState>;
  /** @returns undefined where the compute is gone. */
  read(
    known: Known,
    of: { readonly endpointId: string; readonly resource: Resource },
  ): Promise<EndpointState | undefined>;
  update(state: EndpointState, declaration: Declaration): Promise<EndpointState>;
  delete(state: EndpointState, resource: Resource): Promise<void>;
  /** At the end of a destroy: names what no state knows. */
  nameLeftBehind(resource: Resource): Promise<void>;
}

/** What the parts need of their process. */
export interface Surroundings {
  readonly clock: Clock;
  /** Takes the key and declared secrets out of text. */
  readonly redact: (text: string) => string;
  /** Which resource of the program holds which compute. */
  readonly holders: Holders;
}

export type Connect = (config: ProviderConfig, surroundings: Surroundings) => Lifecycle;

/** @throws ConfigurationError where the key or the base URL is missing. */
export const connect: Connect = (config, { clock, redact, holders }) => {
  const api = connectApi(config.connection(), { clock, redact });
  const operations = createOperationBatches(api, clock);
  const services: Services = {
    api,
    operations,
    lists: createEndpointLists(api, clock),
    projectLock: createProjectLock(operations, clock),
    pendingCreates: trackPendingCreates(),
    ...openJournal(config, clock),
    clock,
    config,
    redact,
    holders,
  };
  const namedLeftBehind = new Set<string>();
  return {
    ...createLiveLooks(services.lists, clock),
    create: (declaration) => createEndpoint(services, declaration),
    read: (known, of) => readEndpoint(services, known, of),
    update: (state, declaration) => updateEndpoint(services, state, declaration),
    delete: (state, resource) => deleteEndpoint(services, state, resource),
    nameLeftBehind: (resource) => nameLeftBehind(services, resource, namedLeftBehind),
  };
};

/** The client of the service, for the provider process and for a program's lookups alike. */
export function connectApi(
  { apiKey, baseUrl, proxy }: Connection,
  { clock, redact }: Pick<Surroundings, "clock" | "redact">,
): Api {
  const transport = createTransport({ apiKey, baseUrl, proxy, userAgent: userAgent() });
  const limiter = createRateLimiter(clock, Math.random);
  const quota = new RetryQuota();
  const serviceClock = createServiceClock(clock);
  return createApi({ transport, clock, random: Math.random, quota, limiter, serviceClock, redact });
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
