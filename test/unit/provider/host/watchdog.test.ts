import { EventEmitter } from "node:events";
import type * as netModule from "node:net";
import { watchEngine } from "../../../../provider/host/engine";

type Net = typeof netModule;

jest.mock("node:net", () => ({ ...jest.requireActual<Net>("node:net") }));

/** What becomes of the connections to the engine from now on, and after how long. */
let engine: { readonly does: "connect" | "ECONNREFUSED" | "ENOTFOUND"; readonly afterMs?: number };
const open = new Set<EventEmitter>();
const onGone = jest.fn();

/** As a socket of Node: a timeout ends nothing by itself, and what is destroyed says no more. */
function openSocket({ timeout }: { readonly timeout: number }): EventEmitter {
  const { does, afterMs = 0 } = engine;
  const socket = new EventEmitter();
  const close = (): void => {
    open.delete(socket);
    for (const timer of timers) clearTimeout(timer);
  };
  const answer = (): void => {
    if (does === "connect") {
      socket.emit("connect");
      return;
    }
    close();
    socket.emit("error", Object.assign(new Error(does), { code: does }));
  };
  const timers = [setTimeout(() => socket.emit("timeout"), timeout), setTimeout(answer, afterMs)];
  open.add(socket);
  return Object.assign(socket, { destroy: close, unref: () => socket });
}

beforeEach(() => {
  const connect = jest.spyOn(jest.requireMock<Net>("node:net"), "connect");
  connect.mockImplementation(openSocket as unknown as Net["connect"]);
  jest.useFakeTimers();
});
afterEach(() => {
  open.clear();
  jest.resetAllMocks();
  jest.useRealTimers();
});

/** Looks so many times, each time with an engine that does this. */
function look(times: number, does: typeof engine.does): void {
  engine = { does };
  jest.advanceTimersByTime(2_000 * times);
}

describe("the watch", () => {
  it("does not end a process whose engine is there, and keeps no connection", () => {
    watchEngine("127.0.0.1:7", onGone);
    look(3, "connect");
    const [, second] = jest.mocked(jest.requireMock<Net>("node:net").connect).mock.calls;
    expect(second).toEqual([expect.objectContaining({ host: "127.0.0.1", port: 7 })]);
    jest.advanceTimersByTime(1);
    expect(open.size).toBe(0);
    expect(onGone).not.toHaveBeenCalled();
  });

  it.each([1, 1_000, 2_050, 6_000])(
    "ends the process, once, at the second refusal in a row: Windows may take %d ms to say it",
    (afterMs) => {
      engine = { does: "ECONNREFUSED", afterMs };
      watchEngine("127.0.0.1:7", onGone);
      jest.advanceTimersByTime(3_999 + afterMs);
      expect(onGone).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      expect(onGone).toHaveBeenCalledTimes(1);
      jest.advanceTimersByTime(20_000);
      expect(onGone).toHaveBeenCalledTimes(1);
      expect(jest.getTimerCount()).toBe(0);
    },
  );

  it("counts refusals in a row alone", () => {
    watchEngine("127.0.0.1:7", onGone);
    for (const does of ["ECONNREFUSED", "connect", "ECONNREFUSED"] as const) look(1, does);
    jest.advanceTimersByTime(1);
    expect(onGone).not.toHaveBeenCalled();
  });

  it("takes no other trouble for the engine's end", () => {
    watchEngine("no.such.host.invalid:1", onGone);
    look(4, "ENOTFOUND");
    expect(onGone).not.toHaveBeenCalled();
  });

  it.each([undefined, "", "localhost", ":1"])("has nothing to look at in %j", (address) => {
    watchEngine(address, onGone);
    expect(jest.getTimerCount()).toBe(0);
  });
});
