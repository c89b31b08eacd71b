import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { checkoutFolder } from "../../tools/checkout";

const site = path.join(checkoutFolder, "build/docs");
const textOf = (page: string): string => readFileSync(path.join(site, page), "utf8");

describe("npm run docs", () => {
  beforeAll(() => {
    const command = [
      path.join(checkoutFolder, "tools/bootstrap.js"),
      "node",
      "node_modules/typedoc/bin/typedoc",
    ];
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
    // Its own words, where it fails.
    expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
  }, 240_000);

  it("says at its front what the package is and how to begin, before the picture", () => {
    const places = ["Declare the computes of", "Get started", "media/comment.png"];
    const found = places.map((text) => textOf("index.html").indexOf(text));
    expect(found).toEqual([...found].sort((one, other) => one - other));
    expect(found).not.toContain(-1);
  });

  it("has what comments say of public names", () => {
    expect(textOf("classes/pulumi-compute-endpoint.Endpoint.html")).toContain("A primary of one size");
  });

  it("opens from a file and below any path: it asks nothing of another server or of a root", () => {
    const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".html"),
    );
    expect(pages.length).toBeGreaterThan(50);
    for (const page of pages)
      expect(textOf(page)).not.toMatch(/<(script|link|img)[^>]*(src|href)="https?:|(src|href)="\//);
  });
});
