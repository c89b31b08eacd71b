import { changeOf } from "../../../../provider/model/interruption";
import { unknownValue } from "../../../../provider/model/unknown";

it.each<[reason: string, done: unknown, triggers: unknown, text: RegExp | undefined, certain?: boolean]>([
  ["all of the first are new", undefined, { a: 1, b: 2 }, /^restart: restartTriggers \(a, b\) drops/],
  ["all may stay", { a: 1 }, unknownValue, /^may restart: .*known only during/, false],
  ["there may be none", undefined, unknownValue, /^may restart: .*known only during/, false],
  ["it may stay", { a: 1 }, { a: [1, unknownValue] }, /^may restart: .*\(a\)/, false],
  ["b is new, whatever it will be", { a: 1 }, { a: unknownValue, b: unknownValue }, /^restart: .*\(a, b\)/],
  ["a list counts by its values", { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, /\(a\)/],
  ["a list with the same values", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, undefined],
  ["one is removed", { a: 1, b: 1 }, { a: 1 }, undefined],
  ["all are removed", { a: 1 }, undefined, undefined],
])("triggers restart as far as %s: after %j, %j", (...[, done, triggers, text, certain = true]) => {
  const { interruption } = changeOf({ restartTriggers: done }, { restartTriggers: triggers });
  const told = text && { effect: "restart", certain, text: expect.stringMatching(text) as string };
  expect(interruption).toEqual(told);
});
