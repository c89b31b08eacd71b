import fc from "fast-check";
import { redactor } from "../../../provider/redact";

const key = 'napi_k3y/with+"quotes"\\and=signs';

describe("redactor", () => {
  it.each([
    { form: key, reason: "as it is" },
    { form: Buffer.from(key).toString("base64"), reason: "base64" },
    { form: Buffer.from(key).toString("base64url"), reason: "base64 for URLs" },
    { form: encodeURIComponent(key), reason: "URL-escaped" },
    { form: JSON.stringify(key).slice(1, -1), reason: "JSON-escaped" },
  ])("takes the secret out: $reason", ({ form }) => {
    expect(redactor(key)(`before ${form} between ${form} after`)).toBe(
      "before [redacted] between [redacted] after",
    );
  });

  it("leaves other text alone", () => {
    expect(redactor(key)("the service answered 500")).toBe("the service answered 500");
  });

  it("leaves no raw secret behind, wherever it stands", () => {
    const secret = fc.string({ minLength: 8, unit: fc.constantFrom("a", "Z", "0", "_", "-") });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        expect(redactor(hidden)(`${before}${hidden}${after}`)).not.toContain(hidden);
      }),
    );
  });
});
