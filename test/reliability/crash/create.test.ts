/**
 * The five moments at which a create can be killed: each row of the table in docs/what-happens-when.md, by a real kill.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { createStack, type TestStack } from "../../support/stack";
import { isWindows } from "../../support/systems";
import { variants } from "../../support/variants";
import { afterTheCliMs, expectSilence, neverMs, until } from "./killing";
import { runningNow } from "./processes";

interface Moment {
  /** As the table says it. */
  readonly killed: string;
  /** The request of the create, from 1, that is held while the run is killed. */
  readonly request: number;
  readonly side: "before" | "after";
  readonly victim: "cli" | "provider" | "cli that no longer listens";
  /** What the next `up` says; undefined if it creates a compute and says nothing. */
  readonly says: RegExp | undefined;
}

const takesOver =
  /An earlier run created compute (ep-\S+) for this resource: it is taken over, not created again/;

const moments: readonly Moment[] = [
  { killed: "before the request was sent", request: 1, side: "before", victim: "provider", says: undefined },
  {
    killed: "between the request and its answer",
    request: 2,
    side: "after",
    victim: "provider",
    says: /the create of an earlier run got no answer, and (ep-\S+) is on the branch since/,
  },
  // The provider outlives its CLI, and gets the answer.
  { killed: "after the answer", request: 2, side: "after", victim: "cli", says: takesOver },
  {
    killed: "during the wait for the compute",
    request: 3,
    side: "before",
    victim: "provider",
    says: takesOver,
  },
  {
    killed: "after the provider's answer to Pulumi",
    request: 4,
    side: "after",
    victim: "cli that no longer listens",
    says: takesOver,
  },
];

const page = readFileSync(path.join(__dirname, "../../../docs/what-happens-when.md"), "utf8");
const up = ["up", "--yes"] as const;

// On Windows there is no ps to say which processes to kill.
(isWindows ? describe.skip : describe).each(variants)(
  "with the %s variant, a create that is killed",
  (variant) => {
    let stack: TestStack;
    let branchId: string;
    const computes = (): readonly string[] =>
      stack.emulator
        .endpoints(stack.projectId)
        .map(({ endpoint }) => endpoint)
        .filter((endpoint) => endpoint.branch_id === branchId)
        .map(({ id }) => id);
    const declare = (more = {}, opts = {}): void => {
      const args = { projectId: stack.projectId, branchId, type: "read_only", ...more };
      stack.declare({ app: { args, opts } });
    };

    beforeAll(async () => {
      stack = await createStack({ variant });
    });
    afterAll(() => stack.close());
    beforeEach(() => {
      branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    });
    afterEach(async () => {
      await stack.ok(["destroy", "--yes", "--skip-preview"]);
      expect(computes()).toEqual([]);
    });

    it.each(moments)("$killed", async (moment) => {
      expect(page).toContain(`| ${moment.killed} `);
      declare();
      await killAt(stack, moment);
      await stack.ok(["cancel", "--yes"]);
      const before = computes();
      const next = await stack.pulumi(up);
      const [, named] = moment.says?.exec(next.output) ?? [];
      expect(named).toBe(moment.says === undefined ? undefined : before[0]);
      if (moment.request === 2 && moment.victim === "provider") {
        expect(next.code).not.toBe(0);
        expect(next.output).toContain(`add the line adopt: "${named ?? ""}"`);
        expect(computes()).toEqual(before);
        declare({ adopt: named }, { retainOnDelete: false });
        await stack.ok(up);
        // Both lines can go, without a warning or a restart.
        declare();
        const later = await stack.ok(up);
        expect(later.output).toContain("2 unchanged");
        expect(later.output).not.toContain("warning");
      } else expect(next).toMatchObject({ code: 0 });
      expect(computes()).toEqual([(await stack.stateOf("app"))?.id]);
      if (before.length > 0) expect(computes()).toEqual(before);
    });
  },
);

async function killAt(stack: TestStack, { request, side, victim }: Moment): Promise<void> {
  const { emulator } = stack;
  const delayMs = victim === "provider" ? neverMs : afterTheCliMs;
  emulator.clearRequests();
  emulator.addFault({ kind: "delay", delayMs, when: side, after: request - 1 });
  const command = stack.pulumi(["up", "--yes", "--skip-preview"]);
  await until(() => emulator.requests().some(({ fault }) => fault === "delay"), 60_000);
  const running = await runningNow();
  if (victim === "cli that no longer listens") {
    process.kill(running.cli, "SIGSTOP");
    await new Promise((resolve) => setTimeout(resolve, 4 * afterTheCliMs));
  }
  process.kill(victim === "provider" ? running.provider : running.cli, "SIGKILL");
  await command;
  await expectSilence(stack, running.provider);
  emulator.clearFaults();
}
