import { readFileSync } from "node:fs";
import path from "node:path";
import { urnOf as urnAt } from "../../../support/variants";
import { answers, created, urn, urnOf, type Bench } from "./bench";
import { bench } from "./eachTest";

describe("the journal of one folder, shared by stacks of one name", () => {
  const backendWas = process.env["PULUMI_BACKEND_URL"];
  const at = (backend: string): ReturnType<Bench["process"]> => {
    process.env["PULUMI_BACKEND_URL"] = backend;
    return bench.process();
  };
  afterEach(() => {
    if (backendWas === undefined) delete process.env["PULUMI_BACKEND_URL"];
    else process.env["PULUMI_BACKEND_URL"] = backendWas;
  });

  it.each([
    { reason: "on two backends", a: "file:///a", b: "file:///b", orgA: undefined, orgB: undefined },
    { reason: "of two organisations", a: "https://x", b: "https://x", orgA: "blue", orgB: "red" },
  ])("gives no stack the compute of another, $reason", async ({ a, b, orgA, orgB }) => {
    const first = await at(a).create(bench.replica("db", { __organization: orgA }));
    const second = await at(b).create(bench.replica("db", { __organization: orgB }));
    expect(bench.computes()).toEqual([first.id, second.id]);
    await at(b).delete(second.id, second.outs);
    expect(bench.computes()).toEqual([first.id]);
    expect(bench.said.join("\n")).not.toContain("taken over");
  });

  it("is settled by a run that ended in good order, so that nothing of it is found again", async () => {
    const run = bench.process();
    const { id } = await run.create(bench.replica());
    run.end();
    const again = await bench.create(bench.replica());
    expect(again.id).not.toBe(id);
  });
});

describe("the entry of a create in a project that is gone", () => {
  it("stops a create in another project, until the user says that the project was deleted", async () => {
    // `up` that was killed, a destroy of the project with all it has, `up` again: no deletion ever cleared the entry.
    await bench.create(bench.replica());
    const path = `/projects/${bench.projectId}/`;
    bench.emulator.addFault(answers(404, { path, times: 1_000 }));
    const { projectId, branchId } = bench.otherProject();
    const elsewhere = bench.replica("db", { projectId, branchId });
    await expect(bench.create(elsewhere)).rejects.toThrow("COMPUTE_MISSING_PROJECT=gone");
    const { id } = await bench.create(elsewhere, { COMPUTE_MISSING_PROJECT: "gone" });
    expect(bench.emulator.endpoints(projectId).map(({ endpoint }) => endpoint.id)).toContain(id);
  });
});

describe("a primary that is replaced by force", () => {
  it("is refused with the page that has the option, since the engine creates first", async () => {
    const state = await created(bench);
    const run = bench.process();
    const declared = bench.declared();
    await bench.process().handlers.diff(state.endpointId, { ...state }, { ...declared });
    // `--replace` and `state taint`: a check without old inputs, no diff, a create.
    await run.handlers.check({ ...declared }, { ...declared });
    await run.handlers.check({}, { ...declared });
    await expect(run.create(declared)).rejects.toThrow(
      'Other cases: "The branch already has a primary" in docs/what-happens-when.md',
    );
    const page = readFileSync(path.join(__dirname, "../../../../docs/what-happens-when.md"), "utf8");
    const [, cases = ""] = /The branch already has a primary\.([^]*?)\n- /.exec(page) ?? [];
    for (const option of ["deleteBeforeReplace: true", "dependsOn", "aliases"])
      expect(cases).toContain(option);
    expect(bench.computes()).toEqual([state.endpointId]);
  });

  it("says that nothing was replaced where the program adopts what it has, and how to replace it", async () => {
    const state = await created(bench);
    const run = bench.process();
    await run.up(bench.declared({ adopt: state.endpointId }));
    await run.delete(state.endpointId, state);
    expect(bench.computes()).toEqual([state.endpointId]);
    expect(bench.said).toEqual([
      expect.stringMatching(
        /is not deleted: its own `adopt` .* nothing was replaced\. Remove the line with adopt/,
      ),
    ]);
  });
});

describe("a compute of the state that is deleted, which the backend has", () => {
  const other = urnAt("native", "other");
  const both = [{ urn }, { urn: other }];
  it.each<{ is: string; reason: string; resources: readonly object[]; leaving?: string }>([
    { is: "kept", reason: "as another provider's resource too", resources: both },
    { is: "deleted", reason: "as one that is deleted as well", resources: both, leaving: other },
    { is: "deleted", reason: "as one that was replaced", resources: [{ urn }, { urn: other, delete: true }] },
    {
      is: "deleted",
      reason: "as one that is only read",
      resources: [{ urn }, { urn: other, external: true }],
    },
    { is: "deleted", reason: "under the resource's new name", resources: [{ urn: other }] },
  ])("is $is: $reason", async ({ is, resources, leaving }) => {
    const state = await created(bench);
    const { endpointId: id } = state;
    const pending = leaving === undefined ? [] : [{ type: "deleting", resource: { urn: leaving, id } }];
    bench.backend.exported = JSON.stringify({
      deployment: { resources: resources.map((one) => ({ id, ...one })), pending_operations: pending },
    });
    await bench.destroy(state);
    expect(bench.computes()).toEqual(is === "kept" ? [id] : []);
    const text = `warning: Compute ${id} is not deleted: the stack's state has it as that of ${other} as well. To have it deleted, remove that resource too.`;
    expect(bench.said).toEqual(is === "kept" ? [text] : []);
  });

  it("is kept where another provider has adopted it since an earlier deletion of the same update", async () => {
    const [first, second] = [await bench.create(bench.replica("a")), await bench.create(bench.replica("b"))];
    const run = bench.process();
    await run.handlers.check({}, bench.declared());
    await run.delete(first.id, first.outs);
    const resources = [urnOf("b"), other].map((name) => ({ urn: name, id: second.id }));
    bench.backend.exported = JSON.stringify({ deployment: { resources } });
    await run.delete(second.id, second.outs);
    expect(bench.computes()).toEqual([second.id]);
  });

  it("is deleted where the backend does not answer, and it is asked once for all of a destroy", async () => {
    const made = [await bench.create(bench.replica("a")), await bench.create(bench.replica("b"))];
    bench.backend.exported = "a secret";
    const run = bench.process();
    for (const { id, outs } of made) await run.delete(id, outs);
    expect(bench.computes()).toEqual([]);
    expect(bench.backend.asked).toEqual(["dev"]);
  });
});
