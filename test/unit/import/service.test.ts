/** `compute-import` against a service: what it sends, and how it reads the answers. */
import { startEmulator, type Emulator } from "../../../emulator";
import type { ConnectedProject } from "../../../import/command";
import { lookupsWith } from "../../../provider/lookups";
import { readConfig } from "../../../provider/settings/config";
import { ofProject, run } from "./running";

describe("compute-import at a service", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  afterAll(() => emulator.close());

  const environmentOf = (key: string): NodeJS.ProcessEnv => ({
    COMPUTE_API_KEY: key,
    COMPUTE_BASE_URL: emulator.url,
  });
  const connectedBy = (environment: NodeJS.ProcessEnv): ConnectedProject => {
    const live = readConfig(() => undefined, environment);
    return { config: live, listEndpoints: (...of) => lookupsWith(live).listEndpoints(...of) };
  };

  it.each<[reason: string, environment: () => NodeJS.ProcessEnv, says: RegExp]>([
    [
      "no key",
      () => ({}),
      /no API key is set, and no base URL\. Set the environment variable COMPUTE_API_KEY\. Also set COMPUTE_BASE_URL \(without \/api\/v2\)\./,
    ],
    [
      "another key",
      () => environmentOf("another"),
      /^compute-import: .*answered 401.*Check the API key: COMPUTE_API_KEY\.\n$/,
    ],
  ])(
    "names only environment variables in its advice, since it reads no stack's configuration: %s",
    async (_reason, environment, says) => {
      const { code, told, printed } = await run(ofProject, connectedBy(environment()));
      expect({ code, printed }).toEqual({ code: 1, printed: "" });
      expect(told).toMatch(says);
      expect(told).not.toMatch(/pulumi config|compute:/);
    },
  );

  it("requests one list, and sends nothing else", async () => {
    const { project } = emulator.createProject();
    emulator.clearRequests();
    const { code } = await run(["--project", project.id], connectedBy(environmentOf(emulator.apiKey)));
    expect(code).toBe(0);
    const requests = emulator.requests().map(({ method, route }) => `${method} ${String(route)}`);
    expect(requests).toEqual(["GET listEndpoints"]);
  });

  it("leaves out a compute that it cannot read, with the reason, and imports the others", async () => {
    const { project } = emulator.createProject();
    const { endpoint } = emulator.endpoints(project.id)[0]!;
    const body = { endpoints: [endpoint, { ...endpoint, id: "ep-a.b" }] };
    emulator.addFault({ kind: "wrongShape", route: "listEndpoints", body });
    const { code, told } = await run(["--project", project.id], connectedBy(environmentOf(emulator.apiKey)));
    expect(code).toBe(0);
    expect(told).toContain("2 computes, 1 to import, 1 left out");
    expect(told).toContain(
      "left out: a compute is listed, but its id is not in the expected form (an id has only letters, digits, - and _)",
    );
  });
});
