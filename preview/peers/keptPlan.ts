/**
 * Cuts a plan down to what a report reads, for a plan that has to leave its job: plans have secrets in plain text.
 */
import { camelCase, isMap, plainValue, secret } from "../read/values";
import { differingPaths } from "./differences";
import { isReadAround } from "./neighbours";
import { isAzureType, isOfService, isReadPath } from "./table";

type Json = Readonly<Record<string, unknown>>;

/** A plan whose other values are gone. A report on it says the same, except that it does not show those values. */
export function keptPlan(plan: Json): Json {
  return {
    ...only(plan, ["format_version", "plan_format_version", "terraform_version", "complete", "errored"]),
    // A report only looks whether these values are there.
    ...("planned_values" in plan && { planned_values: {} }),
    ...listsOf(plan, ["resource_changes", "resource_drift"], keptChange),
    ...listsOf(plan, ["deferred_changes"], ({ resource_change: change }) => ({
      resource_change: isMap(change) ? withoutValues(change) : change,
    })),
    ...listsOf(plan, ["action_invocations"], (invoked) => only(invoked, ["address", "type"])),
    ...listsOf(plan, ["deferred_action_invocations"], ({ action_invocation: invoked }) => ({
      action_invocation: isMap(invoked) ? only(invoked, ["address", "type"]) : invoked,
    })),
  };
}

function only(record: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

function listsOf(plan: Json, names: readonly string[], kept: (item: Json) => unknown): Json {
  const lists = Object.entries(only(plan, names));
  return Object.fromEntries(
    lists.map(([name, list]) => [
      name,
      Array.isArray(list) ? list.map((item: unknown) => (isMap(item) ? kept(item) : item)) : list,
    ]),
  );
}

const placeNames = ["address", "mode", "type", "provider_name"];

function withoutValues(resource: Json): Json {
  const { change } = resource;
  return { ...only(resource, placeNames), ...(isMap(change) && { change: only(change, ["actions"]) }) };
}

/** A changed resource. Only a resource of a service with computes keeps values. */
function keptChange(resource: Json): Json {
  const { change, type } = resource;
  const kept = withoutValues(resource);
  if (!isMap(change) || !isMap(kept["change"])) return kept;
  const { importing } = change;
  return {
    ...kept,
    change: {
      ...kept["change"],
      // Whether the resource is imported, without the id.
      ...(importing !== undefined && importing !== null && { importing: {} }),
      ...((isOfService(String(type)) || isAzureType(String(type))) && keptSides(change)),
    },
  };
}

function keptSides(change: Json): Json {
  const { before, after, before_sensitive: old, after_sensitive: next } = change;
  const marks = [old, next];
  return {
    ...only(change, ["after_unknown", "before_sensitive", "after_sensitive"]),
    before: keptValue(before, { other: after, marks, path: "", instead: "left out" }),
    after: keptValue(after, { other: before, marks, path: "", instead: "left out, and different" }),
  };
}

interface Place {
  /** The value on the other side. */
  readonly other: unknown;
  /** What the plan marks as sensitive here, on either side. */
  readonly marks: readonly unknown[];
  /** In camelCase; the items of a list have the path of their list. */
  readonly path: string;
  /** Stands for a value that is left out and differs from the other side. */
  readonly instead: string;
}

function keptValue(value: unknown, { other, marks, path, instead }: Place): unknown {
  const at = (name: string): Place => ({
    other: memberOf(other, name),
    marks: marks.map((mark) => mark === true || memberOf(mark, name)),
    path: Array.isArray(value) ? path : `${path}${path === "" ? "" : "."}${camelCase(name)}`,
    instead,
  });
  if (Array.isArray(value)) return value.map((item, index) => keptValue(item, at(String(index))));
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, keptValue(member, at(name))]),
    );
  // Null says that there is no value.
  if (value === null || value === undefined || (!marks.includes(true) && isRead(path))) return value;
  const [plain, plainOther] = [plainValue(value), plainValue(other)];
  // A CI system has masked the value already: nobody knows whether it differs.
  if (plain === secret) return value;
  return differingPaths(plain, plainOther).length === 0 ? "left out" : instead;
}

function isRead(path: string): boolean {
  return isReadPath(path) || isReadAround(path);
}

function memberOf(value: unknown, name: string): unknown {
  const hasMember = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return hasMember ? (value as Json)[name] : undefined;
}
