import { checkInputs, type CheckRules } from "../../../../provider/model/inputs";
import { fixedSize } from "../../../../provider/model/sizes";

const reasonsOf = (args: object, rules: Partial<CheckRules> = {}): readonly string[] =>
  checkInputs(
    { projectId: "calm-river-1", branchId: "br-calm-river-1", ...args },
    { service: "interface", creates: true, ...rules },
  ).failures.map(({ reason }) => reason);

const minCu = "autoscalingLimitMinCu";
const maxCu = "autoscalingLimitMaxCu";
const sizes = "0.25, 0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 CU";
const settings = (pgSettings: unknown): object => ({ settings: { pgSettings } });
const isNone = (name: string): string => `${name} is not an argument of Endpoint.`;

describe("a frequent mistake in a declaration", () => {
  const asText =
    "Calling [toString] on an [Output<T>] is not supported.\n\nTo get the value of an Output<T> as an …";
  const asPythonText =
    "Calling __str__ on an Output[T] is not supported.\n\nTo get the value of an Output[T] as …";
  const isText =
    "is an output that was made a text. Pass the output itself, or join texts with pulumi.interpolate (in Python with pulumi.Output.format)";
  const oneLevel = (inside: string): string => `Write settings: { pgSettings: { ${inside} } }`;

  it.each<[reason: string, says: string, args: object]>([
    ["a size that there is not", `${minCu} and ${maxCu} are 11, but must be one of ${sizes}`, fixedSize(11)],
    ["an id in a template literal", `adopt ${isText}`, { adopt: asText }],
    ["text around it, where any would be taken", `regionId ${isText}`, { regionId: `eu-${asPythonText}` }],
    ["a parameter", `settings.pgSettings.app.host ${isText}`, settings({ "app.host": asText })],
    [
      "parameters at the top",
      `${isNone("pgSettings")} ${oneLevel("work_mem: …")}`,
      { pgSettings: { work_mem: "8MB" } },
    ],
    ["the same in another language", `${isNone("pg_settings")} ${oneLevel("…")}`, { pg_settings: {} }],
    [
      "parameters one level too high",
      `${isNone("settings.work_mem")} ${oneLevel('work_mem: …, "app.token": …')}`,
      { settings: { work_mem: "8MB", "app.token": "s3cret" } },
    ],
    [
      "another spelling",
      `${isNone("settings.pg_settings")} Write settings.pgSettings`,
      { settings: { pg_settings: {} } },
    ],
    [
      "many of them",
      `${isNone("settings.a")} ${oneLevel("a: …, b: …, c: …, …")}`,
      { settings: { a: 1, b: 2, c: 3, d: 4 } },
    ],
  ])("says in one sentence what to write instead of %s", (_reason, says, args) => {
    expect(reasonsOf(args)).toEqual([expect.stringContaining(says)]);
  });

  it("shows no value of a secret size that there is not", () => {
    expect(reasonsOf(fixedSize(11), { secrets: [minCu, maxCu] })).toEqual([
      expect.stringContaining(`${minCu} and ${maxCu} must be one of`),
    ]);
  });
});
