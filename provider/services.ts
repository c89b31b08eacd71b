/**
 * Joins the parts that speak to the service. Loaded with the first request, not with the provider process.
 */
import type { Clock } from "./clock";
import type { ProviderConfig } from "./config";
import { connectApi } from "./connection";
import type { EngineVoice } from "./engine";
import { createEndpoint } from "./endpoint/create";
import { deleteEndpoint } from "./endpoint/delete";
import { createProjectGate } from "./endpoint/gate";
import type { Holders } from "./endpoint/holders";
import { openJournal } from "./endpoint/journal";
import { createLiveLook, type LookLive } from "./endpoint/live";
import { readEndpoint, type ReadResult } from "./endpoint/read";
import { createEndpointReads } from "./endpoint/reads";
import { trackCreates } from "./endpoint/inFlight";
import type { CreateResult } from "./endpoint/takeOver";
import { updateEndpoint } from "./endpoint/update";
import type { Services } from "./endpoint/step";
import type { EndpointState } from "./endpoint/state";
import { createOperationFeed } from "./operations/feed";

/** The methods that send requests. */
export interface Lifecycle {
  /** For previews: what the service says of a compute now. */
  readonly lookLive: LookLive;
  create(declared: Readonly<Record<string, unknown>>): Promise<CreateResult>;
  read(id: string, state: EndpointState): Promise<ReadResult>;
  update(state: EndpointState, declared: Readonly<Record<string, unknown>>): Promise<EndpointState>;
  delete(id: string, state: EndpointState): Promise<void>;
}

/** What the parts need of their process. */
export interface Surroundings {
  readonly voice: EngineVoice;
  readonly clock: Clock;
  /** Takes the key and declared secrets out of text. */
  readonly redact: (text: string) => string;
  /** Which resource of the program holds which compute. */
  readonly holders: Holders;
}

/** @throws ConfigurationError where the key or the base URL is missing. */
export function connect(config: ProviderConfig, { voice, clock, redact, holders }: Surroundings): Lifecycle {
  const api = connectApi(config.connection(), { clock, redact });
  const feed = createOperationFeed(api, clock);
  const services: Services = {
    api,
    feed,
    reads: createEndpointReads(api, clock),
    gate: createProjectGate(feed, clock),
    inFlight: trackCreates(),
    ...openJournal(config, clock),
    clock,
    voice,
    config,
    redact,
    holders,
  };
  return {
    lookLive: createLiveLook(services.reads, clock),
    create: (declared) => createEndpoint(services, declared),
    read: (id, state) => readEndpoint(services, id, state),
    update: (state, declared) => updateEndpoint(services, state, declared),
    delete: (id, state) => deleteEndpoint(services, id, state),
  };
}
