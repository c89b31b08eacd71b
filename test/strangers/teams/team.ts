/**
 * A team: one service, one place for states, and runners that share nothing else but the passphrase and the key.
 */
import path from "node:path";
import { engineEnvironment } from "../../../tools/engine/environment";
import { until } from "../../emulator/postgresSupport";
import { runningNow } from "../../reliability/crash/processes";
import { packageOf, type Variant } from "../../support/variants";
import { checkoutIn, createStack, type Checkout, type TestStack } from "../../support/stack";
import type { Backend } from "./backends";

/** A machine with a checkout and a home of its own. */
export type Runner = Checkout;

export interface Team extends Pick<
  TestStack,
  "emulator" | "projectId" | "emptyBranch" | "computes" | "close"
> {
  /** Logged in to the team's backend. */
  newRunner(): Promise<Runner>;
  /** kill -9 of the CLI and the provider of this command once the service has made a compute. @returns its id. */
  killInCreate(runner: Runner, words: readonly string[], branchId: string): Promise<string>;
}

export async function openTeam(backend: Backend, variant: Variant): Promise<Team> {
  const stack = await createStack();
  const { emulator } = stack;
  const computes = (branchId: string): readonly string[] => stack.computes(branchId);
  let runners = 0;
  return {
    ...stack,
    newRunner: async () => {
      const folder = path.join(stack.folder, `runner-${(runners += 1)}`);
      const home = path.join(folder, "home");
      // `pulumi login` says where states are, as on most machines.
      const { PULUMI_BACKEND_URL: _, ...own } = engineEnvironment(home);
      const service = { COMPUTE_BASE_URL: emulator.url, COMPUTE_API_KEY: emulator.apiKey };
      const shared = { ...service, ...backend.environment, TESTED_PACKAGE: packageOf[variant] };
      const environment = { ...own, HOME: home, ...shared };
      const runner = checkoutIn(path.join(folder, "checkout"), environment);
      await runner.ok(["login", backend.url]);
      return runner;
    },
    killInCreate: async (runner, words, branchId) => {
      const before = computes(branchId);
      emulator.addFault({ kind: "delay", delayMs: 600_000, when: "after", route: "createEndpoint" });
      const killed = runner.pulumi(words);
      await until(() => computes(branchId).length > before.length);
      const { cli, provider } = await runningNow();
      process.kill(provider, "SIGKILL");
      process.kill(cli, "SIGKILL");
      await killed;
      emulator.clearFaults();
      return computes(branchId).find((id) => !before.includes(id)) ?? "";
    },
  };
}
