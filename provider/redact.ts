/**
 * Removes secrets from text, in all forms in which services and libraries quote them.
 */

const mask = "[redacted]";

interface Redactor {
  /** From now on, this value is replaced in every text. */
  readonly hide: (secret: string) => void;
  /**
   * From now on, this value is replaced in texts from outside. It is an ordinary word that our own sentences may contain, but
   * never as its value: a gap in a sentence that everybody knows would give the word away.
   */
  readonly hideWord: (secret: string) => void;
  /**
   * Replaces every hidden value in a text from outside: raw, in hex, in base64 (also inside the base64 of a longer text, such as
   * a header), and with its characters escaped for a URL, JSON (also twice), HTML or SQL, in any mixture.
   */
  readonly redact: (text: string) => string;
  /** The same for a sentence of ours, in which texts from outside are redacted already: keeps the words of `hideWord`. */
  readonly redactOwn: (text: string) => string;
}

interface Hidden {
  readonly secret: string;
  readonly isWord: boolean;
  readonly replace: (text: string) => string;
}

export function createRedactor(): Redactor {
  let longestFirst: readonly Hidden[] = [];
  const add = (secret: string, isWord: boolean): void => {
    const known = longestFirst.find((one) => one.secret === secret);
    if (secret === "" || (known !== undefined && (isWord || !known.isWord))) return;
    const others = longestFirst.filter((one) => one !== known);
    const all = [...others, { secret, isWord, replace: known?.replace ?? replacer(secret) }];
    // The longest first, because one value may be part of another.
    longestFirst = all.sort((left, right) => right.secret.length - left.secret.length);
  };
  const without = (hidden: readonly Hidden[], text: string): string =>
    hidden.reduce((clean, { replace }) => replace(clean), text);
  return {
    hide: (secret) => {
      add(secret, false);
    },
    hideWord: (secret) => {
      add(secret, true);
    },
    redact: (text) => without(longestFirst, text),
    redactOwn: (text) =>
      without(
        longestFirst.filter(({ isWord }) => !isWord),
        text,
      ),
  };
}

/** @returns a function that replaces all forms of one secret. */
function replacer(secret: string): (text: string) => string {
  const forms = formsOf(secret);
  const bytes = Buffer.from(secret);
  const isDecoded = secret.length <= longestEncoded;
  return (text) => {
    const clean = text.replaceAll(forms, mask);
    return isDecoded ? clean.replaceAll(base64Run, (run) => withoutEncoded(run, bytes)) : clean;
  };
}

/** Characters of base64 in both alphabets, enough for a secret of four bytes. */
const base64Run = /[\w+/-]{6,}={0,2}/g;

/**
 * Masks a secret in the base64 of a longer text, such as `user:password`. The run is decoded, since the characters of a short
 * secret depend on its neighbours. Base64 may begin anywhere in the run: other words may stand directly before it.
 */
function withoutEncoded(run: string, secret: Buffer): string {
  for (let from = 0; from < 4; from++) {
    const at = Buffer.from(run.slice(from), "base64").indexOf(secret);
    if (at < 0) continue;
    const begin = from + Math.floor((at * 4) / 3);
    const end = from + Math.ceil(((at + secret.length) * 4) / 3);
    return `${run.slice(0, begin)}${mask}${withoutEncoded(run.slice(end).replace(/^=+/, ""), secret)}`;
  }
  return run;
}

/** @returns a function that replaces one secret. */
export function redactor(secret: string): (text: string) => string {
  const { hide, redact } = createRedactor();
  hide(secret);
  return redact;
}

/** A pattern for the forms of a secret. It ignores case, because hex digits come in both cases. */
function formsOf(secret: string): RegExp {
  const simplest = [quoted(secret), quoted(JSON.stringify(secret).slice(1, -1))];
  // A secret of this length is a whole file, and a service quotes at most a part of it.
  if (secret.length > longestEncoded) return new RegExp(simplest.join("|"), "gi");
  const parts = secret.match(/\\+|[^\\]/gu) ?? [];
  const isEscapedMuch = parts.filter((part) => !isNeverEscaped(part)).length > mostEscaped;
  const forms = [
    ...(isEscapedMuch ? simplest : [parts.map(formsOfPart).join("")]),
    Buffer.from(secret).toString("hex"),
  ];
  return new RegExp(forms.join("|"), "gi");
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
