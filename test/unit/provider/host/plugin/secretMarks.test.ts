/** Marks in values that no declaration of ours has: whatever a program passes. */
import {
  markedLike,
  markSecret as secret,
  secretMembers,
  withoutMarks,
} from "../../../../../provider/host/plugin/propertyValues";

it("takes marks off wherever they are, also within another mark, and nothing that looks like one", () => {
  const marked = { list: [1, secret(2)], map: { a: { b: secret({ c: secret("s") }) } } };
  expect(withoutMarks(marked)).toEqual({ list: [1, 2], map: { a: { b: { c: "s" } } } });
  const other = { asset: { "4dabf18193072939515e22adb298388d": "another", value: "s" }, map: { value: "s" } };
  expect(withoutMarks(other)).toEqual(other);
  expect(secretMembers(other)).toEqual([]);
});

it("names the members that hold a mark anywhere", () => {
  const values = { branchId: secret("br-a"), settings: { list: [{ of: secret(1) }] }, nothing: null };
  expect(secretMembers(values)).toEqual(["branchId", "settings"]);
});

it("marks items of lists and false values like others, and nothing twice", () => {
  const values = { l: ["a", "b"], f: false, u: undefined, m: secret({ value: 1 }) };
  const like = { l: ["a", secret("b")], f: secret(true), u: secret("old"), m: { value: secret(1) } };
  expect(markedLike(values, like)).toEqual({ ...values, l: ["a", secret("b")], f: secret(false) });
});
