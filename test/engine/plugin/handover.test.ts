/** A compute that another explicit provider's resource has: each provider is a process that knows its own resources only. */
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

describe("a compute that the resource of another provider of the stack has", () => {
  const stack = useStack({ variant: "native" }, ({ folder }) => {
    writeFileSync(path.join(folder, "index.js"), program);
  });

  it("is not adopted: the refusal names its holder, and the program that goes back keeps it", async () => {
    const args = { projectId: stack.projectId, branchId: stack.emptyBranch(), type: "read_only" };
    const holder = { holder: { args, opts: { provider: "first" } } };
    stack.declare(holder);
    await stack.up();
    const [id = ""] = stack.computes(args.branchId);
    stack.emulator.clearRequests();

    const adopter = { args: { ...args, adopt: id }, opts: { provider: "second", retainOnDelete: false } };
    stack.declare({ adopter });
    const output = await stack.fails(["up", "--yes", "--skip-preview"]);
    expect(output).toContain(`adopting compute ${id}: resource "holder" of this stack has it in its state`);

    stack.declare(holder);
    await stack.up();
    expect(stack.writes()).toEqual([]);
    await stack.destroy();
    expect(stack.computes()).not.toContain(id);
  });
});
