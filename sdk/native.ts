/**
 * The public API for stack programs that use the plugin: the names of `index.ts`, and `Provider`.
 *
 * @module pulumi-compute-endpoint/native
 */
export { ComputeType, InterruptionPolicy, PoolerMode } from "./enums";
export { Endpoint, Provider, type ProviderArgs } from "./nativeEndpoint";
export type { EndpointArgs, EndpointTimeouts, PgSettings } from "./endpoint";
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
  type LookupOptions,
} from "./nativeLookups";
export type {
  GetEndpointArgs,
  GetOperationArgs,
  GetPrimaryArgs,
  ListEndpointsArgs,
  ListOperationsArgs,
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
