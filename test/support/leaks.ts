/**
 * Looks for a secret in everything that a run leaves behind, in every form in which it could be written there.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** How the secret could be written, by the name of the form. */
export function formsOf(secret: string): ReadonlyMap<string, string> {
  const json = JSON.stringify(secret).slice(1, -1);
  const goJson = json.replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`);
  return new Map([
    ["raw", secret],
    ["JSON-escaped", json],
    ["JSON-escaped as Go does", goJson],
    ["JSON-escaped twice", JSON.stringify(json).slice(1, -1)],
    ["URL-escaped", encodeURIComponent(secret)],
    ["URL-escaped as a query", new URLSearchParams([["", secret]]).toString().slice(1)],
    ["hexadecimal", Buffer.from(secret).toString("hex")],
    ...[0, 1, 2].flatMap((shift) => {
      const base64 = base64Within(secret, shift);
      const urlSafe = base64.replaceAll("+", "-").replaceAll("/", "_");
      return [
        [`base64 at ${shift}`, base64],
        [`base64url at ${shift}`, urlSafe],
      ] as const;
    }),
  ]);
}

/** The base64 forms of the secret inside a longer text: the same letters, except at both ends. */
function base64Within(secret: string, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
  const whole = Math.floor(text.length / 3) * 4;
  return text.toString("base64").slice(shift === 0 ? 0 : 4, whole);
}

export interface Leak {
  readonly where: string;
  readonly form: string;
}

export function leaksInText(where: string, text: string, secret: string): readonly Leak[] {
  return [...formsOf(secret)]
    .filter(([, written]) => text.includes(written))
    .map(([form]) => ({ where, form }));
}

/** Every file below a folder; links lead out of it and are not followed. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(file);
    return entry.isFile() ? [file] : [];
  });
}

export function leaksInFiles(files: readonly string[], secret: string): readonly Leak[] {
  return files.flatMap((file) => leaksInText(file, readFileSync(file, "latin1"), secret));
}
