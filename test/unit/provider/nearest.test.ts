import { nearestOf } from "../../../provider/model/mistakes";

const known = ["onInterruption", "interruptionWindow", "apiKey", "baseUrl", "type", "adopt"];

describe("the name that was meant", () => {
  it.each([
    { name: "onInteruption", meant: "onInterruption", reason: "a letter is missing" },
    { name: "onInterrruption", meant: "onInterruption", reason: "a letter is there twice" },
    { name: "onIntreruption", meant: "onInterruption", reason: "two letters are swapped" },
    { name: "onInterrupsion", meant: "onInterruption", reason: "a letter is another one" },
    { name: "api_key", meant: "apiKey", reason: "another language writes it so" },
    { name: "BASE-URL", meant: "baseUrl", reason: "case and dashes count for nothing" },
    { name: "tpye", meant: "type", reason: "of a short name, one swap" },
    { name: "size", meant: undefined, reason: "of a short name, two letters are too many" },
    { name: "mytype", meant: undefined, reason: "two letters before a short name are too many" },
    { name: "txye", meant: undefined, reason: "one letter moved, and another one came before it" },
    { name: "tpxe", meant: undefined, reason: "one letter moved, and another one came behind it" },
    { name: "colour", meant: undefined, reason: "nothing is near" },
    { name: "", meant: undefined, reason: "there is no name" },
  ])("is $meant for $name: $reason", ({ name, meant }) => {
    expect(nearestOf(name, known)).toBe(meant);
  });

  it("is the nearest of several", () => {
    expect(nearestOf("limitMinCu", ["limitMaxCu", "limitMinCus"])).toBe("limitMinCus");
  });
});
