/**
 * What users set about interruptions: the policy, and the window. A window consists of spans within a week, in the local
 * time of a zone. Pure.
 */
import type { Unreadable } from "./errors";

/**
 * From the least strict to the strictest. `defer` holds each interruption back until the compute is idle or a window opens.
 * With `forbid-when-active` no open connection is ever dropped. With `forbid` nothing is interrupted at all.
 */
export const policies = ["warn", "defer", "forbid-when-active", "forbid"] as const;

export type InterruptionPolicy = (typeof policies)[number];

export interface InterruptionWindow {
  readonly spans: readonly Span[];
}

/** In minutes of a local week that begins on Sunday; `to` may be after the end of the week. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly zone: string;
}

const minuteMs = 60_000;
const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;
const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/**
 * @param source - `always`, or spans such as `Sat,Sun 02:00-04:00 Europe/Berlin` with `;` between them. Days are
 * names, ranges (`Mon-Fri`) or `daily`; a span that ends before it begins continues past midnight; without a zone it
 * is UTC.
 */
export function windowFrom(source: string): InterruptionWindow | Unreadable {
  if (source === "always") return { spans: [{ from: 0, to: weekMinutes, zone: "UTC" }] };
  const spans: Span[] = [];
  for (const text of source.split(";")) {
    const read = spansFrom(text.trim());
    if (typeof read === "string") return problemWith(`"${text.trim().slice(0, 60)}" ${read}`);
    spans.push(...read);
  }
  return { spans };
}

function problemWith(what: string): Unreadable {
  return {
    what,
    fix: "Write one or more windows (days, times, time zone), separated by semicolons, or the word always",
    example: "Sat,Sun 02:00-04:00 Europe/Berlin",
  };
}

const spanForm =
  /^(?<days>[a-z,-]+) +(?<fromHour>\d{1,2}):(?<fromMinute>[0-5]\d) *- *(?<toHour>\d{1,2}):(?<toMinute>[0-5]\d)(?: +(?<zone>\S+))?$/i;

/** @returns the spans, or what is wrong with the text. */
function spansFrom(text: string): readonly Span[] | string {
  const parts = spanForm.exec(text)?.groups;
  if (parts === undefined) return "is not a window";
  const { days = "", fromHour, fromMinute, toHour, toMinute, zone = "UTC" } = parts;
  const [from, to] = [minutesOf(fromHour, fromMinute), minutesOf(toHour, toMinute)];
  if (from >= dayMinutes || to > dayMinutes) return "has a time beyond 24:00";
  if (from === to) return "begins and ends at the same time";
  if (!isZone(zone)) return `names an unknown time zone (${zone})`;
  const open = daysFrom(days);
  if (open === undefined) return "names an unknown day: write Mon, Tue, Wed, Thu, Fri, Sat, Sun or daily";
  const minutes = to - from + (to < from ? dayMinutes : 0);
  return open.map((day) => ({
    from: day * dayMinutes + from,
    to: day * dayMinutes + from + minutes,
    zone,
  }));
}

function minutesOf(hour: string | undefined, minute: string | undefined): number {
  return Number(hour) * 60 + Number(minute);
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

/** Numbers of days, from 0 for Sunday; undefined if one of them is not a day. */
function daysFrom(text: string): readonly number[] | undefined {
  if (text.toLowerCase() === "daily") return dayNames.map((_, day) => day);
  const days: number[] = [];
  for (const part of text.toLowerCase().split(",")) {
    const [first = "", last = first, ...rest] = part.split("-");
    const [from, to] = [dayNames.indexOf(first), dayNames.indexOf(last)];
    if (from < 0 || to < 0 || rest.length > 0) return undefined;
    const count = ((to - from + 7) % 7) + 1;
    days.push(...Array.from({ length: count }, (_, step) => (from + step) % 7));
  }
  return days;
}

export function isOpen({ spans }: InterruptionWindow, nowMs: number): boolean {
  return spans.some((span) => isWithin(span, localMinute(span.zone, nowMs)));
}

function isWithin({ from, to }: Span, minute: number): boolean {
  return (minute >= from && minute < to) || minute + weekMinutes < to;
}

/** Zones change their clocks only at quarters of an hour: within a quarter, local minutes are consecutive. */
const quarterMinutes = 15;

/**
 * When the window opens next, to the minute; undefined if it never does. Local times that a zone skips are ignored.
 */
export function nextOpening(window: InterruptionWindow, nowMs: number): number | undefined {
  const firstQuarter = Math.floor(nowMs / minuteMs / quarterMinutes) * quarterMinutes;
  // A week and a day: a clock change may skip a span of the first week.
  for (let quarter = 0; quarter < weekMinutes + dayMinutes; quarter += quarterMinutes) {
    const startMs = (firstQuarter + quarter) * minuteMs;
    const opens = window.spans.flatMap((span) => {
      const minute = localMinute(span.zone, startMs);
      const step = Array.from({ length: quarterMinutes }, (_, index) => index).find(
        (index) => startMs + index * minuteMs > nowMs && isWithin(span, (minute + index) % weekMinutes),
      );
      return step === undefined ? [] : [startMs + step * minuteMs];
    });
    if (opens.length > 0) return Math.min(...opens);
  }
  return undefined;
}

const localTime = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

const weekdayFormats = new Map<string, Intl.DateTimeFormat>();

/** The minute of the local week. */
function localMinute(zone: string, ms: number): number {
  const format = weekdayFormats.get(zone) ?? new Intl.DateTimeFormat("en", { ...localTime, timeZone: zone });
  weekdayFormats.set(zone, format);
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const day = dayNames.indexOf((parts.get("weekday") ?? "").toLowerCase());
  return day * dayMinutes + minutesOf(parts.get("hour"), parts.get("minute"));
}

/** `Sat 28 Nov 02:00 (Europe/Berlin)`, in the zone of the first span. */
export function momentText({ spans }: InterruptionWindow, ms: number): string {
  const zone = spans[0]?.zone ?? "UTC";
  const options = { ...localTime, timeZone: zone, day: "numeric", month: "short" } as const;
  const text = new Intl.DateTimeFormat("en-GB", options).format(ms);
  return `${text.replaceAll(",", "")} (${zone})`;
}
