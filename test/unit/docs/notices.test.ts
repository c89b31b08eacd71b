import { readFileSync } from "node:fs";
import path from "node:path";
import { reportOf } from "../../../preview/judge/report";
import { readPreview } from "../../../preview/read/preview";
import { toMarkdown } from "../../../preview/render/markdown";
import { readConfig } from "../../../provider/settings/config";
import { changedArguments, managedNames } from "../../../provider/pure/changes";
import { checkEndpoint } from "../../../provider/endpoint/planning/check";
import { changeOf, decideOn } from "../../../provider/pure/plan";
import { trackPrimaries } from "../../../provider/endpoint/planning/primaries";
import { interruptionOf, rowText } from "../../../provider/pure/verdict";
import type { ArgumentName } from "../../../provider/pure/fields";
import { readInputs } from "../../../provider/pure/stored";
import { causeOf, interruptionBy } from "../../../provider/pure/restartCause";
import { ownershipWith } from "../../support/ownership";
import { computeSizes, fixedSize } from "../../../provider/pure/sizes";

const fileOf = (file: string): string => path.join(__dirname, "..", "..", "..", file);
const readme = readFileSync(fileOf("README.md"), "utf8");
const declared = { projectId: "p-1", branchId: "br-1", type: "read_write" };

/** What a check says of a resize, of a compute that is idle unless `running` says otherwise. */
function checkResize(
  environment: NodeJS.ProcessEnv,
  {
    nowMs,
    isAsked,
    running = "idle",
    configuration = {},
  }: {
    readonly nowMs: number;
    readonly isAsked: boolean;
    readonly running?: "active" | "idle";
    readonly configuration?: Readonly<Record<string, string>>;
  },
): ReturnType<typeof checkEndpoint> {
  const endpoint = {
    id: "ep-1",
    project_id: "p-1",
    branch_id: "br-1",
    type: "read_write",
    current_state: running,
    autoscaling_limit_min_cu: 0.25,
    autoscaling_limit_max_cu: 0.25,
  } as never;
  const row = { say: () => Promise.resolve(), progress: () => undefined };
  return checkEndpoint(
    {
      stored: { ...declared, ...fixedSize(0.25) },
      inputs: { ...declared, ...fixedSize(1) },
      resource: { id: "urn:app", title: "app", secrets: [], row },
      isPreview: true,
    },
    {
      config: readConfig((key) => configuration[key], {
        COMPUTE_API_KEY: "k",
        COMPUTE_BASE_URL: "http://127.0.0.1:1",
        ...environment,
      }),
      liveReads: {
        readLive: () => Promise.resolve(isAsked ? { kind: "found", endpoint } : { kind: "unsure" }),
        listLive: () => Promise.resolve(undefined),
        serviceNow: () => nowMs,
      },
      ownership: ownershipWith(),
      primaries: trackPrimaries(),
      pause: () => Promise.resolve(),
      isBegun: () => Promise.resolve(false),
      unfinished: () => Promise.resolve(undefined),
      now: () => nowMs,
    },
  );
}

describe("docs/interruptions.md", () => {
  it("shows a forbidden interruption as it is printed", () => {
    const config = readConfig((key) => (key === "compute:onInterruption" ? "forbid" : undefined), {});
    const idle = { service: "interface", now: { running: "idle" } } as const;
    const change = changeOf({ ...fixedSize(0.25) }, { ...fixedSize(1) }, idle);
    const { what, fix } = decideOn(change, { config, nowMs: 0 }).refusal!;
    const page = readFileSync(fileOf("docs/interruptions.md"), "utf8");
    expect(page).toContain(`error: changing compute ep-cool-name-123456: ${what}. ${fix}.\n`);
  });
});

describe("the README", () => {
  it("counts the pairs of sizes that its proof goes through", () => {
    const count = computeSizes("interface").length;
    const pairs = (count * (count + 1)) / 2;
    expect(readme).toContain(`all ${(pairs ** 2).toLocaleString("en")} pairs of sizes`);
    const proof = readFileSync(fileOf("test/unit/provider/truth.test.ts"), "utf8");
    expect(proof).toContain(`(${pairs} * ${pairs}) / every`);
  });
});

/** Behind the header, as tools/pictures/comment.mjs puts it. */
function commentIn(picture: string): string {
  const png = readFileSync(fileOf(`docs/images/${picture}.png`));
  expect(png.toString("latin1", 1, 4)).toBe("PNG");
  // Small enough for a page.
  expect(png.length).toBeLessThan(200_000);
  return png.toString("utf8", 33 + 8 + "Comment\0\0\0\0\0".length, 33 + 8 + png.readUInt32BE(33));
}

