/**
 * The service itself, on this machine, for tests and for people. It needs `hono` and `@hono/node-server` beside this
 * package.
 *
 * @module pulumi-compute-endpoint/emulator
 */
import "./http/hono";

export { Clock } from "./model/clock";
export type { ClockKind } from "./model/clock";
export type {
  BranchCreationView,
  BranchView,
  EndpointView,
  ProjectCreationView,
  ProjectView,
} from "./controls/views";
export { Emulator, startEmulator } from "./emulator";
export type { ComputesFacts, EmulatorOptions } from "./emulator";
export type {
  Activity,
  ComputeHost,
  HostCalls,
  HostedBranch,
  HostedCompute,
  OpenHost,
  Place,
} from "./computes/host";
export type { FaultConditions, FaultEffect, FaultRule, FaultSide } from "./faults/rules";
export type { RouteName } from "./http/routes";
export type { BranchOptions, ProjectOptions } from "./model/projects";
export type { LoggedRequest } from "./http/requestLog";
export { defaultSwitches, switchTable } from "./switches";
export type { SwitchName, Switches } from "./switches";
export type { TimelineRule } from "./model/timelines";
export type { Cause, Counters } from "./model/counters";
export type { ChangeView, WireEndpoint, WireOperation } from "./http/wire";
