import { reportOf } from "../../../../preview/judge/report";
import { readPreview } from "../../../../preview/read/preview";
import { toMarkdown } from "../../../../preview/render/markdown";
import { createFakeClock } from "../../../support/fakeClock";
import { openHandlers } from "../../../support/providerHandlers";
import { variants, type Variant } from "../../../support/variants";

const urn = "urn:pulumi:dev::app::compute:index:Endpoint::db";

/** The price from the configuration to the report, by way of the preview: through the handlers of each variant. */
async function previewed(variant: Variant, price: string | undefined): Promise<Record<string, unknown>> {
  const handlers = openHandlers({
    variant,
    clock: createFakeClock(),
    stack: {
      "compute:apiKey": "k",
      "compute:baseUrl": "http://127.0.0.1:1",
      "compute:liveFacts": "false",
      ...(price === undefined ? {} : { "compute:pricePerCuHour": price }),
    },
  });
  const size = { autoscalingLimitMinCu: 0.25, autoscalingLimitMaxCu: 1 };
  const args = { projectId: "p", branchId: "br-a", type: "read_write", ...size, suspendTimeoutSeconds: -1 };
  const { inputs } = await handlers.check({}, { ...args, __urn: urn, __dryRun: true });
  return inputs;
}

function commentOn(inputs: Record<string, unknown>): string {
  const newState = { urn, type: "compute:index:Endpoint", custom: true, inputs, outputs: inputs };
  const json = JSON.stringify({ steps: [{ op: "create", urn, newState }], changeSummary: { create: 1 } });
  return toMarkdown(reportOf(readPreview(Buffer.from(json))), { maxLength: 65_536 });
}

describe.each(variants)("compute:pricePerCuHour, with the %s variant", (variant) => {
  it.each([
    {
      price: "0.16 USD",
      told: "CU-hours a month: 0 → 182.5–730 (0.00 USD → 29.20–116.80 USD); 1 never suspends.",
    },
    { price: undefined, told: "CU-hours a month: 0 → 182.5–730; 1 never suspends." },
  ])("makes of $price in the headline: $told", async ({ price, told }) => {
    expect(commentOn(await previewed(variant, price))).toContain(told);
  });

  it("fails each run where it cannot be read, with its place, its value and the fix", async () => {
    await expect(previewed(variant, "16 cents")).rejects.toThrow(
      /compute:pricePerCuHour: it is "16 cents"\. Set it to a number of at least 0.*0\.16 USD/,
    );
  });
});
