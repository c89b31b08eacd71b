/**
 * Makes ids in the forms that the interface shows, the same for the same seed.
 */

const adjectives = wordsOf(`
  amber brisk calm dawn eager fancy gentle hidden icy jolly keen lively
  mellow noble odd plain quiet rapid silent tidy umber vivid warm young`);
const nouns = wordsOf(`
  bird cloud dust field forest glade harbor island lake meadow night ocean
  pine river sea snow star surf tree valley violet water wave wind`);
const alphanumerics = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * Makes ids in the forms that the interface shows. The same seed gives the same ids in the same order.
 *
 * The state file keeps the position, so that a restart never repeats an id.
 */
export class Ids {
  /** Position in the sequence: 32 bits. */
  position: number;

  constructor(seed: number) {
    this.position = seed >>> 0;
  }

  /** `ep-calm-river-1a2b3c4d` (interface 2.1: always the prefix `ep-`). */
  endpoint(): string {
    return `ep-${this.#words()}-${this.#characters(8, 36)}`;
  }

  /** `br-calm-river-1a2b3c4d` (interface 2.1). */
  branch(): string {
    return `br-${this.#words()}-${this.#characters(8, 36)}`;
  }

  /** `calm-river-12345678`. */
  project(): string {
    return `${this.#words()}-${this.#characters(8, 10)}`;
  }

  /** A UUID of version 4 in form (interface 2.2), though not in randomness. */
  uuid(): string {
    const hex = this.#characters(30, 16);
    const variant = "89ab".charAt(this.#below(4));
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-${variant}${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
  }

  #words(): string {
    const adjective = adjectives[this.#below(adjectives.length)] ?? "calm";
    const noun = nouns[this.#below(nouns.length)] ?? "river";
    return `${adjective}-${noun}`;
  }

  #characters(count: number, base: number): string {
    return Array.from({ length: count }, () => alphanumerics.charAt(this.#below(base))).join("");
  }

  /** The next whole number from 0 up to, not including, `bound` (the mulberry32 sequence). */
  #below(bound: number): number {
    this.position = (this.position + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.position ^ (this.position >>> 15), this.position | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
