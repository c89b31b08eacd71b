import type { RequestErrorKind } from "../../../../provider/model/errors";
import { answer, clientOf, failureOf } from "./scripted";

const ref = { projectId: "p", endpointId: "ep-a" };
const writes = ["createEndpoint", "updateEndpoint", "deleteEndpoint", "restartEndpoint"] as const;
const posts = ["createEndpoint", "restartEndpoint"];

interface Meaning {
  readonly kind: RequestErrorKind;
  readonly statuses: readonly number[];
  readonly fix: RegExp;
  /** Whether it is worth another try. */
  readonly transient?: boolean;
  /** The writes that it leaves open. */
  readonly open?: readonly string[];
}

/** One kind for each status, and no status behind the client: the rest of the provider goes by kinds. */
const meanings: readonly Meaning[] = [
  { kind: "refused", statuses: [199, 402, 424, 431, 451, 498], fix: /^Change what/ },
  { kind: "refused", statuses: [300, 301, 302, 307, 308, 399], fix: /^Redirects/ },
  { kind: "refused", statuses: [401], fix: /COMPUTE_API_KEY/ },
  { kind: "refused", statuses: [403], fix: /^Ask for a key/ },
  { kind: "badInput", statuses: [400, 413, 414, 422], fix: /^Change what/ },
  { kind: "notFound", statuses: [404], fix: /ids/ },
  { kind: "notFound", statuses: [410], fix: /^Change what/ },
  { kind: "conflict", statuses: [409, 412], fix: /^Change what/ },
  { kind: "locked", statuses: [423], fix: /^Another operation/, transient: true },
  { kind: "throttled", statuses: [429], fix: /^The rate limit/, transient: true },
  // What stands in front may say so of a POST that went through.
  { kind: "busy", statuses: [503], fix: /^The service is in/, transient: true, open: posts },
  // A gateway answers so that had passed the request on already.
  { kind: "broken", statuses: [303], fix: /^Redirects/, transient: true, open: writes },
  {
    kind: "broken",
    statuses: [408, 425, 460, 499, 500, 502, 504, 507, 508, 520, 522, 524, 527, 529, 598, 599],
    fix: /^The service is in/,
    transient: true,
    open: writes,
  },
];
const rows = meanings.flatMap(({ statuses, ...meaning }) =>
  statuses.map((status) => ({ status, transient: false, open: [] as readonly string[], ...meaning })),
);

describe("a status", () => {
  it.each(rows)("of $status means $kind, and says what to do", async ({ status, kind, fix, ...row }) => {
    const { transient, open } = row;
    for (const write of writes) {
      const { api, log } = clientOf(answer(status, { body: { code: "NO" } }));
      const sent = write === "createEndpoint" ? api.createEndpoint("p", {}) : api[write](ref, {});
      const error = await failureOf(sent);
      expect(error).toMatchObject({ kind, transient, outcome: open.includes(write) ? "unknown" : "refused" });
      expect(error.problem.what).toBe(`the service answered ${status} (NO)`);
      expect(error.problem.fix).toMatch(fix);
      if (open.includes(write)) expect(log.filter((line) => line === "send")).toHaveLength(1);
    }
    // A read leaves nothing uncertain.
    const read = clientOf(answer(status, { body: { code: "NO" } })).api.listEndpoints("p");
    await expect(read).rejects.toMatchObject({ kind, transient, outcome: "refused" });
  });

  it.each(rows.filter(({ kind }) => kind === "broken"))(
    "of $status has a read sent again",
    async ({ status }) => {
      const { api, log } = clientOf(answer(status), answer(status), answer(200, { body: { endpoints: [] } }));
      await expect(api.listEndpoints("p")).resolves.toEqual(new Map());
      expect(log.filter((line) => line === "send")).toHaveLength(3);
    },
  );
});
