/**
 * Opens the Postgres host if this machine can run one, and otherwise says why not.
 */
import type { OpenHost } from "../../service/host";
import { chooseAccount } from "./account";
import { findBinaries, type Binaries } from "./binaries";
import { HostFolder, removeLeftovers } from "./folder";
import { PostgresHost } from "./host";

interface PostgresOptions {
  /** The data is kept beside this file. Without a state file, it is removed when the emulator closes. */
  readonly stateFile: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Postgres as the host of computes. If there is no Postgres, opening the host throws an error with the reason as a
 * clause.
 */
export function postgresHost({ stateFile, env = process.env }: PostgresOptions): OpenHost {
  return async (calls) => {
    const account = chooseAccount();
    await removeLeftovers(account);
    const folder = new HostFolder(stateFile, account);
    try {
      const { major } = folder.facts;
      const search = { account, env, tell: calls.tell, ...(major !== undefined && { major }) };
      const host = new PostgresHost(await findBinaries(search), folder, calls);
      await host.open();
      return host;
    } catch (error) {
      await folder.close();
      throw error;
    }
  };
}

/** The Postgres that would be used now. Installs nothing. @throws Error that says why there is none */
export function lookForPostgres(env: NodeJS.ProcessEnv): Promise<Binaries> {
  return findBinaries({ account: chooseAccount(), env, mayInstall: false });
}
