/**
 * The public API for stack programs with the dynamic provider: nothing else has to be installed or configured.
 *
 * @module pulumi-compute-endpoint
 */
export { Endpoint, type EndpointArgs, type EndpointTimeouts, type PgSettings } from "./endpoint";
export {
  getEndpoint,
  getEndpointOutput,
  getOperation,
  getOperationOutput,
  getPrimary,
  getPrimaryOutput,
  listEndpoints,
  listEndpointsOutput,
  listOperations,
  listOperationsOutput,
  type GetEndpointArgs,
  type GetOperationArgs,
  type GetPrimaryArgs,
  type ListEndpointsArgs,
  type ListOperationsArgs,
} from "./lookups";
export type { Inputs, Lookup, OutputLookup } from "./sharedLookups";
export type { EndpointFacts, OperationFacts } from "../provider/facts";
export {
  autoscaling,
  computeSize,
  computeSizes,
  fixedSize,
  maxConnections,
  type ComputeSize,
  type SizeArgs,
} from "../provider/model/sizes";
export type { ServiceName } from "../provider/model/services";
export { connectionString, type ConnectionStringArgs, type SslMode } from "./connectionString";
