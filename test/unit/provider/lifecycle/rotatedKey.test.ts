import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answers } from "./bench";
import { bench } from "./eachTest";
import { cutOff } from "./killed";

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
    await cutOff(bench, bench.replica(), { COMPUTE_BASE_URL, COMPUTE_API_KEY: "old-key" });
    const body = { code: "FORBIDDEN", message: "not your project" };
    const path = `/projects/${bench.projectId}/`;
    bench.emulator.addFault(answers(403, { body, path, times: 100 }));
    const { projectId, branchId } = bench.otherProject();
    const elsewhere = bench.replica("db", { projectId, branchId });
    await expect(bench.create(elsewhere, { COMPUTE_BASE_URL, COMPUTE_API_KEY: "new-key" })).rejects.toThrow(
      /403 \(FORBIDDEN: not your project\).* delete \S+\.json, which notes that create/,
    );
    expect(bench.emulator.endpoints(projectId)).toHaveLength(1);
  });
});
