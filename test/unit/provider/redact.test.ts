import fc from "fast-check";
import { createRedactor, redactor } from "../../../provider/redact";

const key = 'napi_k3y/with+"quotes"\\and=signs';

describe("redactor", () => {
  it.each([
    ["as it is", key],
    ["hex in capitals", Buffer.from(key).toString("hex").toUpperCase()],
    ["base64", Buffer.from(key).toString("base64")],
    ["base64 for URLs", Buffer.from(key).toString("base64url")],
    ["JSON-escaped", JSON.stringify(key).slice(1, -1)],
    ["HTML-escaped", key.replaceAll('"', "&quot;")],
    ["HTML-escaped by numbers", key.replaceAll('"', "&#34;").replaceAll("=", "&#x3D;")],
    ["JSON with \\u", key.replaceAll("=", "\\u003d").replaceAll('"', '\\"').replaceAll("\\and", "\\\\and")],
    ["JSON twice", JSON.stringify(JSON.stringify(key)).slice(3, -3)],
    ["doubled quotes", key.replaceAll('"', '""')],
    ["URL-escaped twice", encodeURIComponent(encodeURIComponent(key))],
    ["URL-escaped in small letters", encodeURIComponent(key).toLowerCase()],
    ["JSON with escaped slashes", key.replaceAll("/", "\\/")],
  ])("takes the secret out: %s", (_reason, form) => {
    expect(redactor(key)(`before ${form} between ${form} after`)).toBe(
      "before [redacted] between [redacted] after",
    );
  });

  it.each(["Bearer ", "user:", "a", "ab", ""])(
    "takes the secret out of a longer text in base64, after %j",
    (before) => {
      for (const form of ["base64", "base64url"] as const) {
        const written = Buffer.from(`${before}${key} and more`).toString(form);
        const clean = redactor(key)(`before ${written} after`);
        const [left = "", right = ""] = clean.split("[redacted]");
        const rest = `${Buffer.from(left.slice("before ".length), form).toString()} ${Buffer.from(right, form).toString()}`;
        expect(clean).toContain("[redacted]");
        expect(rest).not.toContain(key.slice(1, 4));
        expect(left.length).toBeLessThan("before ".length + (before.length * 4) / 3 + 3);
      }
    },
  );

  it("takes a secret of four to seven characters out of a longer text in base64, whatever stands around it", () => {
    const text = fc.string({ maxLength: 9, unit: "binary" });
    const short = fc.string({ minLength: 4, maxLength: 7, unit: fc.constantFrom("a", "Z", "0", "_", "é") });
    const lead = fc.constantFrom("", "Basic ", "token=", "x");
    fc.assert(
      fc.property(fc.tuple(short, text, text, lead), ([secret, before, after, lead]) => {
        for (const form of ["base64", "base64url"] as const) {
          const written = Buffer.from(`${before}${secret}${after}`).toString(form);
          const clean = redactor(secret)(`${lead}${written}.`);
          const left = clean.slice(lead.length).split("[redacted]");
          for (const part of left) expect(Buffer.from(part, form).toString()).not.toContain(secret);
          expect(left.length).toBeGreaterThan(1);
        }
      }),
    );
  });

  it("keeps an ordinary word in our own sentences, and takes it out of texts from outside", () => {
    const { hide, hideWord, redact, redactOwn } = createRedactor();
    hideWord("idle");
    hide("hunter2");
    expect(redact("idle, hunter2")).toBe("[redacted], [redacted]");
    expect(redactOwn("compute idle now, hunter2")).toBe("compute idle now, [redacted]");
    hide("idle");
    hideWord("hunter2");
    expect(redactOwn("compute idle now, hunter2")).toBe("compute [redacted] now, [redacted]");
  });

  it.each([
    ["pass'word", "pass%27word"],
    ["pass'word", "pass''word"],
    ["pass'word", "pass&#39;word"],
    ["pass'word", "pass&apos;word"],
    ["a&b<c>d", "a&amp;b&lt;c&gt;d"],
    ["a&b<c>d", "a\\\\u0026b\\\\u003cc\\\\u003ed"],
    ["two words", "two+words"],
    ["line\nbreak", "line\\nbreak"],
    ["smile😀", "smile\\ud83d\\ude00"],
    ["smile😀", "smile&#128512;"],
    ["back\\slash", "back\\\\\\\\slash"],
  ])("takes %j out as %j", (secret, form) => {
    expect(redactor(secret)(`before ${form} after`)).toBe("before [redacted] after");
  });

  it("hides a value that is part of another one, whichever it learns first", () => {
    const { hide, redact } = createRedactor();
    hide("secret");
    hide("secret-and-more");
    expect(redact("secret-and-more, secret")).toBe("[redacted], [redacted]");
  });

  it("does not slow down on long runs of backslashes, `&amp;` or `%25`", () => {
    const clean = redactor(`${"\\".repeat(10)}${"/&'\"".repeat(10)}`);
    const text = "\\".repeat(5_000) + "&amp;".repeat(5_000) + "%25".repeat(5_000);
    const startMs = performance.now();
    expect(clean(text)).toBe(text);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });

  it("takes out a secret as long as a file", () => {
    const file = `${"line of 'a' key\n".repeat(1_000)}end`;
    expect(redactor(file)(`before ${file} after`)).toBe("before [redacted] after");
    expect(redactor(file)(JSON.stringify(file))).toBe('"[redacted]"');
  });

  it.each(['"', "é", "\n", "\u{1F511}", "a&"])("takes out 4,000 characters of %j", (part) => {
    const secret = part.repeat(4_000 / part.length);
    const redact = redactor(secret);
    for (const form of [secret, JSON.stringify(secret), Buffer.from(`key:${secret}`).toString("base64")])
      expect(redact(`it said ${form}.`).length).toBeLessThan(40);
  });

  it("leaves other text alone", () => {
    expect(redactor(key)("the service answered 500")).toBe("the service answered 500");
  });

  it("leaves no raw secret behind, wherever it is", () => {
    const secret = fc.string({ minLength: 8, unit: fc.constantFrom("a", "Z", "0", "_", "-") });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        expect(redactor(hidden)(`${before}${hidden}${after}`)).not.toContain(hidden);
      }),
    );
  });
});
