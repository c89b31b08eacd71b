/**
 * Joins the parts that speak to the service. Loaded with the first request, not with the provider process.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createApi } from "./api/client";
import { RetryQuota } from "./api/retry";
import { createTransport } from "./api/transport";
import type { Clock } from "./clock";
import type { ProviderConfig } from "./config";
import type { EngineVoice } from "./engine";
import { createEndpoint, type CreateResult } from "./endpoint/create";
import { deleteEndpoint } from "./endpoint/delete";
import { createProjectGate } from "./endpoint/gate";
import { createJournal, ownerOf } from "./endpoint/journal";
import { readEndpoint, type ReadResult } from "./endpoint/read";
import { createEndpointReads } from "./endpoint/reads";
import { trackCreates } from "./endpoint/reconcile";
import { updateEndpoint } from "./endpoint/update";
import type { Services } from "./endpoint/step";
import type { EndpointState } from "./endpoint/state";
import { createOperationFeed } from "./operations/feed";
import { redactor } from "./redact";

/** The methods that send requests. */
export interface Lifecycle {
  create(declared: Readonly<Record<string, unknown>>): Promise<CreateResult>;
  read(id: string, state: EndpointState): Promise<ReadResult>;
  update(state: EndpointState, declared: Readonly<Record<string, unknown>>): Promise<EndpointState>;
  delete(id: string, state: EndpointState): Promise<void>;
}

/** @throws ConfigurationError where the key or the base URL is missing. */
export function connect(config: ProviderConfig, voice: EngineVoice, clock: Clock): Lifecycle {
  const { apiKey, baseUrl } = config.connection();
  const redact = redactor(apiKey);
  const transport = createTransport({ apiKey, baseUrl, userAgent: userAgent() });
  const api = createApi({ transport, clock, random: Math.random, quota: new RetryQuota(), redact });
  const feed = createOperationFeed(api, clock);
  const services: Services = {
    api,
    feed,
    reads: createEndpointReads(api, clock),
    gate: createProjectGate(feed, clock),
    journal: createJournal(config.journalFolder, () => clock.now()),
    inFlight: trackCreates(),
    ownerOf: (urn) => ownerOf(urn, { baseUrl, folder: process.cwd() }),
    clock,
    voice,
    config,
    redact,
  };
  return {
    create: (declared) => createEndpoint(services, declared),
    read: (id, state) => readEndpoint(services, id, state),
    update: (state, declared) => updateEndpoint(services, state, declared),
    delete: (id, state) => deleteEndpoint(services, id, state),
  };
}

/** `pulumi-compute-endpoint/0.1.0 node/20.20.2`: from the package beside dist/. */
function userAgent(): string {
  const manifest = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as {
    version: string;
  };
  return `pulumi-compute-endpoint/${manifest.version} node/${process.versions.node}`;
}
