/**
 * Removes secrets from text, in all forms in which services and libraries quote them.
 */

const mask = "[redacted]";

interface Redactor {
  /** From now on, `redact` replaces this value. */
  readonly hide: (secret: string) => void;
  /**
   * Replaces every hidden value: raw, in hex, in base64 (also inside the base64 of a longer text, such as a header), and with
   * its characters escaped for a URL, JSON (also twice), HTML or SQL, in any mixture.
   */
  readonly redact: (text: string) => string;
}

export function createRedactor(): Redactor {
  let longestFirst: readonly { readonly secret: string; readonly forms: RegExp }[] = [];
  return {
    hide: (secret) => {
      if (secret === "" || longestFirst.some((known) => known.secret === secret)) return;
      const all = [...longestFirst, { secret, forms: formsOf(secret) }];
      // The longest first, because one value may be part of another.
      longestFirst = all.sort((left, right) => right.secret.length - left.secret.length);
    },
    redact: (text) => longestFirst.reduce((clean, { forms }) => clean.replaceAll(forms, mask), text),
  };
}

/** @returns a function that replaces one secret. */
export function redactor(secret: string): (text: string) => string {
  const { hide, redact } = createRedactor();
  hide(secret);
  return redact;
}

/** A pattern for the forms of a secret. It ignores case, because hex digits come in both cases. */
function formsOf(secret: string): RegExp {
  const bytes = Buffer.from(secret);
  const simplest = [quoted(secret), quoted(JSON.stringify(secret).slice(1, -1))];
  // A secret of this length is a whole file, and a service quotes at most a part of it.
  if (secret.length > longestEncoded) return new RegExp(simplest.join("|"), "gi");
  const parts = secret.match(/\\+|[^\\]/gu) ?? [];
  const isEscapedMuch = parts.filter((part) => !isNeverEscaped(part)).length > mostEscaped;
  const forms = [
    ...(isEscapedMuch ? simplest : [parts.map(formsOfPart).join("")]),
    quoted(bytes.toString("base64")),
    quoted(bytes.toString("base64url")),
    ...insideBase64(bytes),
    bytes.toString("hex"),
  ];
  return new RegExp(forms.join("|"), "gi");
}

/**
 * Forms of a secret inside the base64 of a longer text, such as `Bearer KEY`: the characters that do not depend on the secret's
 * neighbours. There are three forms, by the number of bytes before the secret. A short secret is not searched for in these
 * forms: they could be part of any word.
 */
function insideBase64(bytes: Buffer): readonly string[] {
  if (bytes.length < 8) return [];
  return [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const [from, to] = [Math.ceil((before * 4) / 3), Math.floor((shifted.length * 4) / 3)];
    return (["base64", "base64url"] as const).map((form) => quoted(shifted.toString(form).slice(from, to)));
  });
}

/** Longer secrets are searched for only in their simplest forms. */
const longestEncoded = 4_096;
/**
 * For a secret with more escapable characters than this, the pattern leaves out most escaped forms: it could be too large, and
 * the error about it would quote the secret.
 */
const mostEscaped = 1_000;

/**
 * How many times over a text can be escaped. Without this limit, a long run of backslashes or percent signs would take long to
 * match.
 */
const mostTimes = 3;
const backslashes = `\\\\{1,${2 ** mostTimes - 1}}`;
const ampersand = `&(?:amp;){0,${mostTimes}}`;
/** A percent sign that is escaped itself is `%25`. */
const percent = `%(?:25){0,${mostTimes}}`;

/** A pattern for one character, or for a run of backslashes. */
function formsOfPart(part: string): string {
  if (isNeverEscaped(part)) return part;
  if (!part.startsWith("\\")) return `(?:${[...escapesOf(part), quoted(part)].join("|")})`;
  // One quantifier for the whole run: several in a row would have too many ways to match.
  const escapes = escapesOf("\\").join("|");
  return `(?:\\\\{${part.length},${part.length * 2 ** mostTimes}}|(?:${escapes}){${part.length}})`;
}

/** Letters and digits are never escaped, so for most text the match fails immediately. */
function isNeverEscaped(part: string): boolean {
  return /^[a-z0-9]$/i.test(part);
}

/** Patterns for one character as it is escaped for a URL, HTML, JSON or SQL. */
function escapesOf(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(character)].map((byte) => `${percent}${hex(byte, 2)}`);
  const units = character.split("").map((unit) => `${backslashes}u${hex(unit.charCodeAt(0), 4)}`);
  const name = character === "&" ? "amp" : "(?!amp;)[a-z]{2,8}";
  // Some libraries also escape a slash and an apostrophe.
  const short = /^\\[^u\\]|^[/']/.exec(JSON.stringify(character).slice(1, -1))?.[0].at(-1);
  return [
    bytes.join(""),
    units.join(""),
    `${ampersand}(?:#0{0,6}${code}|#x0{0,6}${hex(code)}|${name});`,
    ...(short === undefined ? [] : [`${backslashes}${quoted(short)}`]),
    ...(character === "'" || character === '"' ? [character.repeat(2)] : []),
    ...(character === " " ? ["\\+"] : []),
  ];
}

function hex(value: number, digits = 0): string {
  return value.toString(16).padStart(digits, "0");
}

function quoted(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");
}
