/** What `compute-verify` says about services that behave as the provider expects, and about others. */
import type { Switches } from "../../../emulator";
import { changesFor } from "../../../verify/changes";
import type { ChangeResult } from "../../../verify/report";
import { ofThisPart } from "../../support/extent";
import { closeBenches, openBench } from "./running";

afterEach(closeBenches);

const sizes = ["size up", "size down", "maximum only"] as const;
const harmless = ["suspend timeout", "passwordless access", "name"] as const;

describe("a service as the provider expects it", () => {
  it.each<{ readonly reason: string; readonly service: "interface" | "neon" }>([
    { reason: "the interface", service: "interface" },
    { reason: "Neon", service: "neon" },
  ])("makes every row true: $reason", async ({ service }) => {
    const switches = service === "neon" ? { service } : {};
    const changes = changesFor({ service, moveTo: "br-other" }).length;
    expect(changes).toBeGreaterThan(8);
    const bench = await openBench({ switches, isWatched: true });
    const { code, printed, report } = await bench.verify();
    expect({ code, ended: report?.ended, left: bench.left() }).toEqual({
      code: 0,
      ended: "complete",
      left: [],
    });
    expect(report?.counts).toEqual({ true: changes, "false alarm": 0, missed: 0, "cannot tell": 0 });
    expect(printed).toContain(`${changes} true, 0 false alarm, 0 missed, 0 cannot tell.`);
  });

  it('gives "cannot tell" where neither a connection nor the start time can show an interruption', async () => {
    const { code, report } = await (await openBench()).verify();
    const untold = report?.changes
      .filter(({ result }) => result === "cannot tell")
      .map(({ change }) => change);
    expect({ code, untold }).toEqual({
      code: 0,
      untold: ["suspend timeout", "Postgres setting", "pooler", "passwordless access", "name"],
    });
  });
});

interface Row {
  readonly reason: string;
  readonly switches: Partial<Switches>;
  readonly isWatched?: true;
  /** The results other than "true", by change. */
  readonly results: Readonly<Record<string, ChangeResult>>;
  /** What the service was seen to do for a change. */
  readonly happened?: Readonly<Record<string, string>>;
}

const all = (titles: readonly string[], result: ChangeResult): Row["results"] =>
  Object.fromEntries(titles.map((title) => [title, result]));

describe("a service that differs", () => {
  const rows: readonly Row[] = [
    {
      reason: "sizes are applied live, and the start time shows it",
      switches: { service: "neon", resize: "live" },
      results: all(sizes, "false alarm"),
      happened: { "size up": "not restarted" },
    },
    {
      reason: "sizes are applied live, and a connection stays open",
      switches: { resize: "live" },
      isWatched: true,
      results: all(sizes, "false alarm"),
      happened: { "size up": "not shown" },
    },
    {
      reason: "apply_config restarts without start_compute, and only a connection shows it",
      switches: { restartedBy: "apply_config" },
      isWatched: true,
      results: {},
      happened: { "size up": "not shown" },
    },
    {
      reason: "apply_config restarts without start_compute, and nothing shows it",
      switches: { restartedBy: "apply_config" },
      results: all([...sizes, ...harmless, "Postgres setting", "pooler"], "cannot tell"),
    },
    {
      reason: "apply_config restarts without start_compute, and the start time shows it",
      switches: { service: "neon", restartedBy: "apply_config" },
      results: {},
      happened: { "size up": "restarted" },
    },
    {
      reason: "settings restart a compute, which a preview calls possible",
      switches: { settingsRestart: true },
      isWatched: true,
      results: {},
      happened: { "Postgres setting": "restarted" },
    },
    {
      reason: "a page has at most two operations, and a larger page is refused",
      switches: { maxLimit: 2, defaultLimit: 2 },
      isWatched: true,
      results: {},
      happened: { "size up": "restarted" },
    },
    {
      reason: "a restart of an idle compute is refused, so no restart is sent",
      switches: { idleRestart: 409 },
      isWatched: true,
      results: {},
      happened: { enable: "idle" },
    },
  ];
  const isQuick = ({ switches }: Row): boolean => "resize" in switches || "restartedBy" in switches;

  it.each(ofThisPart(rows, isQuick))(
    "is told apart from a service as expected: $reason",
    async ({ switches, isWatched, results, happened = {} }) => {
      const bench = await openBench({ switches, isWatched: isWatched === true });
      const { code, report, change } = await bench.verify();
      const found = report?.changes.filter(({ result }) => result !== "true") ?? [];
      expect(Object.fromEntries(found.map((one) => [one.change, one.result]))).toEqual(results);
      for (const [title, seen] of Object.entries(happened))
        expect(change(title).service?.happened).toBe(seen);
      expect({ code, ended: report?.ended, left: bench.left() }).toEqual({
        code: 0,
        ended: "complete",
        left: [],
      });
    },
  );
});
