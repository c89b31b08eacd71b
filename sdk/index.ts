/**
 * `pulumi-compute-endpoint`: what a stack program imports.
 */
export { Endpoint, type EndpointArgs, type EndpointTimeouts, type PgSettings } from "./endpoint";
export {
  autoscaling,
  computeSize,
  computeSizes,
  fixedSize,
  type ComputeSize,
  type SizeArgs,
} from "../provider/sizes";
