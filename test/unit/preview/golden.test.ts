/**
 * Texts that are kept for real previews: the notices in their current wording, the comments, and the page that shows a comment.
 * `GOLDENS=write npx jest unit/preview/golden` writes all of them anew. Read the differences before you commit them.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { changedArguments, managedNames, settingNames } from "../../../provider/model/changes";
import { readInputs } from "../../../provider/model/stored";
import { interruptionOf } from "../../../provider/model/interruption";
import { expectKept, expectShown } from "../../support/kept";
import {
  commentOn,
  fixture,
  fixtureFile,
  fixtureNames,
  fixtureReport,
  goldenFile,
  leaves,
  moves,
  runPreview,
  settles,
  stackOf,
  starts,
} from "./previews";
import { kinds } from "./peers/others";

const golden = (name: string): string => goldenFile(path.parse(name).name);

interface Step {
  readonly oldState?: { readonly inputs: Readonly<Record<string, unknown>> };
  readonly newState?: { readonly inputs?: Readonly<Record<string, unknown>> };
}

/** The notices in a preview, each with what the provider says today. */
function noticesIn(name: string): readonly { readonly kept: string; readonly today: string }[] {
  const { steps } = JSON.parse(fixture(name).toString()) as { steps: readonly Step[] };
  return steps.flatMap(({ oldState, newState }) => {
    // A secret is masked alike before and after the change, so it would seem unchanged.
    const unmasked = JSON.stringify(newState?.inputs ?? {}).replaceAll("[secret]", "[changed]");
    const { args: after } = readInputs(JSON.parse(unmasked) as Record<string, unknown>);
    const kept = newState?.inputs?.["interruption"];
    if (typeof kept !== "string") return [];
    const inputs = readInputs(oldState!.inputs).args;
    const before = { ...inputs, managed: [...managedNames(inputs), ...settingNames(inputs)] };
    const changed = changedArguments(before, after);
    const today = interruptionOf({ before, inputs: after, changed }, { service: "interface" })!.text;
    return [{ kept, today }];
  });
}

const notices = noticesIn("changes.json");

it.each(["changes.json", "changes.ndjson"])("%s has the provider's current wording", (name) => {
  expect(notices.length).toBeGreaterThan(3);
  const kept = fixture(name).toString();
  const today = notices.reduce((text, notice) => text.replaceAll(notice.kept, notice.today), kept);
  expectKept(fixtureFile(name), today);
});

// `changes.ndjson` and `changes.json` have the same comment.
it.each(fixtureNames.filter((name) => name !== "changes.ndjson"))(
  "the comment on %s matches its golden file",
  (name) => {
    expectKept(golden(name), commentOn(fixtureReport(name)));
  },
);

// What `--fail-on` says about other providers' computes and about drift. fixtures/README.md explains the files.
it.each(["drift", "others", "terraform"])(
  "the reports on the files of %s/ match their golden file, and so do both exit codes",
  (folder) => {
    const told = readdirSync(fixtureFile(folder)).map((name) => {
      const file = `${folder}/${name}`;
      const [gate, drift] = [kinds, "drift"].map((failOn) =>
        runPreview(
          [`--fail-on=${failOn}`, "--format=text", file],
          { [file]: fixture(file) },
          { isOneScreen: true },
        ),
      );
      return `# ${name}\n${gate!.out}${gate!.err}exit ${gate!.code}; with --fail-on drift: exit ${drift!.code}\n`;
    });
    expectKept(goldenFile(`${folder}.files`), told.join("\n"));
  },
);

it("docs/pull-requests.md shows the comment on changes.json", () => {
  const [comment] = commentOn(fixtureReport("changes.json")).split("<details>");
  const shown = comment!.split("\n").slice(1).join("\n").trim();
  const place =
    /(?<=golden\.test\.ts compares\. -->\n<!-- prettier-ignore-start -->\n\n)[^]*?(?=\n\n<!-- prettier-ignore-end -->)/;
  expectShown("docs/pull-requests.md", place, shown);
});

it("the comment on several stacks has one headline, then the most serious stack; stacks without changes share one line", () => {
  const files = {
    "dev.json": stackOf("dev", [starts, settles]),
    "calm.json": stackOf("calm", []),
    "prod.json": stackOf("prod", [leaves, moves]),
  };
  const { code, out } = runPreview(Object.keys(files), files);
  expect(code).toBe(0);
  expectKept(golden("stacks"), out);
});
