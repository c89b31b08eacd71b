/**
 * Opens a host of real computes, and connects it with the records of the service.
 */
import type { ComputeHost, HostedCompute, OpenHost } from "../../service/host";
import type { Clock } from "../../service/model/clock";
import type { HostAnswers, Store } from "../../service/model/store";
import { ComputeDriver, holds } from "./driver";

/** Real computes, and what connects them with the records. */
export interface HostedComputes {
  readonly host: ComputeHost;
  /** What the host tells the records. */
  readonly answers: HostAnswers;
  /** Makes the host follow the records. */
  readonly drive: (store: Store, onChange: () => void) => ComputeDriver;
}

/** Loads the Postgres host only if it is requested: other hosts do not need its code. */
export async function postgresHost(stateFile: string | undefined): Promise<OpenHost> {
  const postgres = await import("../postgres/open.js");
  return postgres.postgresHost({ stateFile });
}

/** @throws Error that says, as a clause, why there are no real computes on this machine. */
export async function openHosted(
  open: OpenHost,
  clock: Clock,
  tell: (text: string) => void,
): Promise<HostedComputes> {
  let driver: ComputeDriver | undefined;
  const host = await open({
    now: () => clock.now(),
    tell,
    wake: async (id) => {
      if (!driver) throw new Error("The service is starting.");
      await driver.wake(id);
    },
  });
  return {
    host,
    answers: {
      holds,
      lastActiveMs: (id) => host.activity(id).lastActiveMs,
      refusalOf: (pgSettings: HostedCompute["pgSettings"]) => host.refusalOf?.(pgSettings),
    },
    drive: (store, onChange) => {
      driver = new ComputeDriver({ store, clock, host, onChange, tell });
      return driver;
    },
  };
}
