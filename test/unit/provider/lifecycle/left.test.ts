/** Creates that killed runs began, and that no resource of the program answers for any more. */
import type { MiniEngine, Program } from "../../../support/miniEngine";
import { variants } from "../../../support/variants";
import { answers, urnOf } from "./bench";
import { bench } from "./eachTest";
import { exportOf, killed } from "./killed";
import { openEngine } from "./stack";

const putBack = (name: string): string => `, if the program has no "${name}" now, put it back`;
const named = (name: string, id: string, adopting = putBack(name)): RegExp =>
  new RegExp(
    `^warning: An earlier run of this stack began to create resource "${name}", a read_only compute on branch ${bench.branchId}, and did not end\\. The branch has ${id} \\(0.25 CU, created \\S+Z\\), which this stack does not have\\. If that create made it, delete it at the service, or${adopting} with the line adopt: "${id}"\\. Then run \`pulumi refresh --clear-pending-creates\` once, so that Pulumi forgets that create\\.$`,
  );

describe.each(variants)(
  "with the %s variant, a killed create whose resource leaves the program",
  (variant) => {
    const program = (...names: readonly string[]): Program => {
      const { projectId, branchId } = bench;
      return Object.fromEntries(
        names.map((name) => [name, { args: { projectId, branchId, type: "read_only" } }]),
      );
    };

    /** @returns the compute that nobody has. */
    async function leave(engine: MiniEngine): Promise<string> {
      await engine.up(program("first", "second"));
      await engine.up(program("first", "second", "third"), { isKilled: true });
      return bench.computes().find((id) => !engine.state().some((one) => one.id === id)) ?? "";
    }

    it("is named by a destroy, which leaves its compute alone", async () => {
      const engine = openEngine(bench, variant);
      const left = await leave(engine);
      await engine.destroy();
      expect(bench.computes()).toEqual([left]);
      expect(engine.said).toEqual([expect.stringMatching(named("third", left))]);
    });

    it.each([
      { run: "an update that deletes another resource", names: ["first"], how: {} },
      { run: "an update that changes nothing", names: ["first", "second"], how: {} },
      { run: "a preview that changes nothing", names: ["first", "second"], how: { isPreview: true } },
    ])("is named once by $run, beside its steps", async ({ names, how }) => {
      const engine = openEngine(bench, variant);
      const left = await leave(engine);
      await engine.up(program(...names), how);
      while (engine.said.length === 0) await new Promise(setImmediate);
      expect(engine.said).toEqual([expect.stringMatching(named("third", left))]);
      expect(bench.computes()).toContain(left);
    });

    it("is named no more once the line has it adopted, and once Pulumi's own command forgets it", async () => {
      const engine = openEngine(bench, variant);
      const left = await leave(engine);
      const { third, ...others } = program("first", "second", "third");
      const adopting = { ...others, third: { args: { ...third!.args, adopt: left } } };
      await expect(engine.up(adopting)).resolves.toMatchObject({ failures: [] });
      await engine.up(program("first", "second", "third"));
      await engine.up(program("first", "second"));
      expect(bench.computes()).toHaveLength(2);
      const before = engine.said.length;
      await engine.up(program("first"));
      expect(engine.said.slice(before)).toEqual([
        expect.stringContaining(
          "The service lists no compute that it may have made. Then run `pulumi refresh",
        ),
      ]);
      engine.clearPendingCreates();
      await engine.destroy();
      expect(engine.said).toHaveLength(before + 1);
    });

    it("is not named while the program declares it, with its line, after a resource that changes", async () => {
      const engine = openEngine(bench, variant);
      const left = await leave(engine);
      const { first, second, third } = program("first", "second", "third");
      const before = engine.said.length;
      await engine.up({
        first: { args: { ...first!.args, suspendTimeoutSeconds: 120 } },
        ...{ second: second!, third: { args: { ...third!.args, adopt: left } } },
      });
      expect(engine.said.slice(before).join()).not.toContain("and did not end");
      expect(engine.state().map(({ id }) => id)).toContain(left);
    });

    it("is named where it was of a replacement which the program asks for no more", async () => {
      const engine = openEngine(bench, variant);
      await engine.up(program("first"));
      const [own] = bench.computes();
      const { first } = program("first");
      bench.spoil("deleteEndpoint", answers(403, { times: 9 }));
      await engine.up({ first: { args: { ...first!.args, regionId: "local-2" } } }, { isKilled: true });
      bench.emulator.clearFaults();
      const left = bench.computes().find((id) => id !== own) ?? "";
      bench.clock.advance(60_000);
      const before = engine.said.length;
      await engine.destroy();
      expect(engine.said.slice(before)).toEqual([
        expect.stringMatching(named("first", left, " declare another resource")),
      ]);
      expect(bench.computes()).toEqual([left]);
    });
  },
);

describe("a destroy after a killed create", () => {
  const destroy = async (): Promise<void> => {
    const { outs } = await bench.create(bench.replica("first"));
    bench.said.length = 0;
    await bench.destroy(outs);
  };

  it("says where to look if the service lists nothing, and does its work", async () => {
    const { outs } = await bench.create(bench.replica("first"));
    const left = await killed(bench, bench.replica("second"));
    bench.spoil("listEndpoints", answers(500, { times: 3 }));
    await bench.destroy(outs);
    expect(bench.said).toEqual([expect.stringContaining("The service could not list its project")]);
    expect(bench.computes()).toEqual([left]);
  });

  it("shows nothing of a secret place", async () => {
    const secret = { ciphertext: "v1:abc" };
    const begun = { [urnOf("second")]: { projectId: secret, branchId: secret, type: "read_only" } };
    bench.backend.exported = exportOf({ begun });
    await destroy();
    expect(bench.said).toEqual([
      'warning: An earlier run of this stack began to create resource "second", a read_only compute, and did not end. Its project or branch is a secret, so this run cannot look there. See at the service whether it has a compute that nobody needs. Then run `pulumi refresh --clear-pending-creates` once, so that Pulumi forgets that create.',
    ]);
  });

  it.each([
    { reason: "nothing was begun", exported: exportOf({}) },
    { reason: "the backend cannot be asked", exported: "no json" },
    {
      reason: "another provider instance began it, in this very run",
      exported: JSON.stringify({
        deployment: {
          resources: [
            { urn: "urn:pulumi:dev::app::pulumi:providers:compute::one" },
            { urn: "urn:pulumi:dev::app::pulumi:providers:compute::two" },
            { urn: urnOf("db"), id: "ep-x", provider: "one" },
          ],
          pending_operations: [
            { type: "creating", resource: { urn: urnOf("second"), provider: "two", inputs: {} } },
          ],
        },
      }),
    },
    {
      reason: "it is no compute's",
      exported: exportOf({ begun: { "urn:pulumi:dev::app::aws:s3/bucket:Bucket::logs": {} } }),
    },
  ])("says nothing where $reason", async ({ exported }) => {
    const { outs } = await bench.create();
    bench.backend.exported = exported;
    await bench.destroy(outs);
    expect(bench.said).toEqual([]);
  });

  it("says nothing where a later run has made its compute, though Pulumi keeps the old create", async () => {
    const { projectId, branchId } = bench;
    const { outs } = await bench.create();
    const held = { [urnOf("second")]: outs["endpointId"] };
    const begun = { [urnOf("second")]: { projectId, branchId, type: "read_only" } };
    bench.backend.exported = exportOf({ held, begun });
    await bench.destroy(outs);
    expect(bench.said).toEqual([]);
  });
});
