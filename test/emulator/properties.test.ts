import fc from "fast-check";
import { Clock, startEmulator } from "../../emulator";
import type { Emulator } from "../../emulator";
import { fromCursor, toCursor } from "../../emulator/http/wire";

/** One thing that may happen to a project; numbers choose among what is there. */
type Step = readonly [
  kind: "create" | "move" | "resize" | "restart" | "connect" | "delete" | "wait",
  pick: number,
];

const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom("create", "move", "resize", "restart", "connect", "delete", "wait"),
  fc.nat(1_000_000),
);

function take(emulator: Emulator, projectId: string, [kind, pick]: Step): void {
  const endpoints = emulator.endpoints(projectId);
  const branches = emulator.branches(projectId);
  const branch_id = branches[pick % branches.length]!.id;
  if (kind === "wait") {
    emulator.clock.advance(pick);
    return;
  }
  if (kind === "create") {
    emulator.createEndpoint(projectId, { branch_id, type: pick % 2 === 0 ? "read_write" : "read_only" });
    return;
  }
  const target = endpoints[pick % Math.max(1, endpoints.length)]?.endpoint.id;
  if (target === undefined) return;
  if (kind === "move") emulator.updateEndpoint(target, { branch_id });
  if (kind === "resize") emulator.updateEndpoint(target, { autoscaling_limit_max_cu: 1 + (pick % 10) });
  if (kind === "restart") emulator.restartEndpoint(target);
  if (kind === "connect") emulator.connect(target);
  if (kind === "delete") emulator.deleteEndpoint(target);
}

it("holds its rules through any sequence of requests", async () => {
  const emulator = await startEmulator({ clock: new Clock("manual"), operationMs: 1000 });
  const steps = fc.array(step, { maxLength: 40 });
  fc.assert(
    fc.property(steps, (sequence) => {
      const { id } = emulator.createProject().project;
      emulator.createBranch(id, { compute: false });
      for (const one of sequence) {
        try {
          take(emulator, id, one);
        } catch (error) {
          expect(error).toMatchObject({ name: "ServiceError" });
        }
      }
      const primaries = emulator.endpoints(id).filter(({ endpoint }) => endpoint.type === "read_write");
      expect(new Set(primaries.map(({ endpoint }) => endpoint.branch_id)).size).toBe(primaries.length);

      const times = emulator.operations(id).map(({ created_at }) => created_at);
      expect(times).toEqual([...times].sort().reverse());

      emulator.clock.advance(86_400_000);
      expect(new Set(emulator.operations(id).map(({ status }) => status))).toEqual(new Set(["finished"]));
      for (const { endpoint } of emulator.endpoints(id)) {
        expect(endpoint).toMatchObject({ current_state: "idle" });
        expect(endpoint).not.toHaveProperty("pending_state");
      }
    }),
    { numRuns: 60 },
  );
  await emulator.close();
});

it("reads back every cursor that it writes", () => {
  fc.assert(
    fc.property(fc.nat(4_000_000_000_000_000), (us) => {
      expect(fromCursor(toCursor(us))).toBe(us);
    }),
  );
});
