/**
 * What one resource adds to a preview, beside the same program without any: loading this package is most of it.
 */
import { createBenchStack, type BenchStack, type Contender } from "./stack";
import { median } from "./median";

interface Times {
  readonly contender: Contender;
  readonly stack: BenchStack;
  readonly withoutMs: number[];
  readonly withMs: number[];
}

/** @returns milliseconds, medians, as text. */
export async function addedToPreview(contenders: readonly Contender[], runs: number): Promise<string> {
  const all: Times[] = [];
  try {
    for (const contender of contenders)
      all.push({ contender, stack: await createBenchStack(contender, {}), withoutMs: [], withMs: [] });
    // In turns, so that what else the machine does meets them alike. The first run fills caches.
    for (let run = 0; run <= runs; run++) {
      for (const { stack, withoutMs, withMs } of all) {
        const without = await previewMs(stack, 0);
        const one = await previewMs(stack, 1);
        if (run > 0) withoutMs.push(without);
        if (run > 0) withMs.push(one);
      }
    }
  } finally {
    for (const { stack } of all) await stack.close();
  }
  const lines = all.map(({ contender, withoutMs, withMs }) => {
    const [without, one] = [median(withoutMs), median(withMs)];
    const figures = [without, one, one - without].map((ms) => ms.toFixed(0).padStart(8));
    return `${contender.padEnd(8)}${figures.join("")}${(one / without).toFixed(2).padStart(8)}`;
  });
  const head = "        without     one   added   ratio";
  return [`Preview of one resource, ms, medians of ${runs} runs`, head, ...lines].join("\n");
}

async function previewMs(stack: BenchStack, count: number): Promise<number> {
  stack.declare({ count, cu: 0.25 });
  return (await stack.pulumi(["preview"])).wallMs;
}
