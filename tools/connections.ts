/**
 * Says how clients connect to the computes of the local stack.
 */
import type { BranchView, EndpointView, Place, ProjectView } from "../emulator/index";
import type { ControlPlaneSession } from "./controlPlane/session";
import { ExpectedError } from "./expectedError";
import { control } from "./localStack";

/** A compute that clients can connect to. */
export interface PlacedCompute extends EndpointView {
  readonly place: Place;
  readonly branchName: string;
}

/** Whether the local computes are real, as a line for a person. */
export function computesLine({ computes }: ControlPlaneSession): string {
  const { kind, reason } = computes;
  return kind === "hosted" ? `Computes are ${reason}` : `Computes are simulated, because ${reason}`;
}

/** The local computes that clients can connect to: the stack's own first. */
export async function placedComputes({ url }: ControlPlaneSession): Promise<PlacedCompute[]> {
  const { projects } = await control<{ projects: ProjectView[] }>(url, "projects");
  const ofProjects = await Promise.all(
    projects.map(async ({ id, default_branch_id }) => {
      const { branches } = await control<{ branches: BranchView[] }>(url, `projects/${id}/branches`);
      const { endpoints } = await control<{ endpoints: EndpointView[] }>(url, `projects/${id}/endpoints`);
      const nameOf = (branchId: string): string =>
        branches.find((one) => one.id === branchId)?.name ?? branchId;
      const placed = endpoints.flatMap((view) =>
        view.place ? [{ ...view, place: view.place, branchName: nameOf(view.endpoint.branch_id) }] : [],
      );
      const isDefault = ({ endpoint }: EndpointView): number =>
        Number(endpoint.branch_id === default_branch_id);
      return placed.sort((one, other) => isDefault(one) - isDefault(other));
    }),
  );
  return ofProjects.flat();
}

/** What makes any client of Postgres connect to the stack's compute; nothing where there is none. */
export async function connectionVariables(
  controlPlane: ControlPlaneSession,
): Promise<Record<string, string>> {
  const [first] = await placedComputes(controlPlane);
  return first ? toVariables(first.place) : {};
}

/**
 * The compute that a person means, and what is left of the arguments: its id, its name or its branch's may come first.
 *
 * @throws ExpectedError that says how to come to a compute
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
  const named = computes.find(({ endpoint, branchName }) =>
    [endpoint.id, endpoint.name, branchName].includes(first),
  );
  if (named) return { variables: toVariables(named.place), rest: others };
  if (first !== "" && !first.startsWith("-")) {
    const names = computes
      .map(({ endpoint, branchName }) => `${endpoint.id} (branch ${branchName})`)
      .join(", ");
    throw new ExpectedError(`Connecting: there is no compute ${first}. There are: ${names}.`);
  }
  const [stackOwn] = computes;
  return { variables: toVariables(stackOwn?.place), rest: first === "" ? others : [first, ...others] };
}

function toVariables(place: Place | undefined): Record<string, string> {
  if (!place) return {};
  const { host, port, user, password, database, uri } = place;
  return {
    ...{ PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password, PGDATABASE: database },
    DATABASE_URL: uri,
  };
}
