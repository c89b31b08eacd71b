import { EventEmitter } from "node:events";
import type * as netModule from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { watchEngine } from "../../../../provider/host/watchdog";

type Net = typeof netModule;

jest.mock("node:net", () => ({ ...jest.requireActual<Net>("node:net") }));

describe("the watch", () => {
  let server: Server;
  const sockets: Socket[] = [];
  /** What the watch opens. */
  const looks: Socket[] = [];

  beforeEach(async () => {
    const { connect } = jest.requireActual<Net>("node:net");
    jest.spyOn(jest.requireMock<Net>("node:net"), "connect").mockImplementation(((
      how: netModule.NetConnectOpts,
    ) => {
      const socket = connect(how);
      looks.push(socket);
      return socket;
    }) as Net["connect"]);
    server = createServer((socket) => sockets.push(socket));
    await listen(0);
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout"] });
  });

  afterEach(async () => {
    jest.restoreAllMocks();
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
      await Promise.all(
        looks.splice(0).map((socket) => new Promise((resolve) => socket.once("close", resolve))),
      );
    }
  }

  it("does not end a process whose engine is there, and keeps no connection", async () => {
    const onGone = jest.fn();
    watchEngine(`127.0.0.1:${portOf()}`, onGone);
    await look(3);
    const isLetGo = ({ destroyed, readableEnded }: Socket): boolean => destroyed || readableEnded;
    while (sockets.length < 3 || !sockets.every(isLetGo)) await new Promise(setImmediate);
    expect(sockets).toHaveLength(3);
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

describe("an engine whose port is refused late", () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it.each([{ refusedAfterMs: 1_000 }, { refusedAfterMs: 2_050 }, { refusedAfterMs: 6_000 }])(
    "is gone all the same, once: Windows takes $refusedAfterMs ms or so to say it",
    ({ refusedAfterMs }) => {
      jest
        .spyOn(jest.requireMock<Net>("node:net"), "connect")
        .mockImplementation(((how: { timeout: number }) =>
          refusingSocket(refusedAfterMs, how.timeout)) as unknown as Net["connect"]);
      const onGone = jest.fn();
      watchEngine("127.0.0.1:1", onGone);
      jest.advanceTimersByTime(4_000 + refusedAfterMs);
      expect(onGone).toHaveBeenCalledTimes(1);
      jest.advanceTimersByTime(20_000);
      expect(onGone).toHaveBeenCalledTimes(1);
    },
  );
});

/** As a socket of Node: a timeout ends nothing by itself, and what is destroyed says no more. */
function refusingSocket(refusedAfterMs: number, timeoutMs: number): EventEmitter {
  const refusal = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const socket = new EventEmitter();
  const timers = [
    setTimeout(() => socket.emit("timeout"), timeoutMs),
    setTimeout(() => socket.emit("error", refusal), refusedAfterMs),
  ];
  const destroy = (): void => {
    for (const timer of timers) clearTimeout(timer);
  };
  return Object.assign(socket, { destroy, unref: () => socket });
}
