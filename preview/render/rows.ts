/**
 * The rows of a comment's table, and the details below it.
 */
import { outcomeTable } from "../outcomes";
import type { ComputeReport, Difference, Outcome } from "../shape";
import { countsLine, wholePhraseOf } from "../judge/summary";
import { groupBy, present } from "../read/values";
import { connectionsLine } from "./connections";
import { code, words } from "./escape";
import type { Part } from "./fit";
import {
  capital,
  changeLines,
  differenceText,
  driftLines,
  effectWord,
  heldBackLine,
  isNew,
  labelsLine,
  remarksLine,
  someOf,
  wordOf,
  type Quote,
} from "./words";

const longestError = 1_000;

export const quotedName: Quote = (name) => code(name, 80);

/** At least this many computes that change alike share a row. */
const fewestAlike = 3;

/** Computes that share a row, since they change alike: at least one. */
type Alike = readonly [ComputeReport, ...ComputeReport[]];

const tableHead = "| Compute | Effect | Change | Clients notice |\n| --- | --- | --- | --- |";

/** A table of what clients may notice, a folded table of the other changes, and the details of both. */
export function tableParts(computes: readonly ComputeReport[]): readonly Part[] {
  const rows = rowsOf(computes);
  const loud = rows.filter((alike) => !alike.every(isCalm));
  const calm = rows.filter((alike) => alike.every(isCalm));
  const hasWords = computes.some(({ notice, warnings }) => notice !== null || warnings.length > 0);
  const items = (of: typeof rows, toText: (alike: Alike) => string): Part["items"] & object =>
    of.map((alike) => ({ text: toText(alike), computes: alike.length }));
  const close = "\n\n</details>";
  return [
    { open: tableHead, items: items(loud, rowOf) },
    { open: "", items: errorItems(computes) },
    {
      open: `<details><summary>${countsLine(calm.flat())}</summary>\n\n${tableHead}`,
      items: items(calm, rowOf),
      close,
    },
    {
      open: `<details><summary>Every change${hasWords ? ", and the provider's own words" : ""}</summary>\n`,
      items: items(rows, (alike) => alike.map(detailsOf).join("\n")),
      close,
      isDetail: true,
    },
  ];
}

/** Why the preview stopped at a compute: each reason once, with the computes that it is about. */
function errorItems(computes: readonly ComputeReport[]): readonly { readonly text: string }[] {
  const texts = computes.flatMap(({ label, errors }) => errors.map((text) => ({ label, text })));
  return [...groupBy(texts, ({ text }) => text)].map(([text, about]) => {
    const labels = about.map(({ label }) => label);
    const reason = code(text.replaceAll(/\s+/g, " "), longestError);
    return { text: `- ${labelsLine(labels, quotedName)}: ${reason}` };
  });
}

/** In the order of the report. Computes that change alike stand where the first of them would. */
function rowsOf(computes: readonly ComputeReport[]): readonly Alike[] {
  const groups = groupBy(computes, (compute) => JSON.stringify([compute.now, ...cellsOf(compute)]));
  return [...groups.values()].flatMap((alike): readonly Alike[] =>
    alike.length < fewestAlike ? alike.map((compute) => [compute] as const) : [alike],
  );
}

function rowOf(alike: Alike): string {
  return `| ${[nameCell(alike), ...cellsOf(alike[0])].join(" | ")} |`;
}

/** True if no reviewer needs to look: the compute is new, or it changes without interruption. */
function isCalm({ outcome, drops, drift, unasked }: ComputeReport): boolean {
  const isCalmOutcome = outcome === "none" || outcome === "create";
  return isCalmOutcome && drops === "no" && drift === null && unasked !== true;
}

const mostNames = 200;

/**
 * The name, and what the compute does now. Computes that change alike show their number, with their names folded away.
 */
function nameCell(alike: Alike): string {
  const [{ label: only, now, lastAccess }] = alike;
  if (alike.length === 1) {
    const access = lastAccess === null ? "" : `, ${words(lastAccess, 40)}`;
    const facts = now === null ? "" : `<br><sub>${now}${access}</sub>`;
    return `${quotedName(only)}${facts}`;
  }
  const names = alike.map(({ label }) => quotedName(label));
  const summary = `${alike.length} computes${now === null ? "" : `, ${now}`}`;
  return `<details><summary>${summary}</summary>${someOf(names, mostNames, "and ").join(", ")}</details>`;
}

/** All cells but the name. */
function cellsOf(compute: ComputeReport): readonly string[] {
  const { outcome, certain, drops } = compute;
  const mark = outcome === "adopt" && drops === "yes" ? "🟠" : outcomeTable[outcome].mark;
  const effect = `${certain ? mark : "🟡"} ${labelOf(compute)}`;
  const clients = [
    remarksLine(compute, (value) => code(value, 120)),
    connectionsLine(compute, (value) => code(value, 120)),
  ];
  return [effect, changeCell(compute), present(clients).map(capital).join("<br>")];
}

const mostChangesInCell = 6;

/** The heading of the column makes the verb unnecessary. */
function labelOf(compute: ComputeReport): string {
  if (compute.outcome === "none") return "no interruption";
  const phrase = wholePhraseOf(compute);
  return phrase.startsWith("is ") ? phrase.slice(3) : phrase;
}

function changeCell(compute: ComputeReport): string {
  const shownChange = (change: Difference): string => changeText(change, compute.outcome);
  const lines = present([
    heldBackLine(compute, (text) => code(text, 240)),
    ...changeLines(compute, shownChange),
    ...driftLines(compute, shownChange),
  ]);
  return lines.length === 0 ? "—" : someOf(lines, mostChangesInCell, "… and ").join("<br>");
}

function changeText(difference: Difference, outcome: Outcome): string {
  return `${quotedName(difference.argument)}: ${differenceText(difference, valueText, isNew({ outcome }))}`;
}

/** Our own words are not quoted; foreign values are. */
function valueText(value: Difference["from"]): string {
  const word = wordOf(value);
  return typeof value === "string" && word === value ? code(value, 60) : word;
}

const mostChanges = 40;

function detailsOf(compute: ComputeReport): string {
  const { id, label, notice, outcome, warnings } = compute;
  const said = present([notice ?? undefined, ...warnings]);
  const changes = compute.changes.map((change) => {
    // A new compute has all its values from the start: only the changes that cause the replacement have an effect.
    const isBeside = outcome === "replace" && change.effect !== "replace" && !change.hidden;
    const effect = isNew({ outcome }) || isBeside ? "" : ` (${effectWord(change)})`;
    return `  - ${changeText(change, outcome)}${effect}`;
  });
  return present([
    `- ${quotedName(label)}${id === null || id === "" ? "" : ` (${quotedName(id)})`} ${wholePhraseOf(compute)}`,
    ...someOf(changes, mostChanges, "  - … and "),
    ...driftLines(compute, (change) => changeText(change, outcome))
      .slice(0, mostChanges)
      .map((line) => `  - ${line}`),
    said.length > 0 && `  - The provider: ${code(said.join("; "), 600)}`,
  ]).join("\n");
}
