import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { answers, failureOf, type Bench } from "./bench";
import { bench } from "./eachTest";

let home: string;

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "compute-unwritable-"));
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(home, { recursive: true, force: true });
});

function errorWith(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: as the system says`), { code });
}

/** Folders in which nothing can be written down, in each way that machines have. */
const unwritable = [
  {
    reason: "the home is no folder (HOME=/dev/null)",
    folder: (): string => {
      writeFileSync(path.join(home, "null"), "");
      return path.join(home, "null", "state", "journal");
    },
  },
  ...(process.platform === "linux"
    ? [
        {
          reason: "its file system takes no folders (/proc), where Node's recursive mkdir never returns",
          folder: (): string => "/proc/nope/journal",
        },
      ]
    : []),
  {
    reason: "the file system turned read-only",
    folder: (): string => {
      for (const name of ["open", "mkdir", "rm"] as const)
        jest.spyOn(promises, name).mockRejectedValue(errorWith("EROFS"));
      mkdirSync(path.join(home, "journal"));
      return path.join(home, "journal");
    },
  },
  {
    reason: "the disk is full",
    folder: (): string => {
      fillDisk();
      return path.join(home, "journal");
    },
  },
] as const;

/** Files can be made, and nothing be written into them. */
function fillDisk(): void {
  const { open } = promises;
  jest.spyOn(promises, "open").mockImplementation(async (...words) => {
    const file = await open(...words);
    jest.spyOn(file, "writeFile").mockRejectedValue(errorWith("ENOSPC"));
    return file;
  });
}

describe.each(unwritable)("a journal that cannot be written: $reason", ({ folder }) => {
  const openRun = (): ReturnType<Bench["process"]> => bench.process({ COMPUTE_JOURNAL_FOLDER: folder() });

  it("is said once on each row, with the way on, and holds up neither create nor update nor delete", async () => {
    const run = openRun();
    const { outs } = await run.create(bench.declared());
    expect(bench.said).toEqual([
      expect.stringMatching(
        /^warning: The journal of creates cannot be written \(.*\): a run that is killed now may leave its compute behind\. COMPUTE_JOURNAL_FOLDER names another folder\.$/,
      ),
    ]);
    await run.update(outs, bench.declared({ suspendTimeoutSeconds: 600 }));
    await run.delete(outs.endpointId, outs);
    expect(bench.computes()).toEqual([]);
    expect(bench.said).toHaveLength(1);
    run.end();
  });

  it("does not hide why the service refused a create", async () => {
    const run = openRun();
    const body = { code: "QUOTA", message: "no computes left" };
    bench.spoil("createEndpoint", answers(422, { body }));
    const error = await failureOf(run.create(bench.declared()));
    expect(error.message).toContain("the service answered 422 (QUOTA: no computes left)");
    expect(error.message).not.toMatch(/ENOTDIR|EROFS|ENOSPC/);
  });

  it("does not undo an adoption", async () => {
    const run = openRun();
    const adopting = bench.declared({ branchId: bench.defaultBranchId, adopt: bench.defaultPrimaryId });
    await expect(run.create(adopting)).resolves.toMatchObject({ id: bench.defaultPrimaryId });
  });
});

it("a full disk leaves no drafts behind", async () => {
  fillDisk();
  const folder = path.join(home, "journal");
  await bench.create({}, { COMPUTE_JOURNAL_FOLDER: folder });
  expect(readdirSync(folder)).toEqual([]);
});
