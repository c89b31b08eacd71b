/**
 * Connects the parts that use the service. This file is loaded with the first request, not when the provider process starts.
 */
import { createApi, type Api } from "./service/client";
import { createRateLimiter } from "./service/limiter";
import { createRetryQuota } from "./service/retry";
import { createTransport, type TransportOptions } from "./service/transport";
import type { ProviderConfig } from "./settings/config";
import { adoptEndpoint } from "./lifecycle/adopt";
import { createEndpoint } from "./lifecycle/create";
import { orphanText, previewReplica } from "./lifecycle/cutOff";
import { deleteEndpoint } from "./lifecycle/delete";
import type { Findings } from "./plan/services";
import type { ComputePlace } from "./model/inputs";
import { createLists } from "./service/lists";
import { createLiveReads, type LiveReads } from "./plan/live";
import { readEndpoint, type Lookup } from "./lifecycle/read";
import type { Resource } from "./run/resource";
import type { Run } from "./run/run";
import type { EndpointState } from "./model/state";
import type { Declaration, Parts, Service } from "./lifecycle/step";
import { updateEndpoint } from "./lifecycle/update";
import { createOperationBatches } from "./service/operations";
import { packageVersion } from "./version";
import { createWritePermits } from "./service/writePermits";
import type { CutOffCreate } from "./run/stackBackend";

/**
 * The calls that send requests. If a compute exists, but does not match the declaration, they throw a PartialFailure.
 */
export interface Lifecycle extends LiveReads {
  create(declaration: Declaration): Promise<EndpointState>;
  /** @returns undefined if the compute is gone. */
  read(
    known: Lookup,
    of: { readonly endpointId: string; readonly resource: Resource },
  ): Promise<EndpointState | undefined>;
  /** For the preview of a replica: what earlier runs may have made at its place. */
  previewReplica(of: { readonly place: ComputePlace; readonly resource: Resource }): Promise<Findings>;
  /** What to say about a cut-off create that belongs to no resource of this run; undefined to say nothing. */
  orphanText(orphan: CutOffCreate): Promise<string | undefined>;
  update(state: EndpointState, declaration: Declaration): Promise<EndpointState>;
  delete(state: EndpointState, resource: Resource): Promise<void>;
}

export type WireLifecycle = (
  config: ProviderConfig,
  surroundings: Pick<Service, "clock" | "redact"> & Pick<Parts, "run"> & Overheard,
) => Lifecycle;

/** For callers that listen to what is sent, and to what comes back. */
type Overheard = Pick<TransportOptions, "onSend" | "onResult">;

/** @throws ConfigurationError if the key or the base URL is missing. */
export const wireLifecycle: WireLifecycle = (config, { clock, redact, run, ...overheard }) => {
  const api = wireApi(config, { clock, redact, interrupted: run.interrupted, ...overheard });
  const operations = createOperationBatches(api);
  const listComputes = createLists(api, clock);
  const liveReads = createLiveReads(listComputes, clock, () => api.serviceNow());
  const parts: Parts = {
    service: { api, operations, listComputes, liveReads, config, clock, redact },
    run,
    writes: createWritePermits(operations.listNewest, () => api.serviceNow()),
  };
  return {
    ...liveReads,
    previewReplica: (of) => previewReplica(parts, of),
    orphanText: (orphan) => orphanText(parts, orphan),
    create: (declaration) => {
      const { adopt } = declaration.inputs;
      if (adopt !== undefined) return adoptEndpoint(parts, declaration, adopt);
      return createEndpoint(parts, declaration);
    },
    read: (known, of) => readEndpoint(parts, known, of),
    update: (state, declaration) => updateEndpoint(parts, state, declaration),
    delete: (state, resource) => deleteEndpoint(parts, state, resource),
  };
};

/**
 * The client of the service, for the provider process and for a program's lookups.
 *
 * @throws ConfigurationError if the key or the base URL is missing.
 */
export function wireApi(
  config: Pick<ProviderConfig, "connection" | "requestsPerMinute">,
  {
    clock,
    redact,
    interrupted,
    ...overheard
  }: Pick<Service, "clock" | "redact"> & Pick<Run, "interrupted"> & Overheard,
): Api {
  const { apiKey, baseUrl, proxy } = config.connection();
  const userAgent = `pulumi-compute-endpoint/${packageVersion() ?? "unknown"} node/${process.versions.node}`;
  const transport = createTransport({ apiKey, baseUrl, proxy, userAgent, ...overheard });
  const limiter = createRateLimiter(clock, Math.random, config.requestsPerMinute);
  interrupted?.addEventListener("abort", () => {
    limiter.wake();
  });
  const quota = createRetryQuota();
  return createApi({ transport, clock, random: Math.random, quota, limiter, redact });
}
