import * as fc from "fast-check";
import { isOpen, momentText, nextOpening, windowFrom } from "../../../../provider/model/interruptionWindow";
import type { InterruptionWindow } from "../../../../provider/model/interruptionWindow";

function windowOf(source: string): InterruptionWindow {
  const read = windowFrom(source);
  if ("spans" in read) return read;
  throw new Error(read.what);
}

const at = (time: string): number => Date.parse(time);

// 2026-11-21 is a Saturday. On that day, Berlin is one hour ahead of UTC; in summer, it is two.
it.each([
  { source: "Sat 02:00-04:00", time: "2026-11-21T02:00:00Z", open: true },
  { source: "Sat 02:00-04:00", time: "2026-11-21T04:00:00Z", open: false },
  { source: "Sat 02:00-04:00 UTC", time: "2026-11-20T02:00:00Z", open: false },
  { source: "sat,SUN 2:00 - 4:00 Europe/Berlin", time: "2026-11-21T01:00:00Z", open: true },
  { source: "Sat,Sun 02:00-04:00 Europe/Berlin", time: "2026-07-18T00:00:00Z", open: true },
  { source: "Fri-Mon 00:00-24:00", time: "2026-11-24T12:00:00Z", open: false },
  { source: "daily 23:00-01:00", time: "2026-11-24T00:30:00Z", open: true },
  // This window goes past the end of the week, which begins on Sunday.
  { source: "Sat 22:00-02:00", time: "2026-11-22T01:59:00Z", open: true },
  { source: "Sat 22:00-02:00", time: "2026-11-22T02:00:00Z", open: false },
  { source: "Sat 22:00-02:00", time: "2026-11-21T01:59:00Z", open: false },
  { source: "Mon 01:00-02:00; Wed 01:00-02:00", time: "2026-11-25T01:30:00Z", open: true },
  { source: "always", time: "2026-11-25T01:30:00Z", open: true },
])("$source is open at $time: $open", ({ source, time, open }) => {
  expect(isOpen(windowOf(source), at(time))).toBe(open);
});

it.each([
  { source: "Sat 02:09-03:00; Sat 02:07-04:00", now: "2026-11-21T02:06:30Z", next: "2026-11-21T02:07:00Z" },
  { source: "Sat 02:00-02:05", now: "2026-11-21T02:07:00Z", next: "2026-11-28T02:00:00Z" },
  { source: "Sat 02:00-04:00", now: "2026-11-21T04:00:00Z", next: "2026-11-28T02:00:00Z" },
  { source: "Sat 02:07-04:00 Asia/Kathmandu", now: "2026-11-20T00:00:00Z", next: "2026-11-20T20:22:00Z" },
  // The clocks go forward at two: that night has no hour from two to three.
  { source: "Sun 02:00-03:00 Europe/Berlin", now: "2026-03-28T12:00:00Z", next: "2026-04-05T00:00:00Z" },
  { source: "Sun 02:30-04:00 Europe/Berlin", now: "2026-03-28T12:00:00Z", next: "2026-03-29T01:00:00Z" },
])("after $now, $source opens next at $next", ({ source, now, next }) => {
  expect(nextOpening(windowOf(source), at(now))).toBe(at(next));
});

it("a window opens next at its first open minute", () => {
  const days = fc.constantFrom("Sat", "Mon-Fri", "Sun,Wed", "daily");
  const twoDigits = (number: number): string => String(number).padStart(2, "0");
  const time = fc.tuple(fc.nat(23), fc.nat(59)).map((parts) => parts.map(twoDigits).join(":"));
  const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe");
  const now = fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2026-12-31T00:00:00Z") });
  const source = fc.record({ days, from: time, to: time, zone }).filter(({ from, to }) => from !== to);
  const property = fc.property(source, now, (span, nowMs) => {
    const window = windowOf(`${span.days} ${span.from}-${span.to} ${span.zone}`);
    fc.pre(!isOpen(window, nowMs));
    const next = nextOpening(window, nowMs);
    if (next === undefined) throw new Error("it never opens");
    expect(isOpen(window, next)).toBe(true);
    for (let ms = next - 60_000; ms > Math.max(nowMs, next - 30 * 60_000); ms -= 60_000)
      expect(isOpen(window, ms)).toBe(false);
  });
  fc.assert(property, { numRuns: 150, seed: 1 });
});

it("a moment is named in the window's own zone", () => {
  const window = windowOf("Sat,Sun 02:00-04:00 Europe/Berlin");
  expect(momentText(window, at("2026-11-28T01:00:00Z"))).toBe("Sat 28 Nov 02:00 (Europe/Berlin)");
});

const fix = "Write one or more windows (days, times, time zone), separated by semicolons, or the word always";
it.each([
  ["weekend", '"weekend" is not a window'],
  ["Sat 02:00-04:00;", '"" is not a window'],
  ["Sat 02:00-25:00", "has a time beyond 24:00"],
  ["Sat 24:00-01:00", "has a time beyond 24:00"],
  ["Sat 02:00-02:00", "begins and ends at the same time"],
  ["Sta 02:00-04:00", "names an unknown day: write Mon"],
  ["Sta-Sun 02:00-04:00", "names an unknown day: write Mon"],
  ["Sat-Sum 02:00-04:00", "names an unknown day: write Mon"],
  ["Sat-Sun-Mon 02:00-04:00", "names an unknown day: write Mon"],
  ["Sat 02:00-04:00 Europe/Berln", "names an unknown time zone (Europe/Berln)"],
])("what is not a window is explained: %s", (source, what) => {
  const told = {
    what: expect.stringContaining(what) as string,
    fix,
    example: "Sat,Sun 02:00-04:00 Europe/Berlin",
  };
  expect(windowFrom(source)).toMatchObject(told);
});
