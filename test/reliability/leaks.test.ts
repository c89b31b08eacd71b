/**
 * The key, looked for in everything that a life with failures leaves behind. `npm test` looks for it in what engine/life leaves.
 */
import path from "node:path";
import { fixedSize } from "../../provider/model/sizes";
import { filesBelow, formsOf, leaksInFiles, leaksInText } from "../support/leaks";
import { useStack } from "../support/stack";
import { variants } from "../support/variants";

/** Each encoding writes it in another way. */
const apiKey = 'key+with/every=kind&of%mark"and\\more<than>one';

describe.each(variants)("with the %s variant, the API key", (variant) => {
  const outputs: string[] = [];

  const pulumi = async (...words: string[]): Promise<void> => {
    const grpcLog = path.join(stack.folder, `grpc-${outputs.length}.json`);
    const options = ["-v=11", "--logtostderr"];
    const { output } = await stack.pulumi([...words, ...options], { PULUMI_DEBUG_GRPC: grpcLog });
    outputs.push(output);
  };

  const stack = useStack({ apiKey, variant }, async ({ projectId }) => {
    const args = { projectId, branchId: stack.emptyBranch(), ...fixedSize(0.25) };
    const declare = (more: object): void => {
      stack.declare({ app: { args: { ...args, ...more } } });
    };
    // A service that quotes what it was sent, and one that is cut off: the two that tempt a client to quote too.
    const quoting = { code: "forbidden", message: `no: Bearer ${apiKey}`, request_id: apiKey };
    stack.emulator.addFault({ kind: "status", status: 403, body: quoting, method: "POST" });
    declare({});
    await pulumi("up", "--yes", "--skip-preview");
    stack.emulator.addFault({ kind: "truncate", method: "POST" });
    await pulumi("up", "--yes", "--skip-preview");
    declare(fixedSize(1));
    await pulumi("preview", "--diff");
    stack.emulator.setTimeline({ endStatus: "failed", times: 1 });
    await pulumi("up", "--yes", "--skip-preview");
    await pulumi("refresh", "--yes", "--skip-preview");
    await pulumi("destroy", "--yes", "--skip-preview");
  });

  it("is in no output and in no log at -v=11", () => {
    expect(outputs.join("\n")).toContain("the service answered 403");
    expect(outputs.flatMap((output, index) => leaksInText(`command ${index}`, output, apiKey))).toEqual([]);
  });

  it("is in no file that the runs left: state, backups, history, gRPC log", () => {
    const files = filesBelow(stack.folder);
    for (const kind of [/\/stacks\//, /\/backups\//, /\/history\//, /\/grpc-\d/])
      expect(files.filter((file) => kind.test(file.replaceAll("\\", "/")))).not.toEqual([]);
    expect(leaksInFiles(files, apiKey)).toEqual([]);
  });
});

it("the API key would be found in every form", () => {
  for (const [form, written] of formsOf(apiKey)) {
    const found = leaksInText("planted", `before ${written} after`, apiKey).map((leak) => leak.form);
    expect(found).toContain(form);
  }
  const inside = Buffer.from(`{"authorization":"Bearer ${apiKey}"}`).toString("base64");
  expect(leaksInText("planted", inside, apiKey)).not.toEqual([]);
});
