/**
 * Kills a run at each of five moments of a create, and continues it on the same machine or on another: each row of the table
 * in docs/what-happens-when.md, with one compute and with thirty at once. `npm test` runs one of these tests, and
 * `npm run test:long -- crash` runs all.
 */
import { copyFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../../provider/model/sizes";
import { ofThisPart } from "../../support/extent";
import {
  checkoutIn,
  createStack,
  up,
  type Checkout,
  type Declared,
  type TestStack,
} from "../../support/stack";
import { isWindows } from "../../support/systems";
import { chosen, killAt, moments, ofProvider } from "./moments";

const page = readFileSync(path.join(__dirname, "../../../docs/what-happens-when.md"), "utf8");

/** A new home and a new checkout: only the backend is shared. */
async function newMachine(stack: TestStack): Promise<Checkout> {
  const folder = path.join(stack.folder, "machine");
  const machine = checkoutIn(folder, {
    ...stack.environment,
    HOME: folder,
    PULUMI_HOME: path.join(folder, "pulumi-home"),
  });
  copyFileSync(path.join(stack.folder, "Pulumi.test.yaml"), path.join(folder, "Pulumi.test.yaml"));
  await machine.ok(["stack", "select", "organization/tested/test"]);
  return machine;
}

// Windows has no ps, which lists the processes to kill.
(isWindows ? describe.skip : describe).each(ofThisPart(chosen(), ({ isQuick = false }) => isQuick))(
  "with the $variant variant",
  ({ variant, sets, others }) => {
    let stack: TestStack;
    let branchId: string;
    const computes = (): readonly string[] => stack.computes(branchId);
    /** Replicas, each with an adopt line if ids are given. */
    const replicas = (count: number, ids: readonly string[] = []): Declared => {
      const args = { projectId: stack.projectId, branchId, type: "read_only" };
      const all = Array.from({ length: count }, (_, index) => [
        `app${index}`,
        ids.length === 0
          ? { args }
          : { args: { ...args, adopt: ids[index] }, opts: { retainOnDelete: false } },
      ]);
      return Object.fromEntries(all) as Declared;
    };
    const inState = async (): Promise<readonly string[]> =>
      (await stack.resources()).flatMap(({ id = "" }) => (id.startsWith("ep-") ? [id] : [])).sort();

    // Each row has a stack of its own: a clean-up after a kill takes three commands, and a new stack takes one.
    beforeEach(async () => {
      // All creates are sent at once.
      stack = await createStack({ variant, environment: { COMPUTE_REQUESTS_PER_MINUTE: "0" } });
      branchId = stack.emptyBranch();
    });
    afterEach(() => stack.close());

    describe.each(sets)("a run that is killed during $count creates", ({ count, rows }) => {
      it.each(rows)("$killed, and continued on $place", async ({ killed, place, next, ...moment }) => {
        expect(page).toContain(`| ${killed} `);
        stack.declare(replicas(count));
        await killAt(stack, moment, count);
        const before = computes();
        expect(before).toHaveLength(next === "creates" ? 0 : count);
        const machine = place === "another machine" ? await newMachine(stack) : stack;
        machine.declare(replicas(count));
        if (next === "names") {
          expect(await machine.fails(up)).toContain("creating this compute. It may have created ");
          expect(computes()).toEqual(before);
          machine.declare(replicas(count, before));
          await machine.up();
        } else await machine.up();
        expect(computes()).toHaveLength(count);
        if (next !== "creates") expect(computes()).toEqual(before);
        expect(await inState()).toEqual(computes());
      });
    });

    if (others === "none") return;

    it.each(others === "all" ? ofProvider : ofProvider.slice(0, 1))(
      "a provider process that is killed alone leaves a compute that the next run names: $killed",
      async (moment) => {
        stack.declare(replicas(1));
        await killAt(stack, moment, 1);
        const [left = ""] = computes();
        const named = `${left} (0.25 CU`;
        expect((await stack.up()).output).toContain(named);
        const [own = ""] = await inState();
        expect(computes()).toEqual([left, own].sort());
        // The row names two ways: adopt the compute, or delete it at the service. Here another replica adopts it.
        const [second] = Object.values(replicas(1, [left]));
        stack.declare({ ...replicas(1), second: second! });
        await stack.up();
        expect(await inState()).toEqual([left, own].sort());
      },
    );

    it.each([
      { killed: "a move", route: "updateEndpoint", more: (elsewhere: string) => ({ branchId: elsewhere }) },
      { killed: "a replacement", route: "deleteEndpoint", more: () => ({ regionId: "local-2" }) },
      { killed: "a destroy", route: "deleteEndpoint", words: ["destroy", "--yes", "--skip-preview"] },
    ] as const)(
      "$killed that is killed is continued by the same command",
      async ({ route, words = up, ...change }) => {
        const args = { projectId: stack.projectId, branchId, ...fixedSize(0.25) };
        stack.declare({ app: { args } });
        await stack.up();
        if ("more" in change)
          stack.declare({ app: { args: { ...args, ...change.more(stack.emptyBranch()) } } });
        await killAt(stack, { held: { route, when: "before" }, victim: "run", words }, 0);
        await killAt(stack, { held: { route, when: "after" }, victim: "cli", words }, 0);
        await stack.ok(words);
        const left = stack.computes().filter((id) => !stack.computes(stack.defaultBranchId).includes(id));
        expect(await inState()).toEqual(left);
        expect(left).toHaveLength("more" in change ? 1 : 0);
        for (const id of left) {
          const { branch_id, autoscaling_limit_max_cu } = stack.emulator.endpoint(id).endpoint;
          const outputs = { branchId: branch_id, autoscalingLimitMaxCu: autoscaling_limit_max_cu };
          expect(await stack.stateOf("app")).toMatchObject({ outputs });
        }
      },
    );

    // scenarios/unfinished and leftBehind test more cases, with the mini engine instead of Pulumi's.
    if (others !== "all") return;

    it("a create that made none of the named computes is sent again after `pulumi refresh --clear-pending-creates`, and no later run fails because of it", async () => {
      stack.declare(replicas(1));
      await killAt(stack, moments[1]!, 1);
      const [theirs = ""] = computes();
      const { output } = await stack.pulumi(["preview"]);
      expect(output).toContain(`adopt: "${theirs}"`);
      expect(output).toContain("run `pulumi refresh --clear-pending-creates` once");
      await stack.ok(["refresh", "--yes", "--clear-pending-creates"]);
      await stack.up();
      const [own = ""] = await inState();
      expect(computes()).toEqual([theirs, own].sort());
      await stack.destroy();
      await stack.up();
      expect(computes()).toHaveLength(2);
    });
  },
);
