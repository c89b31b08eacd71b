/**
 * Cuts the engine's errors down to what a report shows. Values are found without regular expressions: a message may be
 * long, and full of the very characters that an expression would look for.
 */

const beforeReason = " has a problem: ";

/** Drops the resource, which the engine prints before the reason: the compute's row already names it. */
export function reasonOf(text: string): string {
  const [place, ...reason] = withoutValue(text).split(beforeReason);
  const isPlace =
    /^\S+ resource '/.test(place ?? "") && (place?.endsWith("'") || place?.includes("': property "));
  return isPlace === true && reason.length > 0 ? reason.join(beforeReason) : withoutValue(text);
}

/**
 * Drops the value of each refused argument, which the engine prints even if it is secret. A component's error may list
 * several arguments.
 */
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
