import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Clock, startEmulator } from "..";
import { isWindows } from "../../test/support/systems";
import { temporaryFolder } from "../../test/support/temporaryFolder";
import { closeBenches, newBench } from "./support";

let folder: string;
let stateFile: string;

beforeEach(() => {
  folder = temporaryFolder();
  stateFile = join(folder, "state.json");
});

afterEach(closeBenches);

describe("the state file", () => {
  it("restores endpoints, operations, counters, the clock and the sequence of ids", async () => {
    const first = await newBench({ stateFile });
    await first.send("POST", `${first.at}/endpoints/${first.project.endpoint.id}/restart`);
    const counters = first.emulator.counters(first.project.endpoint.id);
    const operations = first.emulator.operations(first.project.project.id);
    const endpoints = first.emulator.endpoints(first.project.project.id);
    await first.emulator.close();

    const again = await startEmulator({ stateFile, clock: new Clock("manual"), operationMs: 1000 });
    const { id } = first.project.project;
    expect(again.operations(id)).toEqual(operations);
    expect(again.endpoints(id)).toEqual(endpoints);
    expect(again.counters(first.project.endpoint.id)).toEqual(counters);
    again.clock.advance(2000);
    expect(again.endpoints(id)[0]!.endpoint.current_state).toBe("active");
    expect(again.createProject().project.id).not.toBe(id);
    await again.close();
  });

  it("has every change once the emulator is closed, cannot be read by other users, and has no other file beside it", async () => {
    const { emulator, project } = await newBench({ stateFile });
    await emulator.close();
    expect(readdirSync(folder)).toEqual(["state.json"]);
    expect(readFileSync(stateFile, "utf8")).toContain(project.project.id);
    // Windows has no such modes.
    if (!isWindows) expect(statSync(stateFile).mode & 0o777).toBe(0o600);
  });

  it.each(["{", "null", '{"version":2}'])(
    "that can't be read prevents the start, with an error that names the file: %s",
    async (text) => {
      writeFileSync(stateFile, text);
      await expect(startEmulator({ stateFile })).rejects.toThrow(
        `The state file ${stateFile} can't be read.`,
      );
      expect(readFileSync(stateFile, "utf8")).toBe(text);
    },
  );
});

it("the emulator gives the same ids for the same seed, and other ids for another seed", async () => {
  const [one, same, other] = await Promise.all([1, 1, 2].map((seed) => newBench({ seed })));
  expect(same!.project).toEqual(one!.project);
  expect(other!.project.project.id).not.toBe(one!.project.project.id);
});

it("the emulator frees its port at once when it is closed, even if connections are kept alive", async () => {
  const { emulator, send, at } = await newBench();
  await send("GET", `${at}/endpoints`);
  await emulator.close();
  const next = await startEmulator({ port: emulator.port });
  expect(next.url).toBe(emulator.url);
  await next.close();
});
