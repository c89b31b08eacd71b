import { policies } from "../../../provider/model/interruptionWindow";
import { readConfig } from "../../../provider/settings/config";
import { defaultRateLimits } from "../../../provider/settings/table";
import { readSetting, type SettingSource, type SettingSources } from "../../../provider/settings/sources";
import type { SettingName } from "../../../provider/settings/table";

const key = "napi_very-secret-key";
const good = { "compute:apiKey": key, "compute:baseUrl": "https://api.example.com" };
type Stack = Readonly<Record<string, string>>;

/** The configuration from a stack and an environment. */
const configOf = (stack: Stack, environment: NodeJS.ProcessEnv = {}) =>
  readConfig((name) => stack[name], environment);
const connectionOf = (stack: Stack, environment?: NodeJS.ProcessEnv) => () =>
  configOf(stack, environment).connection();

type Given = Readonly<Partial<Record<SettingSource, string>>>;

/** Reads a setting from these places. */
function read(name: SettingName, given: Given): unknown {
  const places = Object.entries(given).map(([place, text]) => {
    const look: NonNullable<SettingSources[SettingSource]> = (setting) =>
      setting.name === name ? text : undefined;
    return [place, look];
  });
  const answer = readSetting(Object.fromEntries(places) as SettingSources, name);
  if ("value" in answer) return answer.value;
  throw new Error(`${answer.misread.doing}: ${answer.misread.what}. ${answer.misread.fix}`);
}

