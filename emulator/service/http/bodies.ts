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
import type { EndpointCreation } from "../model/transitions";
import type { Switches } from "../switches";

/** Set at creation; the switch `fixedFields` decides what a PATCH of them does. */
const fixed = ["type", "region_id"];
/** Published members of a PATCH that change nothing here. */
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

function endpointOf(body: unknown): Fields {
  const endpoint = isObject(body) ? body["endpoint"] : undefined;
  if (!isObject(endpoint)) throw badRequest("The body is an object with a member `endpoint`.");
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
  throw badRequest(`endpoint.type is read_write or ${switches.replicaType}, not "${type}".`);
}
