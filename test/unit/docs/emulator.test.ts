/** The table of controls in docs/emulator.md, compared with the emulator's. */
import { Controls } from "../../../emulator/service/controls/controls";
import { controlRoutes } from "../../../emulator/service/controls/routes";
import { textOf } from "./checkout";

const [, section = ""] = textOf("docs/emulator.md").split("\n## Controls\n");
const codeIn = (cell = ""): readonly string[] => [...cell.matchAll(/`(.+?)`/g)].map(([, code = ""]) => code);

/** Rows of the table: functions, and the routes that call them. */
const rows = [...section.split("\n## ")[0]!.matchAll(/^\| `.*/gm)].map(([row]) => {
  const [, functions, routes] = row.split("|");
  return { functions: codeIn(functions), routes: codeIn(routes) };
});

it("has every function, and no other", () => {
  const members = Object.getOwnPropertyNames(Controls.prototype).filter((name) => name !== "constructor");
  // A property of each object.
  expect(rows.flatMap(({ functions }) => functions).sort()).toEqual([...members, "clock"].sort());
});

it("has every route, and no other", () => {
  expect(rows.flatMap(({ routes }) => routes).sort()).toEqual(Object.keys(controlRoutes).sort());
});
