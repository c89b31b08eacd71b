"use strict";

/**
 * The packages that bundles contain, according to the bundler (esbuild's metafile): their licences, which the bundles
 * must keep, and the bill of materials of what users run.
 */
const fs = require("node:fs");
const path = require("node:path");

const root = path.join(__dirname, "..", "..");

/**
 * The packages in a bundle, by name.
 *
 * @param metafile - of a build with one output.
 */
function packagesIn(metafile) {
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = inputs.flatMap(([file]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)].map(readPackage).sort(byName);
}

function byName(left, right) {
  return left.purl < right.purl ? -1 : left.purl > right.purl ? 1 : 0;
}

function readPackage(folder) {
  const inside = path.join(root, folder);
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(inside, "package.json"), "utf8"));
  const textOf = (file) => fs.readFileSync(path.join(inside, file), "utf8");
  const files = fs.readdirSync(inside).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
  // Some packages have their licence at the end of their README.
  const inReadme = () => /^## licen[cs]e$([^]*Copyright[^]*)/im.exec(textOf("README.md"))?.slice(1) ?? [];
  const texts = files.length > 0 ? files.sort().map(textOf) : inReadme();
  if (texts.length === 0) throw new Error(`${name} ${version} is bundled, but its package has no licence`);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { name, version, license, purl, folder, text: texts.map(cleaned).join("\n\n") };
}

/** The text with the same bytes on every system, and without anything that would end a comment. */
function cleaned(text) {
  return text
    .replaceAll("\r\n", "\n")
    .replace(/[^\S\n]+$/gm, "")
    .replaceAll("*/", "* /")
    .replace(/^\n+|\n+$/g, "");
}

/** A comment for the end of a bundle: the licence of each package in it. Equal texts appear once. */
function noticesOf(packages) {
  if (packages.length === 0) return "";
  const texts = [...new Set(packages.map(({ text }) => text))];
  const parts = texts.map((text) => {
    const names = packages.filter((each) => each.text === text).map((each) => `${each.name} ${each.version}`);
    return `${names.join(", ")}\n\n${text}\n`;
  });
  return `/*! Licences of the packages in this file.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}*/\n`;
}

/**
 * The bill of materials (CycloneDX) of the bundled packages. It has no time and no serial number, so the same code
 * gives the same text.
 *
 * @param bundles - each with the file as users have it, and its packages.
 */
function materialsOf(bundles) {
  const { name, version, license } = require("../../package.json");
  const component = componentOf({ name, version, license, purl: `pkg:npm/${name}@${version}` });
  const all = new Map(bundles.flatMap(({ packages }) => packages.map((each) => [each.purl, each])));
  const components = [...all.values()].sort(byName).map((each) => ({
    ...componentOf(each),
    scope: "required",
    hashes: hashesOf(each.folder),
    properties: bundles
      .filter(({ packages }) => packages.some(({ purl }) => purl === each.purl))
      .map(({ file }) => ({ name: "bundled-in", value: file })),
  }));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { lifecycles: [{ phase: "build" }], component },
    components,
    dependencies: [{ ref: component.purl, dependsOn: components.map(({ purl }) => purl) }],
  };
}

function componentOf({ name, version, license, purl }) {
  return { type: "library", name, version, "bom-ref": purl, purl, licenses: licensesOf(license) };
}

function licensesOf(license) {
  return /[ (]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** The hash of the package's archive, as package-lock.json pins it. */
function hashesOf(folder) {
  const { packages } = require("../../package-lock.json");
  // The folder may be a link to the node_modules of another checkout.
  const pinned = packages[folder.slice(folder.indexOf("node_modules/"))];
  const [algorithm, digest] = (pinned?.integrity ?? "").split("-");
  if (algorithm !== "sha512") throw new Error(`package-lock.json pins no SHA-512 of ${folder}`);
  return [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }];
}

module.exports = { materialsOf, noticesOf, packagesIn };
