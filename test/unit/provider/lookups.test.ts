import { Clock, startEmulator, type Emulator } from "../../../emulator";
import { ComputeError } from "../../../provider/model/errors";
import { connectLookups, type Lookups } from "../../../provider/lookups";
import { all, everyPage } from "../../../sdk/sharedLookups";

let emulator: Emulator;
let lookups: Lookups;
let projectId: string;
let branchId: string;
let endpointId: string;

beforeEach(async () => {
  emulator = await startEmulator({ clock: new Clock("manual"), operationMs: 1 });
  const made = emulator.createProject();
  projectId = made.project.id;
  branchId = made.branch.id;
  endpointId = made.endpoint.id;
  const stack: Record<string, string> = {
    "compute:apiKey": emulator.apiKey,
    "compute:baseUrl": emulator.url,
  };
  lookups = connectLookups((key) => stack[key]);
});

afterEach(async () => {
  await emulator.close();
});

const everyOperation = (pageSize?: number) =>
  everyPage({ projectId, pageSize }, (page) => lookups.listOperations(page));

/** Queries of the requests so far. */
const queries = (): string[] => emulator.requests().map(({ query }) => query);

describe("a compute", () => {
  it("has the names that programs use, its times, and no member that the service leaves out", async () => {
    emulator.setSwitches({ service: "neon" });
    emulator.clock.advance(1_000);
    emulator.suspendEndpoint(endpointId);
    emulator.clock.advance(1_000);
    const { host, current_state: currentState, ...of } = emulator.endpoint(endpointId).endpoint;
    const times = { updatedAt: of.updated_at, startedAt: of.started_at, suspendedAt: of.suspended_at };
    expect(Object.values(times)).not.toContain(undefined);
    const facts = await lookups.getEndpoint({ projectId, endpointId });
    const ids = { endpointId, projectId, branchId, type: "read_write" };
    expect(facts).toMatchObject({ ...ids, host, currentState, ...times });
    expect(Object.values(facts)).not.toContain(undefined);
    expect(Object.keys(facts).filter((name) => name.includes("_"))).toEqual([]);
  });

  it("that does not exist is named, with what to check", async () => {
    const lookup = lookups.getEndpoint({ projectId, endpointId: "ep-none" });
    await expect(lookup).rejects.toThrow(ComputeError);
    await expect(lookup).rejects.toThrow(
      `looking up compute ep-none: project ${projectId} has no such compute. Check the two ids`,
    );
  });

  it("that cannot be read fails each lookup that may concern it: the error says what is wrong", async () => {
    const { endpoint } = emulator.endpoint(endpointId);
    const body = { endpoints: [endpoint, { ...endpoint, id: "ep-odd", branch_id: 7 }] };
    emulator.addFault({ kind: "wrongShape", route: "listEndpoints", times: 10, body });
    const says = "compute ep-odd is listed, but its branch_id is not in the expected form";
    for (const lookup of [
      lookups.getEndpoint({ projectId, endpointId: "ep-odd" }),
      lookups.getPrimary({ projectId, branchId: "br-other" }),
      lookups.listEndpoints({ projectId }),
    ])
      await expect(lookup).rejects.toThrow(says);
    await expect(lookups.getEndpoint({ projectId, endpointId })).resolves.toMatchObject({ endpointId });
    const missing = lookups.getEndpoint({ projectId, endpointId: "ep-none" });
    await expect(missing).rejects.toThrow("has no such compute");
  });

  it("is listed with the others of its project, or only with those of its branch", async () => {
    const other = emulator.createBranch(projectId);
    const otherId = other.endpoint?.id;
    const idsOf = async (query: { projectId: string; branchId?: string }): Promise<string[]> =>
      (await lookups.listEndpoints(query)).map((facts) => facts.endpointId);
    await expect(idsOf({ projectId })).resolves.toEqual(expect.arrayContaining([endpointId, otherId]));
    await expect(idsOf({ projectId, branchId })).resolves.toEqual([endpointId]);
    await expect(idsOf({ projectId, branchId: "br-none" })).resolves.toEqual([]);
  });
});

describe("the primary of a branch", () => {
  const addReplica = (of: string): void => {
    emulator.createEndpoint(projectId, { branch_id: of, type: "read_only" });
  };

  it("is found beside the branch's replicas and the project's other primaries", async () => {
    const other = emulator.createBranch(projectId);
    addReplica(branchId);
    await expect(lookups.getPrimary({ projectId, branchId })).resolves.toEqual(
      await lookups.getEndpoint({ projectId, endpointId }),
    );
    const { endpointId: ofOther } = await lookups.getPrimary({ projectId, branchId: other.branch.id });
    expect(ofOther).toBe(other.endpoint?.id);
  });

  it("that does not exist is an error that says what the branch has instead", async () => {
    const empty = emulator.createBranch(projectId, { compute: false }).branch.id;
    const lookup = (): Promise<unknown> => lookups.getPrimary({ projectId, branchId: empty });
    const told = `looking up the primary of branch ${empty}: project ${projectId} has no`;
    await expect(lookup()).rejects.toThrow(`${told} compute on that branch. Check the two ids, or declare`);
    addReplica(empty);
    await expect(lookup()).rejects.toThrow(
      `${told} read_write compute on that branch, only 1 of another type. Check`,
    );
  });
});

describe("operations", () => {
  it("are all listed with the names that programs use, page by page, each once", async () => {
    for (let branches = 0; branches < 3; branches++) emulator.createBranch(projectId);
    const whole = await all(everyOperation());
    expect(whole[0]).toMatchObject({ projectId, action: expect.any(String) as string, failuresCount: 0 });
    expect(queries()).toContain("");
    emulator.clearRequests();
    const paged = await all(everyOperation(2));
    expect(paged.map(({ operationId }) => operationId)).toEqual(whole.map(({ operationId }) => operationId));
    expect(queries()[0]).toMatch(/^\??limit=2$/);
    expect(queries()[1]).toMatch(/^\??limit=2&cursor=./);
  });

  it("end with an error after those already listed, if the service repeats a cursor", async () => {
    for (let branches = 0; branches < 3; branches++) emulator.createBranch(projectId);
    emulator.addFault({ kind: "loopCursor", route: "listOperations", times: 10 });
    const listed: string[] = [];
    const list = (async () => {
      for await (const { operationId } of everyOperation(2)) listed.push(operationId);
    })();
    await expect(list).rejects.toThrow(
      `listing the operations of project ${projectId}: the service answered the same cursor twice`,
    );
    expect(listed).not.toEqual([]);
    expect(emulator.requests().length).toBeLessThan(10);
  });
});
