import {
  createEngineLog,
  isDynamicProvider,
  loadSdkStubs,
  type EngineLog,
} from "../../../../provider/host/engine";
import { startEngine, type Engine } from "../../../support/providerProcess";

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

  it("keeps messages on the row, and shows progress that does not stay, without secrets", async () => {
    const log = logTo(engine.address);
    log.progress(urn, "1 s of s3cret");
    for (const severity of ["info", "warning", "error"] as const) await log.say(urn, severity, "with s3cret");
    expect(engine.shown).toEqual([`info ${urn} 1 s of [redacted]`]);
    expect(engine.said).toEqual(
      ["info", "warning", "error"].map((severity) => `${severity} ${urn} with [redacted]`),
    );
  });

  it("sends nothing that steers a terminal or reorders a text: a service chooses ids and names", async () => {
    const log = logTo(engine.address);
    const steering = "\u001b[2J\u001b]0;title\u0007\u009b1m\u202eevil\u2066\r\n";
    log.progress(urn, `restart${steering} running`);
    await log.say(urn, "info", `compute ep-${steering}`);
    // eslint-disable-next-line no-control-regex -- what is looked for
    const wrong = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    for (const text of [...engine.said, ...engine.shown]) expect(text).not.toMatch(wrong);
    expect(engine.shown.join()).toContain("evil");
  });

  it("says nothing where it is not known on which row", async () => {
    const log = logTo(engine.address);
    log.progress(undefined, "1 s");
    await log.say(undefined, "warning", "a message");
    await log.say(urn, "info", "after it");
    expect([...engine.said, ...engine.shown]).toEqual([`info ${urn} after it`]);
  });

  it.each([
    { address: undefined, reason: "a provider without an engine" },
    { address: "", reason: "no address" },
    { address: "localhost", reason: "no port" },
    { address: "https://localhost:1/x", reason: "not an address" },
  ])("does nothing, and fails nothing: $reason", async ({ address }) => {
    await expect(logTo(address).say(urn, "warning", "a message")).resolves.toBeUndefined();
  });

  it("fails nothing where the engine is gone", async () => {
    const log = logTo(engine.address);
    engine.close();
    await expect(log.say(urn, "warning", "a message")).resolves.toBeUndefined();
  });
});

describe("the arguments of a process", () => {
  const sdk = "/app/node_modules/@pulumi/pulumi";

  it.each([
    ["the SDK's provider process", `${sdk}/cmd/dynamic-provider/index.js`, true],
    ["on Windows", String.raw`C:\app\@pulumi\pulumi\cmd\dynamic-provider\index.js`, true],
    ["by its folder", `${sdk}/cmd/dynamic-provider`, true],
    ["a program's own process", `${sdk}/cmd/run/index.js`, false],
    ["a user's tests", "/app/node_modules/jest/bin/jest.js", false],
    ["another script", "/app/cmd/dynamic-provider/index.js/other.js", false],
    ["no script at all", undefined, false],
  ])("tell the dynamic provider's process: %s", (_reason, script, is) => {
    expect(isDynamicProvider(["node", ...(script === undefined ? [] : [script]), "127.0.0.1:1"])).toBe(is);
  });
});
