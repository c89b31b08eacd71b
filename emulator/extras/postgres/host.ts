/**
 * The host whose computes are Postgres servers: it does what operations say.
 */
import path from "node:path";
import type {
  Activity,
  ComputeHost,
  HostCalls,
  HostedBranch,
  HostedCompute,
  Place,
} from "../../service/host";
import type { Binaries } from "./binaries";
import { Branches } from "./branches";
import { checkSettings, clientDatabase, clientRole, writeConfiguration } from "./configuration";
import { writeAs } from "./files";
import type { HostFolder } from "./folder";
import { Proxy } from "./proxy";
import { Server } from "./server";
import { refusalOf } from "./settings";
import { hostRole } from "./sql";
import { Turns } from "./turns";

/** What the host knows of a compute. */
interface Known {
  port: number;
  compute: HostedCompute;
  /** The last settings that Postgres accepted. */
  settings: HostedCompute["pgSettings"];
  server?: Server | undefined;
  /** The server's branch, if there is a server. */
  branchId?: string;
}

/** Runs each compute as a Postgres server of this machine. */
export class PostgresHost implements ComputeHost {
  readonly description: string;
  readonly #binaries: Binaries;
  readonly #folder: HostFolder;
  readonly #calls: HostCalls;
  readonly #branches: Branches;
  readonly #proxy: Proxy;
  readonly #known = new Map<string, Known>();
  readonly #turns = new Turns();
  /** The numbers in the names of the servers' sockets: one for the primary of each branch, and one for each replica. */
  readonly #numbers = new Map<string, number>();

