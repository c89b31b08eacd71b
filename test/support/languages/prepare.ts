/**
 * Makes what the examples in other languages need, in the cache: `node --require tools/swcHook.js prepare.ts`.
 *
 * A process of its own, because a test file must know what it can run before it declares its tests. Prints JSON.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { checkoutFolder } from "../../../tools/checkout";
import { findEngine } from "../../../tools/engine/environment";
import { engineVersion } from "../../../tools/engine/version";
import { go, goBuild } from "../../../tools/go";
import { digest, folderDigest, once } from "../../../tools/languages/once";
import { cachedSdks } from "../../../tools/languages/sdks";

/** What a language's example needs: settings of its host, and variables of the run; or why it cannot run here. */
export type Prepared =
  | {
      /** The part `runtime` of its Pulumi.yaml. */
      readonly runtime: { readonly name: string; readonly options?: Readonly<Record<string, string>> };
      /** Put before PATH; absent where the engine brings its own hosts. */
      readonly hosts?: string;
      readonly environment?: Readonly<Record<string, string>>;
    }
  | { readonly missing: string };

export type PreparedLanguages = Readonly<Record<"python" | "go" | "yaml", Prepared>>;

/** Something that this machine lacks, where a fault of the repository is any other error. */
class Missing extends Error {}
