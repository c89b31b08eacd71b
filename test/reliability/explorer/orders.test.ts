import { itInQuickPart, itInRest } from "../../support/extent";
import { loadExplorer } from "./load";
import { rareInTime, rareStates, type RareState } from "./rare";
import {
  allTroubles,
  lateLists,
  otherClocks,
  plainWorlds,
  troublesInTime,
  worldsOfAllAnswers,
} from "./settings";
import type { Bounds, Exploration } from "./explore";

/** `EXPLORER_TROUBLES=2` visits more orders. It takes minutes, so no part of the suite does it. */
const troubles = Number(process.env["EXPLORER_TROUBLES"] ?? "0");
const itGoesFurther = troubles > 0 ? it : it.skip;

/** Explores, says what was visited, and fails with the shortest order of events that breaks a promise. */
async function explored(name: string, bounds: Bounds): Promise<Exploration> {
  const beganAtMs = performance.now();
  const seen = await loadExplorer().explore(bounds);
  const seconds = ((performance.now() - beganAtMs) / 1000).toFixed(0);
  process.stderr.write(
    `${name}: ${seen.states} states, ${seen.transitions} transitions, ${seen.runs} runs, ${seconds} s\n${[...seen.reached].map((state) => `  reached: ${state}\n`).join("")}`,
  );
  if (seen.found !== undefined) throw new Error(`${seen.found.what}\n${seen.found.history.join("\n")}`);
  return seen;
}

const rare = Object.keys(rareStates) as RareState[];

describe("in every order of two runs, a stranger and a service that fails, each compute has one owner", () => {
  itInQuickPart("with one thing that goes wrong", async () => {
    const { reached } = await explored("one trouble", {
      settings: plainWorlds,
      left: allTroubles,
      troubles: 1,
    });
    expect(reached).toContain("a killed run's compute is taken over");
  });

  itInRest("with a run that is killed, and a POST without a clear answer in the same history", async () => {
    const left = { kill: 1, spoiled: 1, stranger: 0, journal: 0, outage: 0 };
    await explored("kill and answer", { settings: plainWorlds, left, troubles: 2 });
  });

  itInRest("with every answer there is", async () => {
    await explored("all answers", { settings: worldsOfAllAnswers, left: allTroubles, troubles: 1 });
  });

  itGoesFurther("with two things that go wrong, and every rare state reached", async () => {
    const { reached } = await explored("plain", { settings: plainWorlds, left: allTroubles, troubles });
    expect(rare.filter((state) => !rareInTime.includes(state) && !reached.has(state))).toEqual([]);
  });

  itGoesFurther("with a kill and an unclear answer, late lists and clocks that differ", async () => {
    const left = { kill: 1, spoiled: 1, stranger: 0, journal: 0, outage: 0 };
    await explored("in time, further", { settings: [...lateLists, ...otherClocks], left, troubles });
  });

  itInRest("with lists that are late and clocks that differ", async () => {
    const settings = [...lateLists, ...otherClocks];
    const { reached } = await explored("in time", { settings, left: troublesInTime, troubles: 1 });
    expect(rareInTime.filter((state) => !reached.has(state))).toEqual([]);
  });
});
