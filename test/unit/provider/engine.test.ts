import { createServer, type Server, type Socket } from "node:net";
import { createEngineVoice, watchEngine, type EngineVoice } from "../../../provider/engine";
import { startEngine, type Engine } from "../../support/providerProcess";

const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

function voiceTo(address: string | undefined): EngineVoice {
  return createEngineVoice(address, (text) => text.replaceAll("s3cret", "[redacted]"));
}

describe("the voice", () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine();
  });

  afterEach(() => {
    engine.close();
  });

  it.each(["info", "warning", "error"] as const)("stays on the row as %s", async (severity) => {
    await voiceTo(engine.address).say(urn, severity, "a message");
    expect(engine.said).toEqual([`${severity} ${urn} a message`]);
  });

  it("shows progress that does not stay", async () => {
    const voice = voiceTo(engine.address);
    voice.progress(urn, "1 s");
    await voice.say(urn, "info", "after it");
    expect(engine.shown).toEqual([`info ${urn} 1 s`]);
    expect(engine.said).toEqual([`info ${urn} after it`]);
  });

  it("takes secrets out of what it says and shows", async () => {
    const voice = voiceTo(engine.address);
    voice.progress(urn, "with s3cret");
    await voice.say(urn, "warning", "with s3cret");
    expect([...engine.shown, ...engine.said]).toEqual([
      `info ${urn} with [redacted]`,
      `warning ${urn} with [redacted]`,
    ]);
  });

  it("says nothing where it is not known on which row", async () => {
    const voice = voiceTo(engine.address);
    voice.progress(undefined, "1 s");
    await voice.say(undefined, "warning", "a message");
    await voice.say(urn, "info", "after it");
    expect([...engine.said, ...engine.shown]).toEqual([`info ${urn} after it`]);
  });

  it.each([
    { address: undefined, reason: "a provider without an engine" },
    { address: "", reason: "no address" },
    { address: "localhost", reason: "no port" },
    { address: "https://localhost:1/x", reason: "not an address" },
  ])("does nothing, and fails nothing: $reason", async ({ address }) => {
    await expect(voiceTo(address).say(urn, "warning", "a message")).resolves.toBeUndefined();
  });

  it("fails nothing where the engine is gone", async () => {
    const voice = voiceTo(engine.address);
    engine.close();
    await expect(voice.say(urn, "warning", "a message")).resolves.toBeUndefined();
  });
});

describe("the watch", () => {
  let server: Server;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = createServer((socket) => sockets.push(socket));
    await listen(0);
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout"] });
  });

  afterEach(async () => {
    jest.useRealTimers();
    await close();
  });

  const portOf = (): number => (server.address() as { port: number }).port;

  async function listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  }

  async function close(): Promise<void> {
    for (const socket of sockets.splice(0)) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }

  /** Lets it look so many times, and each look come to its end. */
  async function look(times: number): Promise<void> {
    for (let looked = 0; looked < times; looked++) {
      jest.advanceTimersByTime(2_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it("does not end a process whose engine is there, and keeps no connection", async () => {
    const onGone = jest.fn();
    watchEngine(`127.0.0.1:${portOf()}`, onGone);
    await look(3);
    expect(sockets).toHaveLength(3);
    expect(sockets.every(({ destroyed, readableEnded }) => destroyed || readableEnded)).toBe(true);
    expect(onGone).not.toHaveBeenCalled();
  });

  it("ends the process, once, after two refusals in a row", async () => {
    const onGone = jest.fn();
    watchEngine(`127.0.0.1:${portOf()}`, onGone);
    await look(1);
    await close();
    await look(1);
    expect(onGone).not.toHaveBeenCalled();
    await look(1);
    expect(onGone).toHaveBeenCalledTimes(1);
    await look(3);
    expect(onGone).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it("counts refusals in a row alone", async () => {
    const onGone = jest.fn();
    const port = portOf();
    watchEngine(`127.0.0.1:${port}`, onGone);
    await close();
    await look(1);
    await listen(port);
    await look(1);
    await close();
    await look(1);
    expect(onGone).not.toHaveBeenCalled();
  });

  it("takes no other trouble for the engine's end", async () => {
    const onGone = jest.fn();
    watchEngine("no.such.host.invalid:1", onGone);
    await look(4);
    expect(onGone).not.toHaveBeenCalled();
  });

  it.each([undefined, "", "localhost", ":1"])("has nothing to look at in %j", (address) => {
    watchEngine(address, jest.fn());
    expect(jest.getTimerCount()).toBe(0);
  });
});
