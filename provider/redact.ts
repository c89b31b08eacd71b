/**
 * Removes secrets from text, in all forms in which services and libraries quote them.
 */

const mask = "[redacted]";

export interface Redactor {
  /** From now on, `redact` replaces this value. */
  readonly hide: (secret: string) => void;
  /** Replaces every hidden value: raw, base64, URL- and JSON-escaped. */
  readonly redact: (text: string) => string;
}

export function createRedactor(): Redactor {
  const hidden = new Set<string>();
  let longestFirst: readonly string[] = [];
  return {
    hide: (secret) => {
      if (secret === "" || hidden.has(secret)) return;
      for (const form of formsOf(secret)) hidden.add(form);
      // The longest first, because one value may be part of another.
      longestFirst = [...hidden].sort((left, right) => right.length - left.length);
    },
    redact: (text) => longestFirst.reduce((clean, form) => clean.replaceAll(form, mask), text),
  };
}

/** @returns a function that replaces one secret. */
export function redactor(secret: string): (text: string) => string {
  const { hide, redact } = createRedactor();
  hide(secret);
  return redact;
}

function formsOf(secret: string): readonly string[] {
  return [
    secret,
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("base64url"),
    // Converted to bytes first: half a surrogate pair cannot be encoded.
    encodeURIComponent(Buffer.from(secret).toString()),
    JSON.stringify(secret).slice(1, -1),
  ];
}
