/**
 * Removes secrets from text, in all forms in which services and libraries quote them.
 */

const mask = "[redacted]";

interface Redactor {
  /** From now on, `redact` replaces this value. */
  readonly hide: (secret: string) => void;
  /**
   * Replaces every hidden value: raw, base64, and with each of its characters escaped for a URL, JSON (also twice), HTML
   * or SQL, in any mixture.
   */
  readonly redact: (text: string) => string;
}

export function createRedactor(): Redactor {
  const forms = new Map<string, RegExp>();
  let longestFirst: readonly RegExp[] = [];
  return {
    hide: (secret) => {
      if (secret === "" || forms.has(secret)) return;
      forms.set(secret, new RegExp(formsOf(secret).join("|"), "g"));
      // The longest first, because one value may be part of another.
      const sorted = [...forms].sort(([left], [right]) => right.length - left.length);
      longestFirst = sorted.map(([, form]) => form);
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

/** Patterns for the forms of a secret. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  // Of a whole file, no service quotes more than a part.
  if (secret.length > longestEscaped) return [quoted(secret), quoted(JSON.stringify(secret).slice(1, -1))];
  return [
    (secret.match(/\\+|[^\\]/gu) ?? []).map(formsOfPart).join(""),
    ...["base64", "base64url"].map((encoding) => quoted(bytes.toString(encoding as BufferEncoding))),
    // Half of a surrogate pair becomes another character in bytes.
    ...(bytes.toString() === secret ? [] : [quoted(encodeURIComponent(bytes.toString()))]),
  ];
}

/** Longer secrets are searched for in their simplest forms: the pattern would be too large. */
const longestEscaped = 4_096;

/** How often one text may be escaped: without a limit, a long run of signs in a text would take long to compare. */
const mostTimes = 3;
const escaping = `\\\\{1,${2 ** mostTimes - 1}}`;
const ampersand = `&(?:amp;){0,${mostTimes}}`;

/** A pattern for one character, or for a run of backslashes. */
function formsOfPart(part: string): string {
  if (!part.startsWith("\\")) return formsOfCharacter(part);
  const others = formsOfCharacter("\\", []);
  // One quantifier for the whole run: several in a row would have too many ways to match.
  return `(?:\\\\{${part.length},${part.length * 2 ** mostTimes}}|${others}{${part.length}})`;
}

/** A pattern for one character, raw or escaped. Letters and digits are never escaped, so most text fails at once. */
function formsOfCharacter(character: string, raw = [quoted(character)]): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const forms = [
    ...raw,
    ...jsonForms(character),
    urlForm(character),
    `${ampersand}#0{0,6}${code};`,
    `${ampersand}#[xX]0{0,6}${anyCase(code.toString(16))};`,
    ...(htmlNames[character] ?? []).map((name) => `${ampersand}${name};`),
    // In SQL, a quote is doubled.
    ...(character === "'" || character === '"' ? [character.repeat(2)] : []),
    ...(character === " " ? ["\\+"] : []),
  ];
  return `(?:${[...new Set(forms)].sort((left, right) => right.length - left.length).join("|")})`;
}

const htmlNames: Readonly<Record<string, readonly string[]>> = {
  "&": ["amp"],
  "<": ["lt"],
  ">": ["gt"],
  '"': ["quot"],
  "'": ["apos"],
};

/** Escaped for JSON, once or several times: each time doubles the backslashes. */
function jsonForms(character: string): readonly string[] {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const unicode = units.map((unit) => `${escaping}u${anyCase(unit.toString(16).padStart(4, "0"))}`).join("");
  const short = JSON.stringify(character).slice(1, -1);
  if (character === "\\") return [unicode];
  if (character === "/" || character === "'") return [unicode, `${escaping}${quoted(character)}`];
  const isShort = short !== character && !short.startsWith("\\u");
  return isShort ? [unicode, `${escaping}${quoted(short.slice(1))}`] : [unicode];
}

function urlForm(character: string): string {
  const bytes = [...Buffer.from(character)];
  // A percent sign that is escaped itself is `%25`.
  return bytes
    .map((byte) => `%(?:25){0,${mostTimes}}${anyCase(byte.toString(16).padStart(2, "0"))}`)
    .join("");
}

function anyCase(hex: string): string {
  return hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function quoted(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, "\\$&");
}
