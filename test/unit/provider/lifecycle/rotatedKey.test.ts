import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answers, urn } from "./bench";
import { bench } from "./eachTest";
import { exportOf } from "./killed";

let service: Server;
afterEach(() => {
  service.close();
  service.closeAllConnections();
});

/** A service that takes any key for one account. @returns its address. */
async function openService(): Promise<string> {
  service = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${bench.emulator.apiKey}` };
    const onward = request(
      bench.emulator.url + (incoming.url ?? ""),
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

describe("what a killed run created, if the key has been replaced since", () => {
  it("stops a create in another project where the old one may not be read", async () => {
    const COMPUTE_BASE_URL = await openService();
    bench.backend.exported = exportOf({ begun: { [urn]: bench.replica() } });
    const body = { code: "FORBIDDEN", message: "not your project" };
    const path = `/projects/${bench.projectId}/`;
    bench.emulator.addFault(answers(403, { body, path, times: 100 }));
    const { projectId, branchId } = bench.otherProject();
    const elsewhere = bench.replica("db", { projectId, branchId });
    const run = bench.process({ COMPUTE_BASE_URL, COMPUTE_API_KEY: "new-key" });
    await expect(run.up(elsewhere)).rejects.toThrow(
      /403 \(FORBIDDEN: not your project\).* run `pulumi refresh --clear-pending-creates` once/,
    );
    expect(bench.emulator.endpoints(projectId)).toHaveLength(1);
  });
});
