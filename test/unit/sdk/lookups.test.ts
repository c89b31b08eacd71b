import { declarationsOf } from "../../../tools/schema/declarations";

/** Comments of the functions that users call, by name. */
function commentsIn(file: string) {
  const functions = [...declarationsOf(file)].filter(([name]) =>
    /^(get|list)[A-Z][A-Za-z]+(?<!Args)$/.test(name),
  );
  return Object.fromEntries(functions.map(([name, { comment }]) => [name, comment]));
}

describe("the lookups of both variants", () => {
  it("have the same names and the same comments: editors need a comment beside each function", () => {
    const dynamic = commentsIn("sdk/lookups.ts");
    expect(Object.keys(dynamic)).toHaveLength(10);
    expect(commentsIn("sdk/nativeLookups.ts")).toEqual(dynamic);
  });
});
