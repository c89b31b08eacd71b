import { loadExplorer } from "./load";
import { oldDefects } from "./putBack";
import { allTroubles } from "./settings";

describe("the explorer finds an old defect that is put back", () => {
  it.each(oldDefects)("$defect", async ({ defect, settings, shows, ...putBack }) => {
    const { found, runs } = await loadExplorer([putBack]).explore({
      settings,
      left: allTroubles,
      troubles: 2,
    });
    process.stderr.write(
      `${defect}: after ${runs} runs: ${found?.what ?? "nothing"}\n  ${found?.history.join("\n  ") ?? ""}\n`,
    );
    expect(found?.what).toMatch(shows);
  });
});