describe("a connection", () => {
  it("needs a key and a base URL; everything else has a default", () => {
    const config = configOf(good);
    expect(config.connection()).toEqual({ apiKey: key, baseUrl: "https://api.example.com" });
    expect(config).toMatchObject({ service: "interface", liveFacts: true, onInterruption: "warn" });
  });

  it.each([
    ["https://api.example.com/", "https://api.example.com"],
    ["https://api.example.com/api/v2/", "https://api.example.com"],
    ["https://example.com/compute/", "https://example.com/compute"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787"],
    ["http://localhost:8787/", "http://localhost:8787"],
    ["http://[::1]:8787", "http://[::1]:8787"],
    ["http://127.8.9.10", "http://127.8.9.10"],
  ])("with the base URL %s goes to %s", (baseUrl, used) => {
    expect(connectionOf({ ...good, "compute:baseUrl": baseUrl })().baseUrl).toBe(used);
  });

  const notHttps = ["127.0.0.1.evil.com", "localhost.example.com", "10.0.0.1"];

  it.each<readonly [says: RegExp, text: string, name: string]>([
    [/no API key is set\. .*COMPUTE_API_KEY.*compute:apiKey/, "", "apiKey"],
    [/compute:apiKey: .*contains spaces, line breaks/, "a b", "apiKey"],
    [/^(?!.*schl).*outside ASCII/, "schlüssel", "apiKey"],
    [/no base URL is set.*COMPUTE_BASE_URL.*compute:baseUrl/, "", "baseUrl"],
    [/not an https address.*https:\/\//, "api.example.com", "baseUrl"],
    [/not an https address.*https:\/\//, "ftp://example.com", "baseUrl"],
    ...notHttps.map((host) => [/is not https.*Use https/, `http://${host}`, "baseUrl"] as const),
    ...[`https://u:${key}@x.com`, `https://x.com?k=${key}`, `https://x.com#${key}`].map(
      (text) => [/^(?!.*napi).*more than a host.*https:\/\//, text, "baseUrl"] as const,
    ),
  ])("is refused with %s for %j", (says, text, name) => {
    expect(connectionOf({ ...good, [`compute:${name}`]: text })).toThrow(says);
  });

  it("names a missing key and a missing address together", () => {
    const both =
      /no API key is set, and no base URL\..*COMPUTE_API_KEY.*compute:apiKey.*COMPUTE_BASE_URL.*compute:baseUrl/;
    expect(connectionOf({})).toThrow(both);
  });

  it.each([
    [{ "compute:baseUrl": "https://x.com" }, "COMPUTE_API_KEY: .* Copy the key again"],
    [{ "compute:apiKey": key }, "COMPUTE_BASE_URL: .*https:"],
  ])(
    "that is wrong fails with an error that names the wrong value's place, and is marked as an error of the connection: %#",
    (stack, says) => {
      const environment = { COMPUTE_API_KEY: `${key} ${key}`, COMPUTE_BASE_URL: "api.example.com" };
      let refusal: unknown;
      try {
        connectionOf(stack, environment)();
      } catch (error) {
        refusal = error;
      }
      const message = expect.stringMatching(`^(?!.*napi)reading the environment variable ${says}`) as unknown;
      expect(refusal).toMatchObject({ message, problem: { doubtsConnection: true } });
    },
  );
});

describe("the service", () => {
  it.each([
    ["neon", "the base URL's host is one of Neon's", { "compute:baseUrl": "https://console.NEON.tech/" }],
    ["interface", "the host is another one", { "compute:baseUrl": "https://neon.tech.example.com" }],
    ["interface", "the base URL is not an address", { "compute:baseUrl": "console.neon.tech" }],
    ["interface", "no base URL is set", {}],
    [
      "unknown",
      "the setting overrides the host",
      { "compute:baseUrl": "https://console.neon.tech", "compute:service": "unknown" },
    ],
  ])("is %s where %s", (service, _reason, stack) => {
    expect(configOf(stack as Stack).service).toBe(service);
  });
});

describe("requests a minute", () => {
  it.each([
    ["", defaultRateLimits, "an empty text means the default"],
    [" 6800 ", { perSecond: 360, perMinute: 6_800 }, "the limit per second grows with it"],
    ["1", { perSecond: 1, perMinute: 1 }, "it is at least one per second"],
  ])("of %j are %j: %s", (text, limits) => {
    expect(configOf({}, { COMPUTE_REQUESTS_PER_MINUTE: text }).requestsPerMinute).toEqual(limits);
  });
});

describe("a value that cannot be read", () => {
  const whole = "Set it to a whole number from 0 (no limit) to 999999999";
  const words = "Set it to one of interface, neon, unknown";

  it.each<readonly [name: SettingName, text: string, says: string]>([
    ...["-1", "1.5", "1e3", "none", "700/min", "1000000000"].map(
      (text) => ["requestsPerMinute", text, `"${text}" is not a valid value. ${whole}: \`680\``] as const,
    ),
    ["service", "Neon", `"Neon" is not a valid value. ${words}: \`interface\``],
    ["liveFacts", "yes", '"yes" is not a valid value. Set it to true or false: `true`'],
  ])("of %s is named, with how to set it: %j", (name, text, says) => {
    const way = says.replace(/`(.*)`/, `\`pulumi config set compute:${name} $1\``);
    expect(() => configOf({ [`compute:${name}`]: text })).toThrow(
      `reading the configuration compute:${name}: ${way}`,
    );
  });

  it.each<[place: SettingSource, doing: string, way: string]>([
    ["argument", "reading the provider's argument interruptionWindow: ", 'interruptionWindow: "…"'],
    [
      "stack",
      "reading the configuration compute:interruptionWindow: ",
      'pulumi config set compute:interruptionWindow "…"',
    ],
    [
      "environment",
      "reading the environment variable COMPUTE_INTERRUPTION_WINDOW: ",
      'COMPUTE_INTERRUPTION_WINDOW="…"',
    ],
  ])("is named with the place that set it, and with how to correct it there: %s", (place, doing, way) => {
    const misread = (): unknown => read("interruptionWindow", { [place]: "Sat" });
    expect(misread).toThrow(doing);
    expect(misread).toThrow(`\`${way.replace("…", "Sat,Sun 02:00-04:00 Europe/Berlin")}\``);
  });
});

/** Three values for each setting. The second one, as it is read, differs from the other two. */
const samples: Readonly<Record<Exclude<SettingName, "onInterruption">, readonly [string, string, string]>> = {
  apiKey: ["one", "two", "three"],
  baseUrl: ["https://one.example", "https://two.example", "https://three.example"],
  interruptionWindow: ["always", "Sat 02:00-04:00", "Sun 02:00-04:00"],
  liveFacts: ["true", "false", "true"],
  service: ["interface", "neon", "unknown"],
  requestsPerMinute: ["1", "20", "300"],
  refreshBeforeUpdate: ["true", "false", "true"],
};

it.each(Object.entries(samples) as [keyof typeof samples, readonly [string, string, string]][])(
  "%s is read from a provider's argument, else from the stack, else from the environment; a blank value does not count",
  (name, [one, two, three]) => {
    const of = (given: Given): string =>
      JSON.stringify(read(name, given), (_key, member: unknown) =>
        typeof member === "function" ? "a function" : member,
      );
    const [first, second, third] = [one, two, three].map((text) => of({ environment: text }));
    expect([first, third]).not.toContain(second);
    expect(of({ argument: one, stack: two, environment: two })).toBe(first);
    expect(of({ argument: two, stack: one, environment: one })).toBe(second);
    expect(of({ stack: two, environment: three })).toBe(second);
    expect(of({ stack: three, environment: two })).toBe(third);
    expect(of({ argument: " ", stack: "", environment: two })).toBe(second);
  },
);

describe("the policy", () => {
  const strictest = ["forbid", "forbid-when-active", "defer", "warn"];

  it.each(policies)("is the stricter one, if one place says %s and another place something else", (one) => {
    for (const other of policies) {
      const expected = strictest.find((policy) => policy === one || policy === other);
      expect(read("onInterruption", { stack: one, environment: other })).toBe(expected);
      expect(read("onInterruption", { argument: one, environment: other })).toBe(expected);
      expect(read("onInterruption", { argument: one, stack: other, environment: "warn" })).toBe(expected);
    }
  });

  it.each([
    [{ stack: "forbid", environment: "forbidd" }, "the environment variable COMPUTE_ON_INTERRUPTION"],
    [{ stack: "forbidd", environment: "forbid" }, "the configuration compute:onInterruption"],
    [{ argument: "never", environment: "warn" }, "the provider's argument onInterruption"],
  ])("is refused if one place has an unknown word: %j", (given, place) => {
    expect(() => read("onInterruption", given as Given)).toThrow(`reading ${place}: "`);
  });
});
