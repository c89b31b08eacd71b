/**
 * Loads the explorer with the provider that it explores: on a disk, sockets and a chance of its own, and, if wanted, with an
 * old defect put back.
 */
import { transformSync } from "@swc/core";
import { readFileSync } from "node:fs";
import path from "node:path";
import { compileFunction } from "node:vm";
import type * as Explorer from "./explore";
import type * as Command from "./command";
import type * as Disk from "./disk";
import type * as Sockets from "./sockets";

/** Texts of one source file, each with what stood in its place. */
export interface PutBack {
  readonly file: string;
  readonly texts: readonly { readonly from: string; readonly to: string }[];
}

type Loaded = Pick<typeof Explorer, "explore"> & Pick<typeof Command, "run">;

const root = path.join(__dirname, "..", "..", "..");

// Jest's workers share this class with the test files that come next.
const timeout = AbortSignal.timeout.bind(AbortSignal);
afterAll(() => {
  AbortSignal.timeout = timeout;
});

/** A module of this folder, in the registry of this moment. */
function here(name: "command" | "disk" | "explore" | "sockets"): object {
  return jest.requireActual<object>(path.join(__dirname, name));
}

export function loadExplorer(putBack: readonly PutBack[] = []): Loaded {
  const loaded: Loaded[] = [];
  jest.isolateModules(() => {
    jest.doMock("node:fs", () => (here("disk") as typeof Disk).syncFiles);
    jest.doMock("node:fs/promises", () => (here("disk") as typeof Disk).asyncFiles);
    jest.doMock("undici", () => (here("sockets") as typeof Sockets).undici);
    AbortSignal.timeout = (here("sockets") as typeof Sockets).limitSignal;
    Math.random = () => 0.5;
    for (const { file, texts } of putBack) {
      const place = path.join(root, file);
      jest.doMock(place, () => withTexts(place, texts));
    }
    loaded.push({
      ...(here("explore") as typeof Explorer),
      ...(here("command") as typeof Command),
    });
    for (const { file } of putBack) jest.dontMock(path.join(root, file));
  });
  return loaded[0]!;
}

/** The module of a source file in which texts are replaced. */
function withTexts(file: string, texts: PutBack["texts"]): unknown {
  let source = readFileSync(file, "utf8");
  for (const { from, to } of texts) {
    if (source.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`);
    source = source.replace(from, () => to);
  }
  const { code } = transformSync(source, {
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  });
  const module = { exports: {} };
  const load = (name: string): unknown =>
    jest.requireActual(name.startsWith(".") ? path.join(path.dirname(file), name) : name);
  compileFunction(code, ["exports", "module", "require"]).call(undefined, module.exports, module, load);
  return module.exports;
}
