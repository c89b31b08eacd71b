import { readFileSync } from "node:fs";
import type * as pathModule from "node:path";
import { runCommand } from "../../../preview/command";

type Path = typeof pathModule;

jest.mock("node:path", () => jest.requireActual<Path>("node:path").win32);

it.each([
  { folder: "previews", file: "previews/dev.json" },
  { folder: "C:\\work\\previews", file: "C:\\work\\previews/dev.json" },
])("a file in $folder is named with a slash on Windows too", ({ folder, file }) => {
  const [read, printed]: [(string | undefined)[], string[]] = [[], []];
  const code = runCommand([folder, "--format", "json"], {
    read: (asked) => {
      read.push(asked);
      return readFileSync(`${__dirname}/fixtures/changes.json`);
    },
    list: () => ["dev.json"],
    isTerminal: false,
    print: (text) => printed.push(text),
    complain: () => undefined,
  });
  expect({ code, read }).toEqual({ code: 0, read: [file] });
  expect(JSON.parse(printed.join(""))).toMatchObject({ stacks: [{ file }] });
});
