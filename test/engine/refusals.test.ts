/** What the service refuses in the middle of a run of the real engine, and the way on that the error names. */
import { fixedSize } from "../../provider/model/sizes";
import { up, useStack } from "../support/stack";

describe("a primary that is replaced by force", () => {
  const stack = useStack({});

  it("is deleted first where the program says deleteBeforeReplace", async () => {
    const args = { projectId: stack.projectId, branchId: stack.emptyBranch(), ...fixedSize(1) };
    stack.declare({ app: { args, opts: { deleteBeforeReplace: true } } });
    await stack.up();
    const { urn, id } = (await stack.stateOf("app"))!;
    expect((await stack.ok(["up", "--yes", "--replace", urn])).output).toContain("1 to replace");
    const kept = (await stack.stateOf("app"))!.id;
    expect(stack.computes()).toContain(kept);
    expect(stack.computes()).not.toContain(id);
    stack.declare({ app: { args } });
    // The engine creates first there, and no provider knows of the replacement: the service refuses a second primary.
    expect(await stack.fails(["up", "--yes", "--skip-preview", "--replace", urn])).toContain(kept);
    expect(stack.computes()).toContain(kept);
  });
});

describe("a setting that no compute survives", () => {
  const stack = useStack({ switches: { settingsRestart: true } });

  it("stops at a replica: the primary is not sent, its row names the replica, and it goes on later", async () => {
    const { projectId } = stack;
    const branchId = stack.emptyBranch();
    const names = ["primary", "replica"];
    const declare = (more: object): void => {
      const entries = names.map((name) => {
        const type = name === "primary" ? "read_write" : "read_only";
        return [name, { args: { projectId, branchId, type, ...more } }] as const;
      });
      stack.declare(Object.fromEntries(entries));
    };
    declare({});
    await stack.up();
    stack.emulator.clearRequests();
    declare({ settings: { pgSettings: { shared_buffers: "400GB" } } });
    stack.emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
    const output = await stack.fails(up);
    const { id } = (await stack.stateOf("replica"))!;
    expect(output).toContain(`nothing was sent, because replica (${id}) of the same branch`);
    expect(stack.writes()).toEqual(["updateEndpoint"]);
    stack.emulator.connect(id);
    await stack.up();
    expect(stack.writes()).toEqual(["updateEndpoint", "updateEndpoint"]);
  });
});

describe("a project that was deleted", () => {
  const stack = useStack({});

  it("stops a destroy, which ends once its computes are out of the state, as the error says", async () => {
    const { projectId, defaultBranchId: branchId } = stack;
    stack.declare({ app: { args: { projectId, branchId, type: "read_only" } } });
    await stack.up();
    const { urn } = (await stack.stateOf("app"))!;
    stack.emulator.addFault({ kind: "status", status: 404, path: `/projects/${projectId}/`, times: 1_000 });
    const destroy = ["destroy", "--yes", "--skip-preview"];
    expect(await stack.fails(destroy)).toMatch(
      /knows no project .*take its computes out of the state with `pulumi state delete` and the URN of each/s,
    );
    await stack.ok(["state", "delete", urn, "--yes"]);
    await stack.ok(destroy);
    expect(await stack.stateOf("app")).toBeUndefined();
  });
});
