/**
 * Says how clients connect to the computes of the local stack.
 */
import type { Place } from "../emulator/index";
import type { NamedCompute } from "./controlPlane/contents";
import type { ControlPlaneSession } from "./controlPlane/session";
import { ExpectedError } from "./expectedError";

/** Whether the local computes are real, as a line for people. */
export function computesLine({ computes }: ControlPlaneSession): string {
  const { kind, reason } = computes;
  return kind === "hosted" ? `Computes are ${reason}` : `Computes are simulated, because ${reason}`;
}

/** A compute's title for people: its resource's name, its type and branch, and its id. */
export function titleOf({ endpoint, resource, branchName }: NamedCompute): string {
  const type = endpoint.type === "read_write" ? "primary" : "replica";
  const about = `${type} of branch ${branchName}`;
  return resource === undefined ? `${endpoint.id} (${about})` : `${resource} (${endpoint.id}, ${about})`;
}

/** The local computes that clients can connect to. Those of the default branch come last. */
async function placedComputes(controlPlane: ControlPlaneSession): Promise<NamedCompute[]> {
  return (await controlPlane.namedComputes()).filter(({ place }) => place !== undefined);
}

/** Variables that make any Postgres client connect to the first of these computes; empty if there is none. */
export async function connectionVariables(
  controlPlane: ControlPlaneSession,
): Promise<Record<string, string>> {
  const [first] = await placedComputes(controlPlane);
  return toVariables(first?.place);
}

/**
 * The compute that the first argument names, and the other arguments. The argument can be a compute's id or name, or
 * the name of its resource or branch. If it is missing, or an option of psql, the first compute is taken.
 *
 * @throws ExpectedError that says how to get a compute
 */
export async function chooseCompute(
  controlPlane: ControlPlaneSession,
  [first = "", ...others]: readonly string[],
): Promise<{ variables: Record<string, string>; rest: readonly string[] }> {
  const computes = await placedComputes(controlPlane);
  if (controlPlane.computes.kind === "simulated") {
    throw new ExpectedError(`Connecting: there is nothing to connect to. ${computesLine(controlPlane)}.`);
  }
  if (computes.length === 0)
    throw new ExpectedError("Connecting: there is no compute yet. Run `npm start` first.");
  // A resource's name comes before a branch's, since a branch may have the same name as a resource.
  const named =
    computes.find(({ endpoint, resource }) => [endpoint.id, resource].includes(first)) ??
    computes.find(({ endpoint, branchName }) => [endpoint.name, branchName].includes(first));
  if (named) return { variables: toVariables(named.place), rest: others };
  if (first !== "" && !first.startsWith("-")) {
    const names = computes.map(titleOf).join("; ");
    throw new ExpectedError(`Connecting: there is no compute ${first}. Name one of these: ${names}.`);
  }
  return { variables: toVariables(computes[0]?.place), rest: first === "" ? others : [first, ...others] };
}

function toVariables(place: Place | undefined): Record<string, string> {
  if (!place) return {};
  const { host, port, user, password, database, uri } = place;
  return {
    ...{ PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password, PGDATABASE: database },
    DATABASE_URL: uri,
  };
}
