/** What a release adds to Node and to the plugin's code. test/engine/plugin/executable.test.ts runs an executable. */
import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { manifest } from "../../../tools/checkout";
import { writeChecksums } from "../../../tools/plugin/pack";
import { executableFile, withoutSignature } from "../../../tools/release/executables";
import { checkIntegrity } from "../../../tools/release/fetched";
import { withNode } from "../../../tools/release/materials";
import { nodes, nodeVersion, platforms } from "../../../tools/release/node";
import { textAboutExecutables } from "../../../tools/release/notes";
import { signArchives } from "../../../tools/release/signing";
import { temporaryFolder } from "../../support/temporaryFolder";

it("the executables are for the platforms that the engine names, each from one package of the same Node", () => {
  expect(platforms).toEqual(["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"]);
  const packages = Object.values(nodes);
  expect(new Set(packages.map(({ name }) => name)).size).toBe(platforms.length);
  expect(new Set(packages.map(({ version }) => version))).toEqual(new Set([nodeVersion]));
  expect(executableFile("windows-amd64")).toBe("pulumi-resource-compute.exe");
  expect(executableFile("darwin-arm64")).toBe("pulumi-resource-compute");
  expect(textAboutExecutables).toContain(`Node ${nodeVersion}`);
});

it("a package with another checksum than the pinned one is refused", () => {
  const archive = Buffer.from("archive");
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const pinned = { name: "node-somewhere", version: "1.2.3", integrity };
  checkIntegrity(pinned, archive);
  expect(() => {
    checkIntegrity(pinned, Buffer.from("another archive"));
  }).toThrow("Fetching node-somewhere 1.2.3: npm's archive has the checksum sha512-");
});

it("the bill of materials names Node, as scanners look it up, and each archive that contains it", () => {
  const own = { ref: "pkg:npm/own@1.2.3", dependsOn: ["pkg:npm/zod@4.0.0"] };
  const text = withNode(JSON.stringify({ components: [{ name: "zod" }], dependencies: [own] }), "1.2.3");
  const { components, dependencies } = JSON.parse(text) as {
    readonly components: readonly Readonly<Record<string, unknown>>[];
    readonly dependencies: readonly unknown[];
  };
  expect(components[0]).toEqual({ name: "zod" });
  expect(components[1]).toMatchObject({
    name: "node",
    version: nodeVersion,
    cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`,
  });
  for (const platform of platforms)
    expect(components[1]?.["properties"]).toContainEqual({
      name: "bundled-in",
      value: `pulumi-resource-compute-v1.2.3-${platform}.tar.gz`,
    });
  const all = ["pkg:npm/zod@4.0.0", `pkg:generic/node@${nodeVersion}`];
  expect(dependencies).toEqual([{ ...own, dependsOn: all }]);
});

/** A 64-bit Windows executable as far as its signature goes: header, table of contents, code, signature. */
function windowsExecutable({ after }: { readonly after: string }): Buffer {
  const signature = Buffer.from("signature");
  const executable = Buffer.concat([Buffer.alloc(512), Buffer.from("code"), signature, Buffer.from(after)]);
  executable.writeUInt32LE(0x80, 0x3c);
  executable.writeUInt32LE(516, 0x80 + 24 + 112 + 32);
  executable.writeUInt32LE(signature.length, 0x80 + 24 + 112 + 36);
  return executable;
}

it.each([
  { reason: "at its end, as Windows tools sign", after: "", left: "code" },
  { reason: "before other bytes, which stay", after: "more", left: "codesignaturemore" },
])("a Windows executable loses its signature $reason", ({ after, left }) => {
  const executable = windowsExecutable({ after });
  const unsigned = withoutSignature(executable);
  expect(unsigned.subarray(512).toString()).toBe(left);
  expect(unsigned.readBigUInt64LE(0x80 + 24 + 112 + 32)).toBe(0n);
  // Only the entry in the table differs.
  expect(unsigned.subarray(0, 0x80).equals(executable.subarray(0, 0x80))).toBe(true);
});

it("SHA256SUMS leaves out what is no file of the release", () => {
  const folder = temporaryFolder();
  for (const name of ["archive.tar.gz", "notes.md"]) writeFileSync(path.join(folder, name), name);
  writeChecksums(folder, (name) => name !== "notes.md");
  expect(readdirSync(folder)).toEqual(["SHA256SUMS", "archive.tar.gz", "notes.md"]);
});

const itElsewhere = process.platform === "darwin" ? it.skip : it;
itElsewhere(`signing for macOS is refused elsewhere, for ${manifest.name}`, async () => {
  await expect(signArchives(temporaryFolder())).rejects.toThrow("only a Mac can sign");
});
