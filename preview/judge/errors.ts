/**
 * What the engine's errors say, without what is not for a report. No regular expression: a message may be long, and made
 * of what such an expression looks for.
 */

const beforeReason = " has a problem: ";

/** The engine prints the resource before the reason, which a compute's row names. */
export function reasonOf(text: string): string {
  const [place, ...reason] = withoutValue(text).split(beforeReason);
  const isPlace =
    /^\S+ resource '/.test(place ?? "") && (place?.endsWith("'") || place?.includes("': property "));
  return isPlace === true && reason.length > 0 ? reason.join(beforeReason) : withoutValue(text);
}

/** The engine prints the value of a refused argument too, which may be a secret. A component's error lists several. */
export function withoutValue(text: string): string {
  return text
    .split(/(?=\n\t\t- property )/)
    .map(withoutOneValue)
    .join("");
}

function withoutOneValue(part: string): string {
  const property = part.indexOf("property ");
  const begins = ["{", "'"]
    .map((quote) => part.indexOf(` value ${quote}`, property))
    .filter((at) => at > property);
  const begin = Math.min(...begins);
  const end = Math.max(...["}", "'"].map((quote) => part.lastIndexOf(`${quote}${beforeReason}`)));
  if (property < 0 || begins.length === 0 || end <= begin) return part;
  const before = part.slice(0, begin);
  return `${before.endsWith(" with") ? before.slice(0, -" with".length) : before}${part.slice(end + 1)}`;
}
