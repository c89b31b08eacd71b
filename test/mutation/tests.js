"use strict";

/**
 * Loads test files once, and runs any of their tests as often as needed. It offers what Jest offers a test (`describe`,
 * `it.each`, hooks, `expect`, `jest.fn`), without a module registry for each file.
 */
const { readdirSync, readFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { performance } = require("node:perf_hooks");
const { clearTimeout, setTimeout } = require("node:timers");
const { transformSync } = require("@swc/core");
const { expect } = require("expect");
const { bind } = require("jest-each");
const { ModuleMocker } = require("jest-mock");
require("../lanes/environment");

/** The time limit of one test or hook, in milliseconds. It can be short, because the tests' clock is not real. */
const limitMs = 5_000;

/** Jest alone can replace a module or its timers. */
const needsJest = /\bjest\.(mock|useFakeTimers|setSystemTime|advanceTimersByTime)\b/;

class TooLong extends Error {}

/** @param files - paths of test files; files that only Jest can run are left out. */
function loadTests(root, files) {
  takeTypeScript(root);
  const env = { ...process.env };
  /** The tests by id: their names with those of the blocks around them, and their file. */
  const tests = new Map();
  const blocks = new Map();
  let current;
  /** The first error that no test has caught, since the last test began. */
  let stray;
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error) => {
      stray ??= error ?? new Error(event);
    });

  const addBlock = (name, body) => {
    const outer = current;
    current = blockIn(outer, String(name));
    outer.children.push(current);
    body();
    current = outer;
  };
  const addTest = (name, body) => {
    const names = [...around(current).map((block) => block.name), String(name)].join(" ");
    let id = names;
    for (let count = 2; tests.has(id); count++) id = `${names} (${count})`;
    const test = { id, body, parent: current, file: around(current)[0].name };
    tests.set(id, test);
    current.children.push(test);
  };
  Object.assign(globalThis, {
    describe: withEach(addBlock),
    it: withEach(addTest),
    test: withEach(addTest),
    expect,
    jest: mocks(),
    beforeAll: (hook) => current.beforeAll.push(hook),
    afterAll: (hook) => current.afterAll.unshift(hook),
    beforeEach: (hook) => current.beforeEach.push(hook),
    afterEach: (hook) => current.afterEach.unshift(hook),
  });
  for (const file of files) {
    if (needsJest.test(readFileSync(path.join(root, file), "utf8"))) continue;
    current = blockIn(undefined, file);
    blocks.set(file, current);
    forgetShared(root);
    require(path.join(root, file));
    process.env = { ...env };
  }

  const runTest = async (test, onStart) => {
    const startMs = performance.now();
    const outer = around(test.parent);
    stray = undefined;
    onStart(test);
    let error = await firstErrorOf(outer.flatMap(({ beforeEach }) => beforeEach));
    error ??= await firstErrorOf([test.body]);
    const after = outer.reverse().flatMap(({ afterEach }) => afterEach);
    for (const hook of after) {
      const failed = await firstErrorOf([hook]);
      error ??= failed;
    }
    return { test, error: error ?? stray, ms: performance.now() - startMs };
  };

  /** @returns whether the next block is to be run. */
  const runBlock = async (block, wanted, { onStart, onEnd }) => {
    const isWanted = (child) => (child.children ? child.children.some(isWanted) : wanted.has(child.id));
    const children = block.children.filter(isWanted);
    let goesOn = true;
    const broken = await firstErrorOf(children.length > 0 ? block.beforeAll : []);
    for (const child of children) {
      if (!goesOn) break;
      if (broken !== undefined) {
        const all = testsIn(child).filter(({ id }) => wanted.has(id));
        goesOn = all.every((test) => onEnd({ test, error: broken, ms: 0 }));
      } else if (child.children) goesOn = await runBlock(child, wanted, { onStart, onEnd });
      else goesOn = onEnd(await runTest(child, onStart));
    }
    // Jest counts a hook that fails after the tests as a failure of the file, which no mutant has caused.
    await firstErrorOf(children.length > 0 ? block.afterAll : []);
    return goesOn;
  };

  return {
    tests,
    /**
     * Runs tests, file by file in the order of their ids.
     *
     * @param onEnd - gets each result, and returns whether to go on.
     */
    run: async (ids, { onStart = () => undefined, onEnd }) => {
      const wanted = new Set(ids);
      for (const file of new Set(ids.map((id) => tests.get(id).file))) {
        process.env = { ...env };
        if (!(await runBlock(blocks.get(file), wanted, { onStart, onEnd }))) return;
      }
    },
  };
}

function blockIn(parent, name) {
  return { name, parent, children: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

/** A block and those around it, the outermost first. */
function around(block) {
  return block === undefined ? [] : [...around(block.parent), block];
}

/** `it.each`; `it.skip` adds nothing. */
function withEach(add) {
  const skip = Object.assign(() => undefined, { each: () => () => undefined });
  return Object.assign((name, body) => add(name, body), { each: bind(add, false), skip });
}

function mocks() {
  const mocker = new ModuleMocker(globalThis);
  return {
    fn: mocker.fn.bind(mocker),
    spyOn: mocker.spyOn.bind(mocker),
    replaceProperty: mocker.replaceProperty.bind(mocker),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    setTimeout: () => undefined,
    requireActual: require,
  };
}

/** Runs functions one after the other, until one fails. @returns its error. */
async function firstErrorOf(bodies) {
  for (const body of bodies) {
    let timer;
    const limit = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new TooLong(`no end within ${limitMs} ms`)), limitMs);
    });
    try {
      await Promise.race([body(), limit]);
    } catch (error) {
      return error ?? new Error("nothing was thrown");
    } finally {
      clearTimeout(timer);
    }
  }
  return undefined;
}

function testsIn(child) {
  return child.children ? child.children.flatMap(testsIn) : [child];
}

/** Makes the next file load shared test code again, because that code can add hooks to each file that loads it. */
function forgetShared(root) {
  const shared = [path.join(root, "test", "support"), path.join(root, "test", "unit")];
  for (const file of Object.keys(require.cache))
    if (shared.some((folder) => file.startsWith(folder + path.sep))) delete require.cache[file];
}

/** Strips the types of files while they load, and finds `a.ts` if code imports `./a.js`. */
function takeTypeScript(root) {
  Module._extensions[".ts"] = (module, file) => {
    const { code } = transformSync(readFileSync(file, "utf8"), {
      filename: file,
      jsc: { target: "es2022", parser: { syntax: "typescript" } },
      module: { type: "commonjs" },
    });
    module._compile(code, file);
  };
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function find(request, parent, ...rest) {
    const find = (wanted) => resolve.call(this, wanted, parent, ...rest);
    const from = parent?.filename ?? "";
    const isOwn =
      from.startsWith(root) && !from.includes("node_modules") && /^\.{1,2}\/.*\.js$/.test(request);
    if (!isOwn) return find(request);
    try {
      return find(request.slice(0, -".js".length));
    } catch {
      return find(request);
    }
  };
}

/** All test files of a folder, as paths from the root. */
function testFilesIn(root, folder) {
  return readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))
    .filter((file) => file.endsWith(".test.ts"))
    .sort();
}

module.exports = { TooLong, loadTests, testFilesIn };
