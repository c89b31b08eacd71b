/**
 * An emulator of the service on this machine, for tests and for people. It needs the packages `hono` and
 * `@hono/node-server`.
 *
 * @module pulumi-compute-endpoint/emulator
 */
import "./service/http/hono";

export { Clock } from "./service/model/clock";
export type { ClockKind } from "./service/model/clock";
export type {
  BranchCreationView,
  BranchView,
  EndpointView,
  ProjectCreationView,
  ProjectView,
} from "./service/controls/views";
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
} from "./service/host";
export type { FaultConditions, FaultEffect, FaultRule, FaultSide } from "./service/faults/rules";
export type { RouteName } from "./service/http/routes";
export type { BranchOptions, ProjectOptions } from "./service/model/projects";
export type { LoggedRequest } from "./service/http/requestLog";
export { defaultSwitches, switchTable } from "./service/switches";
export type { SwitchName, Switches } from "./service/switches";
export type { TimelineRule } from "./service/model/timelines";
export type { Cause, Counters } from "./service/model/counters";
export type { ChangeView, WireEndpoint, WireOperation } from "./service/http/wire";
