/**
 * Updates and their previews, for the tests of the report after an update.
 */
import { runCommand } from "../../../preview/command";
import type { Receipt } from "../../../provider/endpoint/receipt";
import { urnOf } from "../../support/variants";

/** The events of an update of one compute per receipt. */
export function events(
  receipts: Readonly<Record<string, Receipt | undefined>>,
  { op = "update", result = "succeeded", failing = [] as readonly string[], stack = "dev" } = {},
): string {
  const steps = Object.entries(receipts).map(([name, receipt]) => {
    const metadata = {
      op,
      urn: urnOf("native", name, stack),
      old: { id: `ep-${name}` },
      new: { id: `ep-${name}`, outputs: { __receipt: receipt } },
    };
    return failing.includes(name) ? { resOpFailedEvent: { metadata } } : { resOutputsEvent: { metadata } };
  });
  const first = {
    resourcePreEvent: { metadata: { op: "same", urn: `urn:pulumi:${stack}::app::pulumi:pulumi:Stack::app` } },
  };
  return [first, ...steps, { summaryEvent: { isPreview: false, result } }]
    .map((event, sequence) => JSON.stringify({ sequence, ...event }))
    .join("\n");
}

/** A preview that restarts these computes, and changes those without an interruption. */
export function preview(restarting: readonly string[], quiet: readonly string[] = [], stack = "dev"): string {
  const step = (name: string, changed: object): object => {
    const args = { projectId: "p", branchId: "br-a", type: "read_only", suspendTimeoutSeconds: 300 };
    const old = { ...args, autoscalingLimitMinCu: 1, autoscalingLimitMaxCu: 1 };
    const managed = Object.keys(old);
    return {
      op: "update",
      urn: urnOf("native", name, stack),
      oldState: {
        id: `ep-${name}`,
        inputs: old,
        outputs: { ...old, endpointId: `ep-${name}`, __managed: managed },
      },
      newState: { inputs: { ...old, ...changed } },
    };
  };
  const steps = [
    ...restarting.map((name) => step(name, { autoscalingLimitMinCu: 2, autoscalingLimitMaxCu: 2 })),
    ...quiet.map((name) => step(name, { suspendTimeoutSeconds: 600 })),
  ];
  return JSON.stringify({ steps, changeSummary: { update: steps.length } });
}

/** What `compute-preview` prints, and how it ends. */
export interface Ending {
  readonly code: number;
  readonly printed: string;
  readonly complained: string;
}

export function runApplied(
  words: readonly string[],
  files: Readonly<Record<string, string | Buffer>>,
): Ending {
  let [printed, complained] = ["", ""];
  const code = runCommand(words, {
    read: (file) => {
      const content = files[file ?? "stdin"] ?? "";
      return typeof content === "string" ? Buffer.from(content) : content;
    },
    list: () => undefined,
    isTerminal: false,
    print: (text) => void (printed += text),
    complain: (text) => void (complained += text),
  });
  return { code, printed, complained };
}
