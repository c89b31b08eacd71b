/**
 * The setting for the price of a CU-hour.
 *
 * Pure: the provider checks it, and `compute-preview` reads it from the preview.
 */
import type { Unreadable } from "../errors";

/** What a CU-hour costs. */
export interface Price {
  /** The setting's text. */
  readonly source: string;
  readonly perCuHour: number;
  /** In ISO 4217; undefined if the setting names none. */
  readonly currency: string | undefined;
}

const form = /^(\d{1,9}(?:\.\d{1,9})?)(?:\s+([A-Z]{3}))?$/;

/** @param text - the value of `compute:pricePerCuHour`: `0.16`, or `0.16 USD`. */
export function priceFrom(text: string): Price | Unreadable {
  const [, amount, currency] = form.exec(text.trim()) ?? [];
  if (amount !== undefined) return { source: text, perCuHour: Number(amount), currency };
  return {
    what: `it is "${text.slice(0, 40)}"`,
    fix: "Set it to a number of at least 0, with a point before decimals, and optionally a currency of three capital letters",
    example: "0.16 USD",
  };
}
