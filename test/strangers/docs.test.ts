import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { inflateSync } from "node:zlib";
import { checkoutFolder } from "../../tools/checkout";

const site = path.join(checkoutFolder, "build/docs");
const textOf = (page: string): string => readFileSync(path.join(site, page), "utf8");

describe("npm run docs", () => {
  beforeAll(() => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(checkoutFolder, "tools/bootstrap.js"), "docs"],
      { encoding: "utf8" },
    );
    // Its own words, where it fails.
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^build\/docs: \d+ examples, \d+ pages, \d+ links, 0 of them broken$/m);
  }, 240_000);

  it("has the reference, the pages and the README at its front", () => {
    expect(textOf("index.html")).toContain("Declare the computes of a managed Postgres service");
    expect(textOf("documents/reference.html")).toContain("autoscalingLimitMinCu");
    expect(textOf("classes/pulumi-compute-endpoint.Endpoint.html")).toContain("A primary of one size");
    expect(existsSync(path.join(site, "modules/pulumi-compute-endpoint_native.html"))).toBe(true);
  });

  it("finds names by their search", () => {
    const packed = /"([^"]*)"/.exec(textOf("assets/search.js"))![1]!;
    const { rows } = JSON.parse(inflateSync(Buffer.from(packed, "base64")).toString()) as {
      rows: readonly { name: string; url: string }[];
    };
    expect(rows).toContainEqual(
      expect.objectContaining({ name: "fixedSize", url: "functions/pulumi-compute-endpoint.fixedSize.html" }),
    );
  });

  it("leads with the guides, and with how to start", () => {
    const packed = /"([^"]*)"/.exec(textOf("assets/navigation.js"))![1]!;
    const groups = JSON.parse(inflateSync(Buffer.from(packed, "base64")).toString()) as {
      text: string;
      children: readonly { text: string; path: string }[];
    }[];
    expect(groups[0]).toMatchObject({ text: "Guides" });
    expect(groups[0]!.children[0]).toMatchObject({ text: "Get started", path: "documents/get-started.html" });
    expect(textOf("index.html")).toContain('localStorage.setItem("tsd-accordion-Guides", "true")');
  });

  it("tells of members that tables make what the tables say", () => {
    expect(textOf("interfaces/pulumi-compute-endpoint.EndpointFacts.html")).toContain(
      "Seconds without activity after which the compute suspends",
    );
    expect(textOf("interfaces/pulumi-compute-endpoint_emulator.Switches.html")).toContain(
      "Autosuspend delay, in seconds, of a compute whose own setting is 0. Default: 300.",
    );
  });

  it("asks nothing of another server: its styles and scripts are its own", () => {
    expect(textOf("index.html")).not.toMatch(/<(script|link|img)[^>]*(src|href)="https?:/);
  });
});
