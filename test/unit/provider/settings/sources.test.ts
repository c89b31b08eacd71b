import { readSetting, type SettingSource, type SettingSources } from "../../../../provider/settings/sources";
import { policies } from "../../../../provider/model/interruptionWindow";
import { settings, type SettingName } from "../../../../provider/settings/table";

/** The same setting in several places. */
function sourcesOf(
  name: SettingName,
  given: Readonly<Partial<Record<SettingSource, string>>>,
): SettingSources {
  const places = Object.entries(given).map(([place, text]) => [
    place,
    (setting: { readonly name: SettingName }) => (setting.name === name ? text : undefined),
  ]);
  return Object.fromEntries(places) as SettingSources;
}

function read(name: SettingName, given: Readonly<Partial<Record<SettingSource, string>>>): unknown {
  const answer = readSetting(sourcesOf(name, given), name);
  if ("misread" in answer) throw new Error(`${answer.misread.doing}: ${answer.misread.what}`);
  return answer.value;
}

/** Three values of each, which differ once they are read. */
const samples: Readonly<Record<Exclude<SettingName, "onInterruption">, readonly [string, string, string]>> = {
  apiKey: ["one", "two", "three"],
  baseUrl: ["https://one.example", "https://two.example", "https://three.example"],
  interruptionWindow: ["always", "Sat 02:00-04:00", "Sun 02:00-04:00"],
  liveFacts: ["true", "false", "true"],
  service: ["interface", "neon", "unknown"],
  requestsPerMinute: ["1", "20", "300"],
  refreshBeforeUpdate: ["true", "false", "true"],
};

const plain = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === "function" ? "a function" : member));

describe.each(Object.entries(samples) as [keyof typeof samples, readonly [string, string, string]][])(
  "%s",
  (name, [one, two, three]) => {
    it("counts from a provider's argument, then from the stack, then from the environment", () => {
      const of = (given: Readonly<Partial<Record<SettingSource, string>>>): unknown =>
        plain(read(name, given));
      const [first, second, third] = [one, two, three].map((text) => of({ environment: text }));
      expect(second).not.toEqual(first);
      expect(second).not.toEqual(third);
      expect(of({ argument: one, stack: two, environment: two })).toEqual(first);
      expect(of({ argument: two, stack: one, environment: one })).toEqual(second);
      expect(of({ argument: two, environment: three })).toEqual(second);
      expect(of({ stack: two, environment: three })).toEqual(second);
      expect(of({ stack: three, environment: two })).toEqual(third);
    });

    it("counts from the next place where one is blank", () => {
      expect(plain(read(name, { argument: " ", stack: "", environment: two }))).toEqual(
        plain(read(name, { stack: two })),
      );
    });
  },
);

describe("the policy", () => {
  const strictest = ["forbid", "forbid-when-active", "defer", "warn"];
  const pairs = policies.flatMap((one) => policies.map((other) => [one, other] as const));

  it.each(pairs)(
    "of one place that says %s and another that says %s is the stricter of the two",
    (one, other) => {
      const expected = strictest.find((policy) => policy === one || policy === other);
      expect(read("onInterruption", { stack: one, environment: other })).toBe(expected);
      expect(read("onInterruption", { argument: one, environment: other })).toBe(expected);
      expect(read("onInterruption", { argument: one, stack: other })).toBe(expected);
    },
  );

  it("is warn where no place says any, and the strictest of three", () => {
    expect(read("onInterruption", {})).toBe("warn");
    expect(read("onInterruption", { argument: "warn", stack: "defer", environment: "forbid" })).toBe(
      "forbid",
    );
  });

  it.each([
    { given: { stack: "forbid", environment: "forbidd" }, told: "the environment's COMPUTE_ON_INTERRUPTION" },
    { given: { stack: "forbidd", environment: "forbid" }, told: "the configuration compute:onInterruption" },
    { given: { argument: "never", environment: "warn" }, told: "the provider's argument onInterruption" },
  ])("is refused where one place has a word that is none: $told", ({ given, told }) => {
    expect(() => read("onInterruption", given)).toThrow(`reading ${told}: it is "`);
  });

  it("takes the window from the first place that has one, whichever place said defer", () => {
    const given = { stack: "always", environment: "Sat 02:00-04:00" };
    expect(read("interruptionWindow", given)).toMatchObject({ spans: [{ from: 0 }] });
  });
});

describe("a value that cannot be read", () => {
  it.each<{ place: SettingSource; told: string }>([
    {
      place: "argument",
      told: 'reading the provider\'s argument interruptionWindow: … `interruptionWindow: "Sat,Sun 02:00-04:00 Europe/Berlin"`',
    },
    {
      place: "stack",
      told: 'reading the configuration compute:interruptionWindow: … `pulumi config set compute:interruptionWindow "Sat,Sun 02:00-04:00 Europe/Berlin"`',
    },
    {
      place: "environment",
      told: 'reading the environment\'s COMPUTE_INTERRUPTION_WINDOW: … `COMPUTE_INTERRUPTION_WINDOW="Sat,Sun 02:00-04:00 Europe/Berlin"`',
    },
  ])("is said with its place, and corrected there: $place", ({ place, told }) => {
    const answer = readSetting(sourcesOf("interruptionWindow", { [place]: "Sat" }), "interruptionWindow");
    if (!("misread" in answer)) throw new Error("it was read");
    const { doing, fix } = answer.misread;
    expect(`${doing}: … ${fix.slice(fix.indexOf("`"))}`).toBe(told);
  });
});

it("names each setting in its three places by one rule", () => {
  expect(settings.interruptionWindow).toMatchObject({
    name: "interruptionWindow",
    key: "compute:interruptionWindow",
    variable: "COMPUTE_INTERRUPTION_WINDOW",
  });
});
