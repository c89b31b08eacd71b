import { closeBenches, newBench } from "./support";

afterEach(closeBenches);

describe("creating", () => {
  it("answers init on its way to active, with a running start_compute and no last_active", async () => {
    const { send, at, emptyBranch } = await newBench();
    const branchId = emptyBranch();
    const made = await send("POST", `${at}/endpoints`, { branch_id: branchId, type: "read_write" });
    expect(made.status).toBe(201);
    expect(made.body.endpoint).toMatchObject({
      id: expect.stringMatching(/^ep-[a-z]+-[a-z]+-[a-z0-9]{8}$/) as string,
      branch_id: branchId,
      current_state: "init",
      pending_state: "active",
    });
    expect(made.body.endpoint).not.toHaveProperty("last_active");
    expect(made.body.operations).toMatchObject([
      { action: "start_compute", status: "running", endpoint_id: made.body.endpoint.id, failures_count: 0 },
    ]);
  });

  it("is active once the operation has finished", async () => {
    const { emulator, send, at, emptyBranch } = await newBench();
    const made = await send("POST", `${at}/endpoints`, { branch_id: emptyBranch(), type: "read_write" });
    const operationPath = `${at}/operations/${made.body.operations[0]!.id}`;
    emulator.clock.advance(999);
    expect((await send("GET", operationPath)).body.operation.status).toBe("running");
    emulator.clock.advance(1);
    expect((await send("GET", operationPath)).body.operation.status).toBe("finished");
    const list = await send("GET", `${at}/endpoints`);
    const found = list.body.endpoints.find(({ id }) => id === made.body.endpoint.id);
    expect(found).toMatchObject({ current_state: "active", last_active: expect.any(String) as string });
    expect(found).not.toHaveProperty("pending_state");
  });
});

describe("changing", () => {
  it("moves to a branch without a primary: apply_config running, suspend_compute scheduling, then idle", async () => {
    const { emulator, send, at, project, emptyBranch } = await newBench();
    const branchId = emptyBranch();
    const path = `${at}/endpoints/${project.endpoint.id}`;
    const moved = await send("PATCH", path, { branch_id: branchId });
    expect(moved.status).toBe(200);
    expect(moved.body.endpoint).toMatchObject({ branch_id: branchId, pending_state: "idle" });
    expect(moved.body.operations.map(({ action, status }) => [action, status])).toEqual([
      ["apply_config", "running"],
      ["suspend_compute", "scheduling"],
    ]);
    emulator.clock.advance(2000);
    expect((await send("GET", `${at}/endpoints`)).body.endpoints[0]).toMatchObject({ current_state: "idle" });
  });
});

describe("deleting", () => {
  it("answers the endpoint and no operations, and the list has it no more", async () => {
    const { send, at, project } = await newBench();
    const gone = await send("DELETE", `${at}/endpoints/${project.endpoint.id}`);
    expect(gone.status).toBe(200);
    expect(gone.body).toMatchObject({ endpoint: { id: project.endpoint.id }, operations: [] });
    expect((await send("GET", `${at}/endpoints`)).body.endpoints).toEqual([]);
  });
});
