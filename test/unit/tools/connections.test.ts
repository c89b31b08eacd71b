import { startEmulator, type Emulator, type OpenHost, type ProjectCreationView } from "../../../emulator";
import { chooseCompute, titleOf } from "../../../tools/connections";
import { computesOn, quickstartOn } from "../../../tools/controlPlane/contents";
import type { ControlPlaneSession } from "../../../tools/controlPlane/session";
import { newFakeHost } from "../../emulator/fakeHost";

const names: Record<string, string> = {};
jest.mock("../../../tools/resourceNames", () => ({ resourceNames: () => names }));

let emulator: Emulator;
let made: ProjectCreationView;
let session: ControlPlaneSession;
let ids: readonly string[];

/** A host where each compute has a port of its own. */
function placing(): OpenHost {
  const ports = new Map<string, number>();
  return async (calls) => {
    const host = await newFakeHost().open(calls);
    return {
      ...host,
      admit: ({ id }) => Promise.resolve(void ports.set(id, ports.size + 1)),
      place: (id) => {
        const port = ports.get(id) ?? 0;
        const client = { user: "app", password: "p", database: "app" };
        return { host: "127.0.0.1", port, ...client, uri: `uri of ${id}`, sharedUri: "" };
      },
    };
  };
}

beforeAll(async () => {
  emulator = await startEmulator({ computes: placing() });
  made = emulator.createProject();
  emulator.createEndpoint(made.project.id, { branch_id: made.branch.id, type: "read_only" });
  // A branch that is called as a resource of another branch is.
  emulator.createBranch(made.project.id, { name: "reports" });
  await emulator.addressed();
  const { url, apiKey, computes } = emulator;
  session = {
    ...{ url, apiKey, computes },
    quickstart: () => Promise.resolve(quickstartOn(emulator)),
    namedComputes: () => Promise.resolve(computesOn(emulator)),
    release: () => Promise.resolve(),
  };
  ids = emulator.endpoints(made.project.id).map(({ endpoint }) => endpoint.id);
  const [primary, replica] = ids;
  Object.assign(names, { [primary!]: "app", [replica!]: "reports" });
});
afterAll(() => emulator.close());

const uriOf = async (...words: readonly string[]): Promise<string | undefined> =>
  (await chooseCompute(session, words)).variables["DATABASE_URL"];

it("shows a compute by its resource's name, with its id, type and branch", () => {
  const titles = computesOn(emulator).map(titleOf);
  const [primary, replica, other] = ids;
  expect(titles.sort()).toEqual(
    [
      `app (${primary!}, primary of branch ${made.branch.name})`,
      `reports (${replica!}, replica of branch ${made.branch.name})`,
      `${other!} (primary of branch reports)`,
    ].sort(),
  );
});

it("connects by the resource's name before the branch's, and by the id and the branch's name too", async () => {
  const [primary, replica] = ids;
  expect(await uriOf("app")).toBe(`uri of ${primary!}`);
  expect(await uriOf("reports", "-c", "SELECT 1")).toBe(`uri of ${replica!}`);
  expect(await uriOf(replica!)).toBe(`uri of ${replica!}`);
  expect(await uriOf(made.branch.name)).toBe(`uri of ${primary!}`);
});

it("names every compute where there is none of the name", async () => {
  await expect(uriOf("shop")).rejects.toThrow(
    /^Connecting: there is no compute shop\. There are: .*app \(ep-\S+, primary of branch/,
  );
});

it("tells the control plane the names, which its console shows", () => {
  computesOn(emulator);
  expect(emulator.endpoint(made.endpoint.id)).toMatchObject({ resource: "app" });
});

it("makes the quickstart's project once, with a branch that has no compute", () => {
  const made = quickstartOn(emulator);
  expect(quickstartOn(emulator)).toEqual(made);
  const branches = emulator.branches(made.projectId).map(({ id }) => id);
  expect(branches.sort()).toEqual([made.defaultBranchId, made.branchId].sort());
  const computes = emulator.endpoints(made.projectId).map(({ endpoint }) => endpoint.branch_id);
  expect(computes).toEqual([made.defaultBranchId]);
});
