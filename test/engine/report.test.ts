/** What the report and the Action make of real previews that change no compute, or none that the program still declares. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { fixedSize } from "../../provider/sizes";
import { asEvents, reportOfPreview } from "../support/previewReport";
import { createStack, variants, type TestStack } from "../support/stack";
import { itUnlessWindows } from "../support/systems";
import { startGitHub } from "../unit/action/gitHub";
import { ownRun } from "../unit/action/jobs";

describe.each(variants)("a preview with the %s variant", (variant) => {
  let stack: TestStack;
  const up = ["up", "--yes", "--skip-preview"];
  const declare = (type: string): void => {
    const args = { projectId: stack.projectId, branchId, type, ...fixedSize(0.25) };
    stack.declare({ app: { args } });
  };
  const computes = (): readonly string[] =>
    stack.emulator.endpoints(stack.projectId).map(({ endpoint }) => endpoint.id);
  let branchId: string;

  beforeAll(async () => {
    stack = await createStack({ variant });
    branchId = stack.emulator.createBranch(stack.projectId, { compute: false }).branch.id;
    declare("read_only");
    await stack.ok(up);
  });
  afterAll(() => stack.close());

  const bash = "the Action's steps are of bash";
  itUnlessWindows(bash, "that changes no compute gets no comment, in any form", async () => {
    const log = path.join(stack.folder, "prod.ndjson");
    const withEvents = ["preview", "--json", "--event-log", log];
    const { stdout: document } = await stack.ok(withEvents, { PULUMI_DEBUG_COMMANDS: "true" });
    const { stdout: events } = await stack.ok(["preview", "--json"], asEvents);
    const forms = [
      { "prod.json": document },
      { "prod.json": events },
      { "prod.ndjson": readFileSync(log), "prod.lines.json": document },
    ];
    for (const files of forms) {
      const github = await startGitHub();
      try {
        const inputs = { previews: Object.keys(files)[0]! };
        const { code, outputs } = await ownRun(github, files, { inputs });
        expect({ code, outputs, comments: github.repository.comments }).toMatchObject({
          code: 0,
          outputs: { stacks: "1", computes: "0" },
          comments: [],
        });
      } finally {
        await github.close();
      }
    }
  });

  it("names what a refused change changes, and its reason once", async () => {
    const args = { projectId: stack.projectId, branchId, type: "read_only", ...fixedSize(1) };
    stack.declare({ app: { args: { ...args, onInterruption: "forbid" } } });
    const { code, stdout } = await stack.pulumi(["preview", "--json"], asEvents);
    const { report, markdown } = reportOfPreview(stdout);
    expect({ isRefused: code !== 0, computes: report.computes }).toMatchObject({
      isRefused: true,
      computes: [{ name: "app", outcome: "refused", heldBack: "size 0.25 → 1 CU" }],
    });
    expect(report.computes[0]?.errors[0]).toMatch(/^restart: size 0.25 → 1 CU drops open connections/);
    expect(markdown.match(/This is forbidden here/g)).toHaveLength(1);
    declare("read_only");
  });

  it("shows as deleted what a replacement could not delete; the document says that it cannot show it", async () => {
    const [old] = computes().filter((id) => stack.emulator.endpoint(id).endpoint.branch_id === branchId);
    stack.emulator.addFault({ kind: "status", status: 400, route: "deleteEndpoint" });
    declare("read_write");
    expect((await stack.pulumi(up)).code).not.toBe(0);
    expect(computes()).toContain(old);

    const report = async (form: NodeJS.ProcessEnv): Promise<ReturnType<typeof reportOfPreview>> =>
      reportOfPreview((await stack.ok(["preview", "--json"], form)).stdout, "--fail-on", "delete");
    const events = await report(asEvents);
    expect(events.code).toBe(20);
    expect(events.report.computes).toMatchObject([{ id: old, outcome: "delete", drops: "yes" }]);
    expect((await report({})).markdown).toMatch(
      /Not shown: .*pending deletions .*which only the events have/,
    );
    await stack.ok(up);
    expect(computes()).not.toContain(old);
  });
});
