/**
 * Removes what names an account, a project or an address from a report.
 */
import type { ProviderConfig } from "../provider/settings/config";
import type { VerifyOptions } from "./commandLine";

/** Replaces everything in the report's texts that names an account, a project or an address. */
export function withoutNames(
  { projectId, branchId, moveTo, login }: VerifyOptions,
  config: ProviderConfig,
): (name: string, value: unknown) => unknown {
  const { host } = new URL(config.connection().baseUrl);
  const known = [projectId, branchId, moveTo, host, login?.role, login?.database]
    .filter((text) => text !== undefined)
    .map(wholeWord);
  const clean = (text: string): string =>
    known
      .reduce((rest, name) => rest.replaceAll(name, "…"), text)
      .replaceAll(/\b(ep|br)-[\w-]+(\.[\w.-]+)?/g, "$1-…")
      .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/gi, "…");
  const isWord = new Set(["change", "compute", "result", "happened", "effect", "service", "ended", "kind"]);
  return (name, value) => (typeof value === "string" && !isWord.has(name) ? clean(value) : value);
}

/** Only whole words: `app` is a role, but not a part of `apply_config`. */
function wholeWord(name: string): RegExp {
  const text = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_])${text}(?![\\p{L}\\p{N}_])`, "gu");
}