  constructor(binaries: Binaries, folder: HostFolder, calls: HostCalls) {
    this.description = binaries.reason;
    this.#binaries = binaries;
    this.#folder = folder;
    this.#calls = calls;
    this.#branches = new Branches(binaries, folder);
    this.#proxy = new Proxy({
      now: calls.now,
      wake: calls.wake,
      socketOf: (id) => this.#socketOf(id),
      limitOf: (id) => {
        const compute = this.#known.get(id)?.compute;
        return compute?.isReplica === true ? compute.maxConnections : undefined;
      },
    });
  }

  /** Opens the shared port, and begins to make the first data. */
  async open(): Promise<void> {
    this.#folder.facts.ports["shared"] = await this.#proxy.open("shared", this.#folder.facts.ports["shared"]);
    this.#folder.saveFacts();
    this.#branches.template().catch((error: unknown) => {
      this.#calls.tell(
        `Postgres could not be set up: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  }

  async admit(compute: HostedCompute): Promise<void> {
    const wanted = this.#folder.facts.ports[compute.id];
    const port = await this.#proxy.open(compute.id, wanted);
    if (wanted !== undefined && port !== wanted) {
      this.#calls.tell(`${compute.id} is now at port ${port}: another process uses its old port ${wanted}.`);
    }
    this.#folder.facts.ports[compute.id] = port;
    this.#folder.password(compute.branch.projectId);
    this.#known.set(compute.id, { port, compute, settings: {} });
  }

  refusalOf(pgSettings: HostedCompute["pgSettings"]): string | undefined {
    return refusalOf(pgSettings);
  }

  /** Several branches of one parent are copied side by side, while no server of the parent starts or stops. */
  makeBranch(branch: HostedBranch): Promise<void> {
    const { id, parentId } = branch;
    const make = (): Promise<void> => this.#branches.make(branch, (of) => this.#primarySocket(of));
    return this.#turns.take(`branch ${id}`, () =>
      parentId === undefined ? make() : this.#turns.share(`branch ${parentId}`, make),
    );
  }

  async start(compute: HostedCompute): Promise<void> {
    await this.makeBranch(compute.branch);
    await this.#turns.take(`compute ${compute.id}`, () =>
      this.#atBranch(compute, () => this.#start(this.#of(compute), compute)),
    );
  }

  isRunning(computeId: string): boolean {
    return this.#known.get(computeId)?.server?.isRunning === true;
  }

  async configure(compute: HostedCompute): Promise<void> {
    await this.#branches.template();
    await this.#turns.take(`compute ${compute.id}`, async () => {
      const known = this.#of(compute);
      await checkSettings(this.#binaries, this.#folder, compute.pgSettings);
      known.settings = compute.pgSettings;
      if (known.server?.isRunning !== true) return;
      // A new size waits for the restart that follows: until then, the server only notes it.
      writeConfiguration(this.#folder, compute, this.#filesOf(known, known.server.data));
      known.server.reload();
    });
  }

  /** Waits for the branch's turn too, so that nobody copies its data meanwhile. */
  stop(computeId: string): Promise<void> {
    return this.#turns.take(`compute ${computeId}`, async () => {
      const known = this.#known.get(computeId);
      if (known?.branchId === undefined) return;
      await this.#atBranch(known.compute, () => this.#stop(known));
    });
  }

  async remove(computeId: string): Promise<void> {
    await this.stop(computeId);
    this.#proxy.close(computeId);
    this.#known.delete(computeId);
    await this.#folder.remove(this.#folder.compute(computeId));
    this.#folder.facts.ports = Object.fromEntries(
      Object.entries(this.#folder.facts.ports).filter(([id]) => id !== computeId),
    );
    this.#folder.saveFacts();
  }

  activity(computeId: string): Activity {
    return this.#proxy.activity(computeId);
  }

  place(computeId: string): Place | undefined {
    const known = this.#known.get(computeId);
    if (!known) return undefined;
    const password = this.#folder.password(known.compute.branch.projectId);
    const { port } = known;
    const [host, user, database] = ["127.0.0.1", clientRole, clientDatabase];
    const at = (number: number | undefined): string =>
      `postgresql://${user}:${password}@${host}:${number ?? 0}/${database}`;
    const sharedUri = `${at(this.#folder.facts.ports["shared"])}?options=endpoint%3D${computeId}`;
    return { host, port, user, password, database, uri: at(port), sharedUri };
  }

  async close(): Promise<void> {
    await this.#branches.template().catch(() => undefined);
    await this.#turns.rest();
    await Promise.all([...this.#known.values()].map((known) => this.#stop(known)));
    this.#proxy.closeAll();
    await this.#folder.close();
  }

  /**
   * A primary's task runs alone, since its server uses the branch's own data. A replica's task only needs that no
   * primary starts or stops meanwhile.
   */
  #atBranch({ isReplica, branch }: HostedCompute, task: () => Promise<void>): Promise<void> {
    const key = `branch ${branch.id}`;
    return isReplica ? this.#turns.share(key, task) : this.#turns.take(key, task);
  }

  async #start(known: Known, compute: HostedCompute): Promise<void> {
    await this.#stop(known);
    // The branch's last primary may have moved away, and its server may still be waiting for its turn to stop.
    if (!compute.isReplica) await this.#stop(this.#primaryOf(compute.branch.id));
    known.compute = compute;
    known.settings = await this.#usableSettings(known, compute);
    known.branchId = compute.branch.id;
    const home = this.#folder.compute(compute.id);
    const data = compute.isReplica ? path.join(home, "data") : this.#folder.branch(compute.branch.id);
    if (compute.isReplica) await this.#makeReplica(compute, data);
    const configured = { ...compute, pgSettings: known.settings };
    const configuration = writeConfiguration(this.#folder, configured, this.#filesOf(known, data));
    const logFile = path.join(home, "log.txt");
    known.server = await Server.start({
      binaries: this.#binaries,
      folder: this.#folder,
      ...{ data, configuration, logFile },
      onExit: () => undefined,
    });
  }

  /** Returns the requested settings or, if Postgres refuses them, the last ones that it accepted. */
  async #usableSettings(known: Known, compute: HostedCompute): Promise<HostedCompute["pgSettings"]> {
    try {
      await checkSettings(this.#binaries, this.#folder, compute.pgSettings);
      return compute.pgSettings;
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.#calls.tell(`${compute.id} starts without its new settings: ${words}`);
      return known.settings;
    }
  }

  /** A replica begins as a copy of its branch, and follows what the primary writes; an idle primary writes nothing. */
  async #makeReplica({ branch }: HostedCompute, data: string): Promise<void> {
    await this.#branches.copy(branch.id, data, this.#primarySocket(branch.id));
    const { hostPassword } = this.#folder.facts;
    const number = this.#numberOf(branch.id);
    const primary = `host=${this.#folder.sockets} port=${number} user=${hostRole} password=${hostPassword}`;
    await writeAs(this.#folder.account, path.join(data, "standby.signal"), "");
    const configuration = path.join(data, "postgresql.auto.conf");
    await writeAs(this.#folder.account, configuration, `primary_conninfo = '${primary}'\n`);
  }

  async #stop(known: Known | undefined): Promise<void> {
    if (!known?.server) return;
    const { server, compute } = known;
    await server.stop();
    known.server = undefined;
    if (compute.isReplica) await this.#folder.remove(server.data);
  }

  #of(compute: HostedCompute): Known {
    const known = this.#known.get(compute.id);
    if (!known) throw new Error(`${compute.id} was deleted`);
    return known;
  }

  #primaryOf(branchId: string): Known | undefined {
    return [...this.#known.values()].find(
      ({ branchId: id, compute, server }) =>
        id === branchId && !compute.isReplica && server?.isRunning === true,
    );
  }

  #primarySocket(branchId: string): string | undefined {
    return this.#primaryOf(branchId) && this.#folder.socket(this.#numberOf(branchId));
  }

  #socketOf(computeId: string): string | undefined {
    const known = this.#known.get(computeId);
    if (known?.server?.isRunning !== true) return undefined;
    return this.#folder.socket(this.#filesOf(known, known.server.data).number);
  }

  #filesOf({ compute, branchId = compute.branch.id }: Known, data: string): { number: number; data: string } {
    return { number: this.#numberOf(compute.isReplica ? compute.id : branchId), data };
  }

  #numberOf(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size + 1;
    this.#numbers.set(key, number);
    return number;
  }
}
