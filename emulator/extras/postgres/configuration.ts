/**
 * Writes the configuration files of a Postgres server.
 */
import path from "node:path";
import type { HostedCompute } from "../../service/host";
import { run } from "./account";
import type { Binaries } from "./binaries";
import type { HostFolder } from "./folder";
import { refusalOf } from "./settings";
import { hostRole } from "./sql";

/** The clients' role, and their database: the same at every compute. */
export const clientRole = "app";
export const clientDatabase = "app";

/**
 * Replicas need at least their primary's max_connections, which may grow while they run. The proxy enforces their own
 * limit.
 */
const replicaConnections = 4000;

interface ServerFiles {
  /** Distinguishes servers: it is part of the socket's name. */
  readonly number: number;
  readonly data: string;
}

/** Writes the files that a server reads when it starts or reloads. @returns the path of the first of them */
export function writeConfiguration(
  folder: HostFolder,
  compute: HostedCompute,
  { number }: ServerFiles,
): string {
  const home = folder.compute(compute.id);
  const main = path.join(home, "postgresql.conf");
  const access = path.join(home, "pg_hba.conf");
  const settings: Record<string, unknown> = {
    ...compute.pgSettings,
    listen_addresses: "",
    unix_socket_directories: folder.sockets,
    unix_socket_permissions: "0700",
    port: number,
    hba_file: access,
    max_connections: compute.isReplica ? replicaConnections : compute.maxConnections,
    shared_buffers: "128MB",
    wal_level: "replica",
    max_wal_senders: 10,
    wal_keep_size: "64MB",
    // Without fsync, written data still outlives every process. It need not survive a crash of the machine.
    fsync: "off",
    full_page_writes: "off",
    log_line_prefix: "%m [%p] ",
    cluster_name: compute.id,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${quoted(value)}'`);
  folder.write(main, `${lines.join("\n")}\n`);
  folder.write(access, accessRules(compute.isPasswordless));
  return main;
}

/** Rules for sockets only: the servers have no TCP port. The first rule that fits decides. */
function accessRules(isPasswordless: boolean): string {
  return [
    `local all ${hostRole} password`,
    `local replication ${hostRole} password`,
    ...(isPasswordless ? [`local all ${clientRole} trust`] : []),
    "local all all scram-sha-256",
    "",
  ].join("\n");
}

function quoted(value: unknown): string {
  return String(value).replace(/\\/g, "\\\\").replace(/'/g, "''");
}

/** Makes Postgres itself check settings, without a server. @throws Error in Postgres's words */
export async function checkSettings(
  { folder: programs }: Binaries,
  folder: HostFolder,
  pgSettings: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (Object.keys(pgSettings).length === 0) return;
  const refusal = refusalOf(pgSettings);
  if (refusal !== undefined) throw new Error(refusal);
  const given = Object.entries(pgSettings).flatMap(([name, value]) => ["-c", `${name}=${String(value)}`]);
  const postgres = path.join(programs, "postgres");
  const args = ["-D", folder.template, ...given, "-C", "max_connections"];
  await run(postgres, args, { account: folder.account }).catch((cause: unknown) => {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new Error(/(?:FATAL|ERROR):\s+(.*)/.exec(words)?.[1] ?? words, { cause });
  });
}
