/**
 * The plugin as one executable for each platform: Node, with the plugin's code in it (a single executable application). The
 * engine starts it directly, so users need no Node.
 */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { exitCodeOf, runChild } from "../children";
import { ExpectedError } from "../expectedError";
import { program } from "../plugin/pack";
import { fetchPackage } from "./fetched";
import { nodes, ownPlatform, postject, type Platform } from "./node";

/** Where Node looks for the code, and the bytes in its executable that turn the search on (Node's documentation). */
const place = "NODE_SEA_BLOB";
const options = {
  sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
  machoSegmentName: "NODE_SEA",
};

/** Node's tool writes data into an executable. */
interface Postject {
  readonly inject: (
    ...words: readonly [file: string, name: string, data: Buffer, how: typeof options]
  ) => Promise<void>;
}

interface Making {
  /** The built plugin: `dist/plugin`. */
  readonly plugin: string;
  readonly platforms: readonly Platform[];
  /** Receives one folder for each platform, with the executable, the schema, the version and the licences. */
  readonly folder: string;
}

/** @throws ExpectedError if npm cannot fetch Node, or there is no Node for this machine to prepare the code with. */
export async function makeExecutables({ plugin, platforms, folder }: Making): Promise<void> {
  const here = ownPlatform;
  if (here === undefined)
    throw new ExpectedError(
      `Making executables: this works only on ${Object.keys(nodes).join(", ")}, and this is ${process.platform} ${process.arch}.`,
    );
  const work = mkdtempSync(path.join(tmpdir(), "compute-executables-"));
  try {
    const own = await fetchPackage(nodes[here], path.join(work, "own"));
    const tool = path.join(await fetchPackage(postject, path.join(work, "postject")), "dist", "api.js");
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- fetched a moment ago.
    const { inject } = require(tool) as Postject;
    for (const platform of platforms) {
      const node = platform === here ? own : await fetchPackage(nodes[platform], path.join(work, platform));
      const made = path.join(folder, platform);
      const file = path.join(made, executableFile(platform));
      mkdirSync(made, { recursive: true });
      for (const name of ["schema.json", "package.json", "LICENSE"])
        copyFileSync(path.join(plugin, name), path.join(made, name));
      // The package for Windows has no licence file; the text is the same for all.
      copyFileSync(path.join(own, "LICENSE"), path.join(made, "LICENSE.node"));
      copyFileSync(path.join(node, nodeFile(platform)), file);
      chmodSync(file, 0o755);
      if (platform.startsWith("windows-")) writeFileSync(file, withoutSignature(readFileSync(file)));
      const code = await prepared(platform, { node: path.join(own, nodeFile(here)), plugin, work });
      await quietly(() => inject(file, place, code, options));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function nodeFile(platform: Platform): string {
  return path.join("bin", platform.startsWith("windows-") ? "node.exe" : "node");
}

/** The name of the executable in a platform's archive. */
export function executableFile(platform: Platform): string {
  return platform.startsWith("windows-") ? `${program}.exe` : program;
}

/** The plugin's code in the form that Node reads from its own executable. */
async function prepared(
  platform: Platform,
  { node, plugin, work }: { readonly node: string; readonly plugin: string; readonly work: string },
): Promise<Buffer> {
  const config = {
    main: path.join(plugin, "plugin.js"),
    output: path.join(work, "code.blob"),
    disableExperimentalSEAWarning: true,
    // Compiled code starts faster, and only the platform that has compiled it can use it.
    useCodeCache: platform === ownPlatform,
    // Users have not chosen this Node, so it does not listen to their NODE_OPTIONS. A file that these preload could print,
    // and the engine reads the port from the first line that is printed.
    execArgvExtension: "none",
  };
  const file = path.join(work, "sea.json");
  writeFileSync(file, JSON.stringify(config));
  // With a fixed seed, the compiled code has the same bytes each time.
  const words = ["--random-seed=1", "--experimental-sea-config", file];
  const env = { ...process.env, NODE_OPTIONS: "" };
  const ran = await runChild(node, words, { stdio: ["ignore", "ignore", "inherit"], env });
  if (exitCodeOf(ran) !== 0) throw new Error(`Making executables: Node could not prepare ${config.main}.`);
  return readFileSync(config.output);
}

/**
 * A Windows executable without its signature, which adding code would make invalid: Windows and scanners accept a file
 * without a signature more readily than one with a wrong signature.
 */
export function withoutSignature(executable: Buffer): Buffer {
  const header = executable.readUInt32LE(0x3c);
  // The entry of the signature in the table of a 64-bit executable: where it begins in the file, and its length.
  const entry = header + 24 + 112 + 4 * 8;
  const begins = executable.readUInt32LE(entry);
  const isLast = begins > 0 && begins + executable.readUInt32LE(entry + 4) === executable.length;
  const unsigned = Buffer.from(isLast ? executable.subarray(0, begins) : executable);
  unsigned.fill(0, entry, entry + 8);
  return unsigned;
}

/** The tool warns about names of sections that it does not need. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const { warn, error } = console;
  console.warn = console.error = () => undefined;
  try {
    await work();
  } finally {
    Object.assign(console, { warn, error });
  }
}
