import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os, { homedir, tmpdir } from "node:os";
import path from "node:path";
import { loadCompiled } from "../../../../provider/host/compileCache";

const own = path.join("pulumi-compute-endpoint", "compiled");

let folder: string;
let program: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "compute-compiled-"));
  program = path.join(folder, "program.js");
  writeFileSync(program, programOf("runs"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Leaves a mark of each run. All of them have the same length. */
const programOf = (mark: string): string =>
  `require("node:fs").appendFileSync(__dirname + "/marks", ${JSON.stringify(mark)});\n`;

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

const marks = (): string => {
  const file = path.join(folder, "marks");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

describe("compiled code that Node keeps", () => {
  const named = path.resolve("caches");

  it.each([
    { environment: { XDG_CACHE_HOME: named }, in: named, reason: "the folder that the user names" },
    { environment: {}, in: path.join(homedir(), ".cache"), reason: "the default" },
    { environment: { XDG_CACHE_HOME: "" }, in: path.join(homedir(), ".cache"), reason: "no name" },
    { environment: { XDG_CACHE_HOME: "a" }, in: path.join(homedir(), ".cache"), reason: "no whole path" },
  ])("is in the user's cache folder: $reason", ({ environment, in: home }) => {
    const folders: string[] = [];
    loadCompiled(program, environment, {
      enableCompileCache: (given) => folders.push(given),
      onExit: () => undefined,
    });
    expect(folders).toEqual([path.join(home, own)]);
  });

  it("is in the account's own folder where HOME is empty", () => {
    const home = jest.spyOn(os, "homedir").mockReturnValue("");
    const folders: string[] = [];
    loadCompiled(
      program,
      {},
      {
        enableCompileCache: (given) => folders.push(given),
        onExit: () => undefined,
      },
    );
    home.mockRestore();
    expect(folders).toEqual([path.join(os.userInfo().homedir, ".cache", own)]);
  });
});

describe("compiled code that Node 20 does not keep", () => {
  const cached = (): readonly string[] => readdirSync(path.join(folder, own));

  /** One run of the program. @returns whether it has to compile. */
  function compiles(environment: NodeJS.ProcessEnv = {}): boolean {
    const ends: (() => void)[] = [];
    loadCompiled(program, { XDG_CACHE_HOME: folder, ...environment }, { onExit: (act) => ends.push(act) });
    for (const end of ends) end();
    return ends.length > 0;
  }

  it("is kept at the end of the first run, and loaded in the next ones", () => {
    expect([compiles(), compiles(), compiles()]).toEqual([true, false, false]);
    expect(cached()).toHaveLength(1);
    expect(marks()).toBe("runsrunsruns");
  });

  it("is compiled again where the program has changed, though not its length", () => {
    compiles();
    writeFileSync(program, programOf("went"));
    expect([compiles(), compiles()]).toEqual([true, false]);
    expect(marks()).toBe("runswentwent");
    expect(cached()).toHaveLength(2);
  });

  it("is compiled again, and kept anew, where the file is damaged", () => {
    compiles();
    const [name = ""] = cached();
    appendFileSync(path.join(folder, own, name), "x");
    expect([compiles(), compiles()]).toEqual([true, false]);
    expect(marks()).toBe("runsrunsruns");
  });

  it("is compiled again where V8 refuses it", () => {
    compiles();
    const [name = ""] = cached();
    // V8 would remember the program that has just run.
    const other = programOf("went");
    writeFileSync(program, other);
    const itsName = name.replace(/[0-9a-f]{32}$/, sha256(other).toString("hex").slice(0, 32));
    // Whole by its digest, and no code.
    const text = "no code at all";
    writeFileSync(path.join(folder, own, itsName), Buffer.concat([sha256(text), Buffer.from(text)]));
    chmodSync(path.join(folder, own, itsName), 0o600);
    expect([compiles(), compiles()]).toEqual([true, false]);
    expect(marks()).toBe("runswentwent");
    expect(cached()).toHaveLength(2);
  });

  it("is not loaded from a file that others can write", () => {
    compiles();
    const [name = ""] = cached();
    chmodSync(path.join(folder, own, name), 0o666);
    expect(compiles()).toBe(process.platform !== "win32");
  });

  it("is neither kept nor loaded where Node's own variable turns it off", () => {
    expect(compiles({ NODE_DISABLE_COMPILE_CACHE: "1" })).toBe(false);
    expect(readdirSync(folder)).toEqual(["marks", "program.js"]);
  });

  it("costs nothing but time where the folder cannot be written", () => {
    writeFileSync(path.join(folder, "file"), "");
    expect([0, 1].map(() => compiles({ XDG_CACHE_HOME: path.join(folder, "file") }))).toEqual([true, true]);
    expect(marks()).toBe("runsruns");
  });
});
