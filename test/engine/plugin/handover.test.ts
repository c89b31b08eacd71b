/** A compute that changes hands between two explicit providers, each a process that knows its own resources only. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { useStack } from "../../support/stack";

const program = `"use strict";
const { Endpoint, Provider } = require("pulumi-compute-endpoint/native");
const declared = JSON.parse(require("node:fs").readFileSync("resources.json", "utf8"));
const providers = { first: new Provider("first"), second: new Provider("second") };
for (const [name, { args, opts }] of Object.entries(declared))
  new Endpoint(name, args, { ...opts, provider: providers[opts.provider] });
`;

describe("an update that fails half-way, once the second provider's resource has adopted the compute", () => {
  const stack = useStack({ variant: "native" }, ({ folder }) => {
    writeFileSync(path.join(folder, "index.js"), program);
  });
  let giver: Parameters<typeof stack.declare>[0];
  let id: string;

  beforeEach(async () => {
    const args = { projectId: stack.projectId, branchId: stack.emptyBranch(), type: "read_only" };
    giver = { giver: { args, opts: { provider: "first" } } };
    stack.declare(giver);
    await stack.up();
    [id = ""] = stack.computes(args.branchId);
    stack.emulator.addFault({
      kind: "status",
      status: 400,
      route: "createEndpoint",
      body: { message: "no" },
    });
    const adopter = { args: { ...args, adopt: id }, opts: { provider: "second", retainOnDelete: false } };
    const other = { args: { ...args, autoscalingLimitMaxCu: 1 }, opts: { provider: "second" } };
    stack.declare({ adopter, other });
    await stack.fails(["up", "--yes", "--skip-preview"]);
    stack.emulator.clearFaults();
    stack.emulator.clearRequests();
  });

  it("keeps it where the program goes back, with a word, and then a destroy deletes it", async () => {
    stack.declare(giver);
    const { output } = await stack.up();
    expect(output).toMatch(
      new RegExp(`Compute ${id} is not deleted: the stack's state has it as that of \\S+::giver`),
    );
    expect(stack.writes()).toEqual([]);
    await stack.destroy();
    expect(stack.computes()).not.toContain(id);
  });

  it("leaves nothing behind where it is destroyed", async () => {
    await stack.destroy();
    expect(stack.computes()).not.toContain(id);
  });
});
