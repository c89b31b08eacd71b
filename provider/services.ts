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
import { createEndpointReads } from "./endpoint/reads";
import {
  createEndpoint,
  deleteEndpoint,
  readEndpoint,
  updateEndpoint,
  type CreateResult,
  type ReadResult,
  type Services,
} from "./endpoint/lifecycle";
import type { EndpointState } from "./endpoint/state";
import { redactor } from "./redact";

/** The methods that send requests. */
export interface Lifecycle {
  create(declared: Readonly<Record<string, unknown>>): Promise<CreateResult>;
  read(id: string, state: EndpointState): Promise<ReadResult>;
  update(state: EndpointState, declared: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  delete(id: string, state: EndpointState): Promise<void>;
}

/** @throws ConfigurationError where the key or the base URL is missing. */
export function connect(config: ProviderConfig, voice: EngineVoice, clock: Clock): Lifecycle {
  const { apiKey, baseUrl } = config.connection();
  const redact = redactor(apiKey);
  const transport = createTransport({ apiKey, baseUrl, userAgent: userAgent() });
  const api = createApi({ transport, clock, random: Math.random, quota: new RetryQuota(), redact });
  const services: Services = {
    api,
    reads: createEndpointReads(api, clock),
    lookAtOperation: (operation, signal) =>
      api.getOperation(operation.project_id ?? "", operation.id, { signal }),
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
  const manifest = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as { version: string };
  return `pulumi-compute-endpoint/${manifest.version} node/${process.versions.node}`;
}
