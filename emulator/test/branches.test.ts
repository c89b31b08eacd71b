import type {
  Branch as PublishedBranch,
  BranchCreateRequest,
  CreateProjectBranchData,
  DeleteProjectBranchData,
  ListProjectBranchesData,
} from "@neon/sdk/raw" with { "resolution-mode": "import" };
import type { WireBranch } from "../service/http/wire";
import { closeBenches, newBench, type Bench, type Reply } from "./support";

afterEach(closeBenches);

// The compiler compares these paths and bodies, and every member of a branch, with the types that Neon publishes.
const all: ListProjectBranchesData["url"] =
  "/projects/{project_id}/branches" satisfies CreateProjectBranchData["url"];
const one: DeleteProjectBranchData["url"] = "/projects/{project_id}/branches/{branch_id}";
type Branch = Pick<PublishedBranch, keyof WireBranch>;
const pr7: BranchCreateRequest = { branch: { name: "pr-7" } };
const withPrimary: BranchCreateRequest = {
  endpoints: [{ type: "read_write", suspend_timeout_seconds: 60 }],
};
const branchOf = ({ body }: Reply): Branch => (body as unknown as { branch: WireBranch }).branch;

/** A bench with the published routes and the types of their answers. */
async function newBranchBench(): Promise<
  Bench & {
    readonly create: (body?: object) => Promise<Reply & { readonly branch: Branch }>;
    readonly list: (search?: string) => Promise<readonly Branch[]>;
    readonly remove: (branchId: string) => Promise<Reply>;
  }
> {
  const bench = await newBench({ switches: { extraRoutes: "on" } });
  const { project, sendRaw } = bench;
  const within = (path: string): string => path.replace("{project_id}", project.project.id);
  return {
    ...bench,
    create: async (body) => {
      const reply = await sendRaw("POST", within(all), body ? { body: JSON.stringify(body) } : {});
      return { ...reply, branch: branchOf(reply) };
    },
    list: async (search) => {
      const query = search === undefined ? "" : `?search=${search}`;
      const { body } = await sendRaw("GET", `${within(all)}${query}`, {});
      return (body as unknown as { branches: readonly WireBranch[] }).branches;
    },
    remove: (branchId) => sendRaw("DELETE", within(one).replace("{branch_id}", branchId), {}),
  };
}

describe("POST branches", () => {
  it("creates a branch from the default branch, without a compute, in one operation that names no compute", async () => {
    const { create, emulator, project } = await newBranchBench();
    const { status, body, branch } = await create(pr7);
    expect(status).toBe(201);
    expect(branch).toMatchObject({ name: "pr-7", parent_id: project.branch.id, default: false });
    expect(body).toMatchObject({
      endpoints: [],
      operations: [{ action: "create_branch", status: "running" }],
    });
    expect(body.operations[0]).not.toHaveProperty("endpoint_id");
    expect(emulator.endpoints(project.project.id)).toHaveLength(1);
  });

  it("creates a branch from the parent that the body names", async () => {
    const { create } = await newBranchBench();
    // A request needs no body.
    const parent = (await create()).branch.id;
    expect((await create({ branch: { parent_id: parent } })).branch.parent_id).toBe(parent);
    expect((await create({ branch: { parent_id: "br-none" } })).status).toBe(404);
  });

  it("starts the compute that the body asks for, once the branch exists (interface 3.2)", async () => {
    const { create, emulator } = await newBranchBench();
    const { body, branch } = await create({
      endpoints: [{ type: "read_write", suspend_timeout_seconds: 60 }],
    });
    const [endpoint] = body.endpoints;
    expect(endpoint).toMatchObject({ branch_id: branch.id, current_state: "init" });
    expect(body.operations).toMatchObject([
      { action: "create_branch", status: "running" },
      { action: "start_compute", status: "scheduling", endpoint_id: endpoint!.id },
    ]);
    emulator.clock.advance(10_000);
    expect(emulator.endpoint(endpoint!.id).endpoint.current_state).toBe("active");
  });

  it.each<[reason: string, status: number, body: object, says: string]>([
    ["a name that is taken", 409, { branch: { name: "main" } }, "already"],
    ["a name that is not a text", 400, { branch: { name: 7 } }, "branch.name must be a text"],
    ["a branch that is a list", 400, { branch: [] }, "branch must be an object"],
    ["a compute without a type", 400, { endpoints: [{}] }, "endpoint.type is required"],
    ["two computes", 400, { endpoints: [{}, {}] }, "at most one"],
  ])("refuses %s, and creates nothing", async (...[, status, body, says]) => {
    const { create, list } = await newBranchBench();
    const refused = await create(body);
    expect(refused).toMatchObject({ status, body: { message: expect.stringContaining(says) as string } });
    expect(await list()).toHaveLength(1);
  });
});

it("GET branches lists all of them, or those whose name or id contains the search text", async () => {
  const { create, list, project } = await newBranchBench();
  const { branch } = await create(pr7);
  const main = { id: project.branch.id, name: "main", default: true };
  expect(await list()).toMatchObject([main, branch]);
  expect(await list("pr-7")).toEqual([branch]);
  expect(await list(branch.id)).toEqual([branch]);
});

describe("DELETE of a branch", () => {
  it("deletes its computes too, and answers 204 when repeated", async () => {
    const { create, list, remove, emulator, project } = await newBranchBench();
    const { branch, body } = await create(withPrimary);
    emulator.clock.advance(10_000);
    expect(await remove(branch.id)).toMatchObject({ status: 200, body: { branch, operations: [] } });
    expect(await list()).toHaveLength(1);
    expect(emulator.endpoints(project.project.id)).toHaveLength(1);
    expect(emulator.counters(body.endpoints[0]!.id).droppedBy.delete).toBe(1);
    expect((await remove(branch.id)).status).toBe(204);
  });

  it("is refused for the default branch, and for a branch that has a child", async () => {
    const { create, list, remove, project } = await newBranchBench();
    const parent = (await create()).branch.id;
    await create({ branch: { parent_id: parent } });
    for (const id of [project.branch.id, parent])
      expect(await remove(id)).toMatchObject({ status: 422, body: { code: "branch_not_deletable" } });
    expect(await list()).toHaveLength(3);
  });
});
