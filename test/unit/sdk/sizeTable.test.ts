import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../sdk";
import * as native from "../../../sdk/native";

afterEach(() => {
  delete process.env["COMPUTE_SIZE_TABLE"];
  pulumi.runtime.setConfig("compute:sizeTable", "");
});

describe.each([
  { variant: "pulumi-compute-endpoint", sdk: dynamic },
  { variant: "pulumi-compute-endpoint/native", sdk: native },
])("the configured table of $variant", ({ sdk }) => {
  const { autoscaling, computeSize, configuredSizeTable, fixedSize, maxConnections } = sdk;

  it("is the interface's where none is configured", () => {
    expect(computeSize(1, configuredSizeTable())).toEqual(computeSize(1));
    expect(maxConnections(autoscaling(0.25, 2), configuredSizeTable())).toBe(112);
  });

  it("is that of the stack, and the environment's where the stack has none", () => {
    pulumi.runtime.setConfig("compute:sizeTable", "neon");
    expect(computeSize(1, configuredSizeTable())?.maxConnections).toBe(419);
    expect(maxConnections(autoscaling(0.25, 2), configuredSizeTable())).toBe(839);
    process.env["COMPUTE_SIZE_TABLE"] = '[{"cu":1,"maxConnections":7}]';
    expect(maxConnections(fixedSize(1), configuredSizeTable())).toBe(419);
    pulumi.runtime.setConfig("compute:sizeTable", "");
    expect(maxConnections(fixedSize(1), configuredSizeTable())).toBe(7);
  });

  it("is refused as the provider refuses it", () => {
    pulumi.runtime.setConfig("compute:sizeTable", "neom");
    expect(() => configuredSizeTable()).toThrow(
      /^reading the configuration compute:sizeTable: it is "neom", which is neither .*\. Set it to interface, neon or .*\.$/,
    );
  });
});
