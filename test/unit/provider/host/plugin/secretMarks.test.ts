import {
  markedLike,
  markSecret,
  secretMembers,
  withoutMarks,
} from "../../../../../provider/host/plugin/secretMarks";
import { unknownValue } from "../../../../../provider/endpoint/planning/unknown";

const secret = markSecret;

describe("a mark", () => {
  it("is the one of the engine's protocol", () => {
    expect(secret("s")).toEqual({
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "s",
    });
  });

  it.each([
    { reason: "a text", marked: secret("s"), plain: "s" },
    { reason: "an unknown value", marked: secret(unknownValue), plain: unknownValue },
    { reason: "a member of a map", marked: { a: { b: secret(1), c: 2 } }, plain: { a: { b: 1, c: 2 } } },
    { reason: "a member of a list", marked: [1, secret(2)], plain: [1, 2] },
    { reason: "a map that holds another", marked: secret({ a: secret(1) }), plain: { a: 1 } },
    { reason: "nothing", marked: secret(null), plain: null },
  ])("is taken off, wherever it is: $reason", ({ marked, plain }) => {
    expect(withoutMarks({ it: marked, open: "o" })).toEqual({ it: plain, open: "o" });
  });

  it("is not taken for what looks like it", () => {
    const others = {
      asset: { "4dabf18193072939515e22adb298388d": "another", value: "s" },
      map: { value: "s" },
    };
    expect(withoutMarks(others)).toEqual(others);
    expect(secretMembers(others)).toEqual([]);
  });
});

describe("the secret members", () => {
  it("are those that are marked, and those that hold a mark", () => {
    const values = {
      branchId: secret("br-a"),
      settings: { pgSettings: { work_mem: "4MB", "ext.token": secret("t") } },
      restartTriggers: { list: [{ of: secret(1) }] },
      projectId: "p",
      nothing: null,
    };
    expect(secretMembers(values)).toEqual(["branchId", "settings", "restartTriggers"]);
  });
});

describe("values marked like others", () => {
  it.each([
    {
      reason: "a member",
      values: { a: "new", b: "o" },
      like: { a: secret("old"), b: "o" },
      marked: { a: secret("new"), b: "o" },
    },
    {
      reason: "one setting of several",
      values: { s: { p: { open: "1", token: "t" } } },
      like: { s: { p: { open: "0", token: secret("t") } } },
      marked: { s: { p: { open: "1", token: secret("t") } } },
    },
    {
      reason: "a map as a whole",
      values: { s: { p: { token: "t" } } },
      like: { s: secret({ p: {} }) },
      marked: { s: secret({ p: { token: "t" } }) },
    },
    {
      reason: "an item of a list",
      values: { l: ["a", "b"] },
      like: { l: ["a", secret("b")] },
      marked: { l: ["a", secret("b")] },
    },
    {
      reason: "what was unknown, and is known now",
      values: { a: "known" },
      like: { a: secret(unknownValue) },
      marked: { a: secret("known") },
    },
    {
      reason: "nothing that is not there",
      values: { b: 1 },
      like: { a: secret("old"), b: { c: secret(1) } },
      marked: { b: 1 },
    },
    {
      reason: "once, where they are marked already",
      values: { a: secret("s"), m: secret({ value: 1 }) },
      like: { a: secret("old"), m: { value: secret(1) } },
      marked: { a: secret("s"), m: secret({ value: 1 }) },
    },
    {
      reason: "a false value",
      values: { a: false, b: 0, c: "" },
      like: { a: secret(true), b: secret(1), c: secret("x") },
      marked: { a: secret(false), b: secret(0), c: secret("") },
    },
  ])("have the mark at the same place: $reason", ({ values, like, marked }) => {
    expect(markedLike(values, like)).toEqual(marked);
    expect(withoutMarks(markedLike(values, like))).toEqual(withoutMarks(values));
  });

  it("have no mark of a member that is undefined", () => {
    expect(Object.keys(markedLike({ a: undefined }, { a: secret("old") }))).toEqual(["a"]);
    expect(markedLike({ a: undefined }, { a: secret("old") })).toEqual({ a: undefined });
  });
});
