/**
 * Reads and checks the bodies of creates and updates.
 */
import {
  attributeWireNames,
  isObject,
  readAttributes,
  readText,
  withInitialValues,
  type EndpointChanges,
  type Fields,
} from "../model/attributes";
import { badRequest } from "../model/errors";
import type { BranchPlan } from "../model/projects";
import type { EndpointCreation } from "../model/transitions";
import type { Switches } from "../switches";

/** Only a create sets these; the switch `fixedFields` decides what happens if a PATCH contains one. */
const fixed = ["type", "region_id"];
/** Members of a PATCH that the published API has, and that the emulator ignores. */
const ignored = ["provisioner"];

/** Reads the body of a create (interface 4.1). @throws ServiceError 400 that names the member */
export function toCreation(body: unknown, switches: Switches): EndpointCreation {
  const fields = endpointOf(body);
  refuseUnknown(fields, switches);
  const { type, region_id: regionId } = fields;
  return {
    ...withInitialValues(readAttributes(fields, switches), switches),
    type: readType(type, switches),
    ...(regionId !== undefined && { regionId: readText(regionId, "region_id") }),
  };
}

/** Reads the body of an update (interface 4.3). @throws ServiceError 400 that names the member */
export function toChanges(body: unknown, switches: Switches): EndpointChanges {
  const fields = endpointOf(body);
  refuseUnknown(fields, switches);
  const wrong = fixed.find((name) => name in fields);
  if (wrong !== undefined && switches.fixedFields === "refuse") {
    throw badRequest(`endpoint.${wrong} can't be changed after creation.`);
  }
  return readAttributes(fields, switches);
}

/**
 * Reads the body of a request that creates a branch, in the form of the published API. The body can be absent, and can
 * request one compute at most.
 *
 * @throws ServiceError 400 that names the member
 */
export function toBranchPlan(body: unknown, switches: Switches): BranchPlan {
  const { branch = {}, endpoints = [] } = isObject(body) ? body : {};
  if (!isObject(branch)) throw badRequest("branch must be an object.");
  if (!Array.isArray(endpoints) || endpoints.length > 1)
    throw badRequest("endpoints must be a list of at most one compute.");
  const [endpoint] = endpoints as readonly Fields[];
  const name = branchText(branch, "name");
  const parentId = branchText(branch, "parent_id");
  return {
    ...(name !== undefined && { name }),
    ...(parentId !== undefined && { parentId }),
    ...(endpoint && {
      compute: (branchId) => toCreation({ endpoint: { ...endpoint, branch_id: branchId } }, switches),
    }),
  };
}

/** The published API treats an empty text like a missing one. */
function branchText(branch: Fields, wireName: string): string | undefined {
  const value = branch[wireName];
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string") return value;
  throw badRequest(`branch.${wireName} must be a text.`);
}

function endpointOf(body: unknown): Fields {
  const endpoint = isObject(body) ? body["endpoint"] : undefined;
  if (!isObject(endpoint)) throw badRequest("The body must be an object with a member `endpoint`.");
  return endpoint;
}

function refuseUnknown(fields: Fields, switches: Switches): void {
  if (switches.unknownFields === "ignore") return;
  const known = [...attributeWireNames, ...fixed, ...ignored];
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) throw badRequest(`endpoint.${unknown} is not known.`);
}

function readType(value: unknown, switches: Switches): string {
  if (value === undefined) throw badRequest("endpoint.type is required.");
  const type = readText(value, "type");
  if (type === "read_write" || type === switches.replicaType) return type;
  throw badRequest(`endpoint.type must be read_write or ${switches.replicaType}, not "${type}".`);
}
