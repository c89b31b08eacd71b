import { writeFileSync } from "node:fs";
import path from "node:path";
import { reportOf } from "../../preview/judge/report";
import { readPreview } from "../../preview/read/preview";
import { toText } from "../../preview/render/text";
import { programAt, up, useStack } from "../support/stack";

const program = programAt(path.join(__dirname, "programs/components.js"));

// The plugin has examples/component.
describe("a program of components, with the dynamic variant", () => {
  let branchId: string;
  const stack = useStack({ program }, () => {
    branchId = stack.emptyBranch();
  });
  const declare = (more: object = {}): void => {
    const args = { projectId: stack.projectId, branchId, name: "shop", aliases: [], cu: 0.25, replicas: 2 };
    writeFileSync(path.join(stack.folder, "resources.json"), JSON.stringify({ ...args, ...more }));
  };

  it("comes up", async () => {
    declare();
    await stack.up();
    const made = stack.computes(branchId).map((id) => {
      const { type, suspend_timeout_seconds } = stack.emulator.endpoint(id).endpoint;
      return `${type} ${String(suspend_timeout_seconds)}`;
    });
    expect(made.sort()).toEqual(["read_only 900", "read_only 900", "read_write 900"]);
  });

  it("has each notice on the row of its own compute", async () => {
    declare({ cu: 1 });
    const { steps, warned } = await stack.previewed();
    const primary = steps.find(({ op }) => op === "update")?.urn ?? "";
    expect(primary).toMatch(/shop:index:Database\$pulumi-nodejs:dynamic\/compute:Endpoint::shop-primary$/);
    const restarting = warned.filter(({ message }) => message.includes("restart: size 0.25 → 1 CU"));
    expect(restarting.map(({ urn }) => urn)).toEqual([primary]);
  });

  it("keeps its computes where a component above them has another name", async () => {
    const before = stack.computes(branchId);
    declare({ name: "store", aliases: [{ name: "shop" }] });
    await stack.ok([...up, "--expect-no-changes"]);
    declare({ name: "store", replicas: 1 });
    await stack.up();
    expect(stack.computes(branchId)).toHaveLength(2);
    expect(before).toEqual(expect.arrayContaining([...stack.computes(branchId)]));
  });

  it("asks whether computes were renamed, and keeps them with the aliases that it names", async () => {
    const before = [...stack.computes(branchId)].sort();
    const current = { name: "store", replicas: 1, replicaName: "reader" };
    declare(current);
    const renamed = reportOf(readPreview(Buffer.from((await stack.previewed()).stdout)), ["delete"]);
    expect(renamed.verdict).toMatchObject({ code: 20 });
    const [, advised = ""] =
      /Was it renamed\? Then the option (aliases: \[.*?\]) /.exec(toText(renamed).replaceAll(/\s+/g, " ")) ??
      [];
    expect(advised).toBe('aliases: [{ name: "store-replicas-0" }]');
    declare({ ...current, replicaAliases: [[{ name: "store-replicas-0" }]] });
    const kept = reportOf(readPreview(Buffer.from((await stack.previewed()).stdout)), ["delete"]);
    expect(kept).toMatchObject({ computes: [], renames: [], verdict: { word: "passed", code: 0 } });
    await stack.up();
    expect([...stack.computes(branchId)].sort()).toEqual(before);
  });
});
