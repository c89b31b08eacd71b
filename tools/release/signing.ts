/** macOS runs an executable only with a signature. Without a certificate, that is an ad-hoc signature, which only a Mac can make. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as tar from "tar";

import { exitCodeOf, runChild } from "../children";
import { ExpectedError } from "../expectedError";
import { packFolder, program, writeChecksums } from "../plugin/pack";
import { startsHere } from "./started";

/** Ends the platform in the name of an archive that still needs a signature: the engine asks for no such name. */
export const unsigned = "-unsigned";

/**
 * Replaces each unsigned archive by a signed one, and writes SHA256SUMS again.
 *
 * @returns the names of the archives written.
 * @throws ExpectedError if this is no Mac, or a signed executable does not start.
 */
export async function signArchives(folder: string): Promise<readonly string[]> {
  if (process.platform !== "darwin")
    throw new ExpectedError("Signing: only a Mac can sign these executables.");
  const work = mkdtempSync(path.join(tmpdir(), "compute-signing-"));
  const signed: string[] = [];
  try {
    for (const name of readdirSync(folder).filter((file) => file.endsWith(`${unsigned}.tar.gz`))) {
      const inside = path.join(work, name);
      mkdirSync(inside);
      await tar.extract({ file: path.join(folder, name), cwd: inside });
      const executable = path.join(inside, program);
      const ran = await runChild("codesign", ["--sign", "-", executable]);
      if (exitCodeOf(ran) !== 0 || !(await startsHere(executable)))
        throw new ExpectedError(`Signing ${name}: codesign failed, or the executable does not start.`);
      const final = name.replace(unsigned, "");
      await packFolder(inside, path.join(folder, final));
      rmSync(path.join(folder, name));
      signed.push(final);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  rmSync(path.join(folder, "SHA256SUMS"));
  writeChecksums(folder, (name) => name !== "notes.md");
  return signed;
}
