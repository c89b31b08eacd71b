import path from "node:path";
import { startEmulator } from "../../emulator";
import { runChild } from "../../tools/children";

const [processes, each] = [2, 3];

describe("processes on one account's rate limit", () => {
  it("learn of each other by refusals alone, and all end well", async () => {
    const emulator = await startEmulator({ switches: { rateLimitPerMinute: 700, rateLimitBurst: 4 } });
    const env = { ...process.env, COMPUTE_BASE_URL: emulator.url, COMPUTE_API_KEY: emulator.apiKey };
    const projects = Array.from({ length: processes }, () => emulator.createProject());
    const ended = await Promise.all(
      projects.map(({ project, branch }) =>
        runChild(process.execPath, [path.join(__dirname, "sharer.js"), project.id, branch.id, String(each)], {
          env,
          stdio: ["ignore", "ignore", "inherit"],
        }),
      ),
    );
    const replicas = projects.map(
      ({ project }) =>
        emulator.endpoints(project.id).filter(({ endpoint }) => endpoint.type === "read_only").length,
    );
    await emulator.close();
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(replicas).toEqual([each, each]);
  });
});
