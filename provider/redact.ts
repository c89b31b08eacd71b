/**
 * Takes a secret out of text that came from outside, in the forms in which services and libraries quote it.
 */

const mask = "[redacted]";

/** @returns a function that replaces the secret: raw, base64, URL- and JSON-escaped. */
export function redactor(secret: string): (text: string) => string {
  const forms = new Set([
    secret,
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return (text) => [...forms].reduce((clean, form) => clean.replaceAll(form, mask), text);
}
