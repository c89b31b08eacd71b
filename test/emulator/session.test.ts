import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fatal } from "../../emulator/extras/postgres/protocol";
import { Session } from "../../emulator/extras/postgres/session";

/** One client at a server that this test writes for: a real one chooses its own moments. */

const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const ready = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

let folder: string;
const closing: net.Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "session-"));
});
afterEach(() => {
  for (const server of closing.splice(0)) server.close();
  rmSync(folder, { recursive: true });
});

async function listening(where: string | number): Promise<{ server: net.Server; peer: Promise<net.Socket> }> {
  const server = net.createServer();
  closing.push(server);
  const peer = new Promise<net.Socket>((resolve) => server.once("connection", resolve));
  await new Promise<void>((resolve) => server.listen(where, resolve));
  return { server, peer };
}

interface Served {
  readonly session: Session;
  /** The server's side of the connection. */
  readonly postgres: net.Socket;
  /** All that the client has read, once its connection has ended. */
  readonly read: Promise<string>;
  /** Waits until the client has read this. */
  readonly reads: (text: string) => Promise<void>;
}

async function served(): Promise<Served> {
  const socket = path.join(folder, "s");
  const postgres = await listening(socket);
  const front = await listening(0);
  const own = net.connect((front.server.address() as net.AddressInfo).port);
  let text = "";
  own.on("data", (chunk) => (text += chunk.toString("latin1")));
  const read = new Promise<string>((resolve) =>
    own.once("end", () =>
      own.end(() => {
        resolve(text);
      }),
    ),
  );
  const client = (await front.peer).pause();
  const session = new Session({
    client,
    version: 196_608,
    parameters: new Map(),
    socket,
    now: Date.now,
    onEnd: () => undefined,
  });
  const reached = session.reach();
  const server = await postgres.peer;
  server.on("error", () => undefined).write(Buffer.concat([authenticated, ready]));
  expect(await reached).toBe("served");
  const reads = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { session, postgres: server, read, reads };
}

const codes = (text: string): readonly string[] => text.match(/57P01/g) ?? [];

describe("a client of a compute that is deleted", () => {
  it("is told once, also where its server has said it and has not closed its socket yet", async () => {
    const { session, postgres, read, reads } = await served();
    postgres.write(fatal("57P01", "terminating connection due to administrator command"));
    await reads("administrator command");
    session.tell("57P01", "Endpoint ep-a was deleted.");
    expect(codes(await read)).toEqual(["57P01"]);
  });

  it("is told by the proxy where its server has said nothing", async () => {
    const { session, read } = await served();
    session.tell("57P01", "Endpoint ep-a was deleted.");
    const said = await read;
    expect(codes(said)).toEqual(["57P01"]);
    expect(said).toContain("Endpoint ep-a was deleted.");
  });

  it("is told once where its server goes without a word", async () => {
    const { postgres, read } = await served();
    postgres.destroy();
    const said = await read;
    expect(codes(said)).toEqual(["57P01"]);
    expect(said).toContain("the compute has stopped");
  });
});
