import { readConfig } from "../../../provider/settings/config";
import { ConfigurationError } from "../../../provider/model/errors";
import { defaultRateLimits, noRateLimits } from "../../../provider/settings/rates";

const key = "napi_very-secret-key";

/** Configuration as the stack and the environment have it. */
function configOf(
  stack: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv = {},
): ReturnType<typeof readConfig> {
  return readConfig((name) => stack[name], environment);
}

function failureOf(act: () => unknown): ConfigurationError {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("readConfig", () => {
  it("needs a key and a base URL, and has a default for all else", () => {
    const config = configOf({ "compute:apiKey": key, "compute:baseUrl": "https://api.example.com" });
    expect(config.connection()).toEqual({ apiKey: key, baseUrl: "https://api.example.com" });
    expect(config).toMatchObject({
      service: "interface",
      liveFacts: true,
    });
  });

  it("says of a variable of an earlier version that it is ignored, and what is in its place", () => {
    expect(configOf({}, { COMPUTE_JOURNAL_FOLDER: "/somewhere" }).ignored).toEqual([
      "COMPUTE_JOURNAL_FOLDER is ignored. Nothing is written to disk any more: Pulumi's state keeps what a run began. Unset it.",
    ]);
    expect(configOf({}, { COMPUTE_JOURNAL_FOLDER: "" }).ignored).toEqual([]);
  });

  it.each([
    ["https://api.example.com/", "https://api.example.com"],
    ["https://api.example.com/api/v2", "https://api.example.com"],
    ["https://api.example.com/api/v2/", "https://api.example.com"],
    ["https://example.com/compute/", "https://example.com/compute"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787"],
    ["http://localhost:8787/", "http://localhost:8787"],
    ["http://[::1]:8787", "http://[::1]:8787"],
    ["http://api.localhost", "http://api.localhost"],
    ["http://127.8.9.10", "http://127.8.9.10"],
  ])("reads the base URL %s as %s", (baseUrl, read) => {
    expect(configOf({ "compute:apiKey": key, "compute:baseUrl": baseUrl }).connection().baseUrl).toBe(read);
  });

  it.each([
    { stack: { "compute:apiKey": "" }, says: "there is no API key", names: "COMPUTE_API_KEY" },
    { stack: { "compute:apiKey": "" }, says: "there is no API key", names: "compute:apiKey" },
    { stack: { "compute:apiKey": "a b" }, says: "holds spaces, line breaks", names: "compute:apiKey" },
    { stack: { "compute:apiKey": "schlüssel" }, says: "outside ASCII", names: "compute:apiKey" },
    { stack: { "compute:baseUrl": "" }, says: "there is no base URL", names: "COMPUTE_BASE_URL" },
    { stack: { "compute:baseUrl": "" }, says: "there is no base URL", names: "compute:baseUrl" },
    { stack: { "compute:baseUrl": "api.example.com" }, says: "not an https address", names: "https://" },
    { stack: { "compute:baseUrl": "ftp://example.com" }, says: "not an https address", names: "https://" },
    { stack: { "compute:baseUrl": "http://example.com" }, says: "is not https", names: "Use https" },
    { stack: { "compute:baseUrl": "http://127.0.0.1.evil.com" }, says: "is not https", names: "Use https" },
    {
      stack: { "compute:baseUrl": "http://localhost.example.com" },
      says: "is not https",
      names: "Use https",
    },
    { stack: { "compute:baseUrl": "http://10.0.0.1" }, says: "is not https", names: "Use https" },
    { stack: { "compute:baseUrl": "http://notlocalhost" }, says: "is not https", names: "Use https" },
    { stack: { "compute:baseUrl": `https://u:${key}@x.com` }, says: "more than a host", names: "https://" },
    { stack: { "compute:baseUrl": `https://x.com?k=${key}` }, says: "more than a host", names: "https://" },
    { stack: { "compute:baseUrl": `https://x.com#${key}` }, says: "more than a host", names: "https://" },
  ])("refuses $stack: $says, and names $names", ({ stack, says, names }) => {
    const good = { "compute:apiKey": key, "compute:baseUrl": "https://api.example.com" };
    const { message } = failureOf(() => configOf({ ...good, ...stack }).connection());
    expect(message).toContain(says);
    expect(message).toContain(names);
    expect(message).not.toContain(key);
    expect(message).not.toContain("schlüssel");
  });

  it("says where a wrong key and a wrong address stand, and that an account may be the wrong one", () => {
    const environment = { COMPUTE_API_KEY: `${key} ${key}`, COMPUTE_BASE_URL: "api.example.com" };
    const ofKey = failureOf(() => configOf({ "compute:baseUrl": "https://x.com" }, environment).connection());
    expect(ofKey.message).toMatch(/^reading the environment's COMPUTE_API_KEY: .* Copy the key again\.$/);
    const ofAddress = failureOf(() => configOf({ "compute:apiKey": key }, environment).connection());
    expect(ofAddress.message).toMatch(/^reading the environment's COMPUTE_BASE_URL: .*https:\/\//);
    for (const { message, problem } of [ofKey, ofAddress]) {
      expect(message).not.toContain(key);
      expect(problem.doubtsConnection).toBe(true);
    }
  });

  it.each([
    { text: "", rateLimits: defaultRateLimits, reason: "the default where it is empty" },
    { text: "680", rateLimits: defaultRateLimits, reason: "the default by its number" },
    { text: " 6800 ", rateLimits: { perSecond: 360, perMinute: 6_800 }, reason: "as much more in a second" },
    { text: "1", rateLimits: { perSecond: 1, perMinute: 1 }, reason: "never less than one" },
    { text: "0", rateLimits: noRateLimits, reason: "none for 0" },
  ])('takes "$text" requests a minute: $reason', ({ text, rateLimits }) => {
    expect(configOf({ "compute:requestsPerMinute": text }).requestsPerMinute).toEqual(rateLimits);
    expect(configOf({}, { COMPUTE_REQUESTS_PER_MINUTE: text }).requestsPerMinute).toEqual(rateLimits);
  });

  it.each(["-1", "1.5", "1e3", "none", "700/min", "1000000000"])(
    "refuses %s requests a minute, with the way to set them",
    (text) => {
      expect(failureOf(() => configOf({ "compute:requestsPerMinute": text })).message).toBe(
        `reading the configuration compute:requestsPerMinute: it is "${text}". ` +
          "Set it to a whole number from 0 (no limit) to 999999999: `pulumi config set compute:requestsPerMinute 680`.",
      );
    },
  );

  it.each([
    ["neon", "the base URL's host is one of Neon's", { "compute:baseUrl": "https://console.NEON.tech/" }],
    ["interface", "the host is another one", { "compute:baseUrl": "https://neon.tech.example.com" }],
    ["interface", "the host only ends like it", { "compute:baseUrl": "https://my-neon.tech" }],
    ["interface", "the base URL is no address", { "compute:baseUrl": "console.neon.tech" }],
    ["interface", "there is no base URL", {}],
    [
      "unknown",
      "the setting counts before the host",
      { "compute:baseUrl": "https://console.neon.tech", "compute:service": "unknown" },
    ],
    [
      "neon",
      "the setting counts for any host",
      { "compute:baseUrl": "https://api.example.com", "compute:service": "neon" },
    ],
  ])("takes the service to be %s where %s", (service, _reason, stack) => {
    expect(configOf(stack).service).toBe(service);
  });

  it("refuses a service that it does not know", () => {
    expect(failureOf(() => configOf({ "compute:service": "Neon" })).message).toBe(
      'reading the configuration compute:service: it is "Neon". Set it to interface, neon, unknown: `pulumi config set compute:service interface`.',
    );
  });
});
