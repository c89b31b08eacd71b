/**
 * Comments of members that tables make: such a member has no place of its own for one, and the table says it already.
 */
import type * as typeDoc from "typedoc" with { "resolution-mode": "import" };
import type { Comment, CommentDisplayPart, DeclarationReflection, ProjectReflection } from "typedoc" with {
  "resolution-mode": "import",
};

import { defaultSwitches, switchTable, type SwitchName } from "../../emulator/switches";
import { fields } from "../../provider/fields";

export type TypeDoc = typeof typeDoc;

/** Gives each of them what its table says. Nothing else that is without a comment gets one here. */
export function describeTables(project: ProjectReflection, typedoc: TypeDoc): void {
  const find = (entry: string, name: string): DeclarationReflection => member(member(project, entry), name);
  const args = find("pulumi-compute-endpoint", "EndpointArgs");
  const facts = find("pulumi-compute-endpoint", "EndpointFacts");
  const answered = find("pulumi-compute-endpoint/emulator", "WireEndpoint");
  for (const [name, field] of Object.entries(fields)) {
    const told = args.children?.find((child) => child.name === name)?.comment;
    if (!("wire" in field) || told === undefined) continue;
    for (const [of, called] of [
      [facts, name],
      [answered, field.wire],
    ] as const) {
      const fact = of.children?.find((child) => child.name === called);
      if (fact !== undefined && !fact.hasComment())
        fact.comment = new typedoc.Comment(withoutLastParagraph(told));
    }
  }
  describeSwitches(find("pulumi-compute-endpoint/emulator", "Switches"), typedoc);
  const table = find("pulumi-compute-endpoint/emulator", "switchTable");
  // Its rows are what `Switches` tells, member by member.
  if (table.type?.type === "reflection") project.removeReflection(table.type.declaration);
  table.type = new typedoc.UnknownType(
    "{ readonly [Name in SwitchName]: { meaning, why, values | range, default } }",
  );
}

function member(of: ProjectReflection | DeclarationReflection, name: string): DeclarationReflection {
  const found = of.children?.find((child) => child.name === name);
  if (found === undefined) throw new Error(`Building the site: ${of.name} has no ${name}.`);
  return found;
}

/** Only the argument says what changing it does, not the output. */
function withoutLastParagraph({ summary }: Comment): CommentDisplayPart[] {
  const at = summary.findLastIndex((part) => part.kind === "text" && part.text.includes("\n\n"));
  const last = summary[at];
  if (last === undefined) return summary;
  const text = last.text.slice(0, last.text.lastIndexOf("\n\n"));
  return [...summary.slice(0, at), { kind: "text", text }];
}

function describeSwitches(switches: DeclarationReflection, typedoc: TypeDoc): void {
  for (const row of switches.children ?? []) {
    const name = row.name as SwitchName;
    const { meaning, why } = switchTable[name];
    const text = `${meaning} Default: ${JSON.stringify(defaultSwitches[name])}. ${why}`;
    row.comment = new typedoc.Comment([{ kind: "text", text }]);
  }
}
