import { closePostgres, closeSharedPostgres, describeOnPostgres } from "../../emulator/postgresSupport";
import { agrees } from "../../support/receipts";
import { openSilenceWorld, sizesInTurn, type Silence } from "./receipt";

/** `npm run test:long -- sockets`: 66 restarts and 22 changes that interrupt nothing, each with a client that is connected. */

jest.setTimeout(900_000);

describeOnPostgres("the bound of a receipt", () => {
  afterAll(closeSharedPostgres);

  it.each([
    { by: "start_compute", atLeast: 50 },
    { by: "apply_config", atLeast: 20 },
  ] as const)(
    "is never shorter than the silence that a client saw, restarted by $by",
    async ({ by, atLeast }) => {
      const world = await openSilenceWorld(by);
      const seen: Silence[] = [];
      for (const to of [...sizesInTurn, ...sizesInTurn]) {
        seen.push(await world.change(to === 0.25 && seen.length === 0 ? 1 : to));
        if (seen.length % 2 === 0) seen.push(await world.change("restart"));
        if (seen.length % 3 === 0) seen.push(await world.change("a setting"));
      }
      await closePostgres();
      const restarted = seen.filter(({ receipt }) => receipt?.happened === "restarted");
      const ratios = restarted.map(
        ({ receipt, silentMs }) => (receipt?.mostMs ?? 0) / (silentMs ?? Infinity),
      );
      const spans = restarted.map(({ silentMs }) => silentMs ?? 0).sort((left, right) => left - right);
      const bounds = restarted.map(({ receipt }) => receipt?.mostMs ?? 0).sort((left, right) => left - right);
      const summaryOf = (list: readonly number[]): string =>
        [list[0], list[Math.floor(list.length / 2)], list.at(-1)]
          .map((value) => (value ?? 0).toFixed(1))
          .join(" / ");
      const over = restarted
        .map(({ receipt, silentMs }) => (silentMs ?? 0) - (receipt?.mostMs ?? 0))
        .sort((left, right) => left - right);
      process.stderr.write(
        `silence - bound ${summaryOf(over)}; above 0: ${over.filter((ms) => ms > 0).length}; connecting again ${summaryOf(restarted.map(({ connectingMs }) => connectingMs).sort((left, right) => left - right))}\n`,
      );
      process.stderr.write(
        `changes ${seen.length}, restarts ${restarted.length}; least / median / most: silence ${summaryOf(spans)} ms, bound ${summaryOf(bounds)} ms, bound ÷ silence ${summaryOf([...ratios].sort((left, right) => left - right))}\n`,
      );
      expect(restarted.length).toBeGreaterThanOrEqual(atLeast);
      const wrong = seen.filter(({ receipt, silentMs }) =>
        receipt?.happened === "restarted"
          ? !(silentMs !== undefined && silentMs <= (receipt.mostMs ?? 0))
          : !agrees(receipt, silentMs !== undefined, by),
      );
      expect(wrong).toEqual([]);
    },
  );
});