describe("the picture of a comment on a plan of Terraform", () => {
  const plan = JSON.parse(readFileSync(fileOf("test/unit/preview/fixtures/terraform/neon.json"), "utf8")) as {
    resource_changes: { address: string }[];
  };
  const shown = plan.resource_changes.filter(({ address }) => !/^module|tuned$/.test(address));

  it("has the words of today (else: npm run picture -- terraform)", () => {
    const bytes = Buffer.from(JSON.stringify({ ...plan, resource_changes: shown }));
    const report = reportOf(readPreview(bytes), ["restart"]);
    expect(commentIn("terraform")).toBe(toMarkdown(report, { maxLength: 65_536 }).trim());
    expect(readme).toContain(`![A comment on a plan of Terraform. Refused: ${report.verdict.line}.]`);
  });
});

describe("the picture of a comment", () => {
  const comment = commentIn("comment");

  it("shows three stacks with eight computes", () => {
    expect(comment.match(/^- `compute-pull-request\//gm)).toHaveLength(3);
    expect(comment.match(/^#### `/gm)).toHaveLength(3);
    expect(comment.match(/^\| `(app|jobs|reports)`(<br>| \|)/gm)).toHaveLength(8);
  });

  it("is told in words where it cannot be seen", () => {
    const [, verdict, advice] = /^### 🟠 (.+)\n\n(.+)$/m.exec(comment)!;
    expect(readme).toContain(`![A comment on a pull request. ${verdict!}. ${advice!}]`);
  });

  it("has the words of today (else: npm run picture -- comment)", () => {
    const changed: ArgumentName[] = ["autoscalingLimitMinCu", "autoscalingLimitMaxCu"];
    const notice = interruptionOf(
      { ...fixedSize(0.25) },
      { ...fixedSize(1) },
      { changed, service: "interface" },
    );
    expect(comment).toContain(`The provider: \`${notice!.text}\``);
    expect(comment).toContain("| Compute | Effect | Change | Clients notice |");
  });
});

describe("the preview that docs/compute-preview.md shows", () => {
  interface Side {
    readonly inputs?: Readonly<Record<string, unknown>>;
  }
  const { steps } = JSON.parse(readFileSync(fileOf("test/unit/preview/fixtures/changes.json"), "utf8")) as {
    steps: { urn: string; oldState?: Side; newState?: Side }[];
  };
  const noticed = steps.filter(({ newState }) => newState?.inputs?.["interruption"] !== undefined);

  it.each(noticed.map((step) => ({ name: step.urn.split("::").at(-1), ...step })))(
    "has today's words on $name",
    ({ oldState, newState }) => {
      // Secrets are masked alike on both sides; this one changed.
      const unmasked = JSON.stringify(newState!.inputs).replaceAll("[secret]", "[changed]");
      const { args: after, hidden } = readInputs(JSON.parse(unmasked) as Record<string, unknown>);
      const inputs = readInputs(oldState!.inputs!).args;
      const before = { ...inputs, managed: managedNames(inputs) };
      const changed = changedArguments(before, after);
      const told = interruptionOf(before, after, { changed, service: "interface" });
      expect(told?.text).toBe(hidden.interruption);
    },
  );
});

describe("docs/interruptions.md on restarts", () => {
  it("shows the notice of a restart as it is printed", () => {
    const cause = causeOf({ triggers: { release: 1 } }, { triggers: { release: 2 } });
    const notice = rowText({
      property: "interruption",
      ...interruptionBy(cause!),
      now: { running: "active" },
    });
    expect(readFileSync(fileOf("docs/interruptions.md"), "utf8")).toContain(`\nwarning: ${notice}\n`);
  });
});

describe("docs/interruptions.md on what waits", () => {
  const page = readFileSync(fileOf("docs/interruptions.md"), "utf8");

  it.each([{ running: "active" as const }, { running: "idle" as const }])(
    "shows the notice of a compute that is $running as it is printed",
    async ({ running }) => {
      const checked = await checkResize(
        { COMPUTE_ON_INTERRUPTION: "defer" },
        { nowMs: 0, isAsked: true, running },
      );
      expect(page).toContain(`\nwarning: ${rowText({ ...checked.notice!, now: { running } })}\n`);
    },
  );
});

describe("docs/maintenance-windows.md", () => {
  it("shows what waits as it is printed", async () => {
    const environment = {
      COMPUTE_ON_INTERRUPTION: "defer",
      COMPUTE_INTERRUPTION_WINDOW: "Sat,Sun 02:00-04:00 Europe/Berlin",
    };
    const nowMs = Date.parse("2026-11-23T12:00:00Z");
    const { notice } = await checkResize(environment, { nowMs, isAsked: true, running: "active" });
    const page = readFileSync(fileOf("docs/maintenance-windows.md"), "utf8");
    expect(page).toContain(`\nwarning: deferred ${notice?.text}\n`);
  });
});
