/** The engine behind a provider process: messages on its rows, and whether it still runs. */
import { EventEmitter } from "node:events";
import type * as netModule from "node:net";
import { createEngineLog, loadSdkStubs, type EngineLog } from "../../../../provider/host/log";
import { isDynamicProvider, watchEngine } from "../../../../provider/host/watchdog";
import { startEngine, type Engine } from "../../../support/providerProcess";

type Net = typeof netModule;

jest.mock("node:net", () => ({ ...jest.requireActual<Net>("node:net") }));

const urn = "urn:pulumi:dev::app::pulumi-nodejs:dynamic/compute:Endpoint::db";

function logTo(address: string | undefined): EngineLog {
  return createEngineLog(
    () => loadSdkStubs(address),
    (text) => text.replaceAll("s3cret", "[redacted]"),
  );
}

describe("the log", () => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(() => {
    engine.close();
  });

  it("keeps messages on the row, and shows progress for a moment, both without secrets", async () => {
    const log = logTo(engine.address);
    log.progress(urn, "1 s of s3cret");
    const severities = ["info", "warning", "error"] as const;
    for (const severity of severities) await log.say(urn, severity, "with s3cret");
    expect(engine.shown).toEqual([`info ${urn} 1 s of [redacted]`]);
    expect(engine.said).toEqual(severities.map((severity) => `${severity} ${urn} with [redacted]`));
  });

  it("sends nothing that steers a terminal or reorders a text, since a service chooses ids and names", async () => {
    const log = logTo(engine.address);
    const steering = "\u001b[2J\u001b]0;title\u0007\u009b1m\u202eevil\u2066\r\n";
    log.progress(urn, `restart${steering} running`);
    await log.say(urn, "info", `compute ep-${steering}`);
    // eslint-disable-next-line no-control-regex -- the test looks for them
    const wrong = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    for (const text of [...engine.said, ...engine.shown]) expect(text).not.toMatch(wrong);
    expect(engine.shown.join()).toContain("evil");
  });

  it("says nothing if the row is not known", async () => {
    const log = logTo(engine.address);
    log.progress(undefined, "1 s");
    await log.say(undefined, "warning", "a message");
    await log.say(urn, "info", "after it");
    expect([...engine.said, ...engine.shown]).toEqual([`info ${urn} after it`]);
  });

  it.each<[reason: string, address: (() => string) | undefined]>([
    ["a provider without an engine", undefined],
    ["no address", () => ""],
    ["the engine is gone", () => engine.address],
  ])("does nothing, and throws nothing: %s", async (_reason, address) => {
    const log = logTo(address?.());
    engine.close();
    await expect(log.say(urn, "warning", "a message")).resolves.toBeUndefined();
  });
});

const sdk = "/app/node_modules/@pulumi/pulumi";

it.each<[reason: string, is: boolean, script?: string]>([
  ["the SDK's provider process", true, `${sdk}/cmd/dynamic-provider/index.js`],
  ["on Windows", true, String.raw`C:\app\@pulumi\pulumi\cmd\dynamic-provider\index.js`],
  ["started by its folder", true, `${sdk}/cmd/dynamic-provider`],
  ["a program's own process", false, `${sdk}/cmd/run/index.js`],
  ["a user's tests", false, "/app/node_modules/jest/bin/jest.js"],
  ["another script", false, "/app/cmd/dynamic-provider/index.js/other.js"],
  ["no script at all", false],
])(
  "a process is recognized by its arguments as the dynamic provider's, or not: %s: %s",
  (...[, is, script]) => {
    expect(isDynamicProvider(["node", ...(script === undefined ? [] : [script]), "127.0.0.1:1"])).toBe(is);
  },
);

describe("the watch", () => {
  /** How connections to the engine end from now on, and after how long. */
  let engine: { readonly does: "connect" | "ECONNREFUSED" | "ENOTFOUND"; readonly afterMs?: number };
  const open = new Set<EventEmitter>();
  const onGone = jest.fn();
  const connections = (): jest.MockedFunction<Net["connect"]> =>
    jest.mocked(jest.requireMock<Net>("node:net").connect);

  /** Acts like a Node socket: a timeout does not close it, and once destroyed it emits nothing. */
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
    onGone.mockReset();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it.each<[reason: string, looks: readonly (typeof engine.does)[]]>([
    ["the engine is there", ["connect", "connect", "connect"]],
    ["refusals do not come in a row", ["ECONNREFUSED", "connect", "ECONNREFUSED"]],
    ["the errors are not refusals", ["ENOTFOUND", "ENOTFOUND", "ENOTFOUND"]],
  ])("ends no process, and keeps no connection, where %s", (_reason, looks) => {
    watchEngine("127.0.0.1:7", onGone);
    for (const does of looks) {
      engine = { does };
      jest.advanceTimersByTime(2_000);
    }
    jest.advanceTimersByTime(1);
    expect(connections()).toHaveBeenCalledWith(expect.objectContaining({ host: "127.0.0.1", port: 7 }));
    expect(open.size).toBe(0);
    expect(onGone).not.toHaveBeenCalled();
  });

  it.each([undefined, "", "localhost", ":1"])("watches nothing for the address %j", (address) => {
    watchEngine(address, onGone);
    expect(jest.getTimerCount()).toBe(0);
  });
});
