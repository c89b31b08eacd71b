import "./hono";

export { Clock } from "./clock";
export type { ClockKind } from "./clock";
export type {
  BranchCreationView,
  BranchView,
  ChangeView,
  EndpointView,
  ProjectCreationView,
  ProjectView,
} from "./controls";
export { Emulator, startEmulator } from "./emulator";
export type { EmulatorOptions } from "./emulator";
export type { FaultConditions, FaultEffect, FaultRule, FaultSide } from "./faults";
export type { RouteName } from "./api";
export type { BranchOptions, ProjectOptions } from "./projects";
export type { LoggedRequest } from "./requestLog";
export { defaultSwitches, switchTable } from "./switches";
export type { SwitchName, Switches } from "./switches";
export type { TimelineRule } from "./timelines";
export type { Cause, Counters } from "./truth";
export type { WireEndpoint, WireOperation } from "./wire";
