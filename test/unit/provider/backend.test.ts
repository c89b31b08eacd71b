import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { backendOf } from "../../../provider/settings/backend";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "compute-backend-")));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** A checkout of a program, with a folder in which it runs. */
function checkout(name: string, file: string, text: string): string {
  const folder = path.join(root, name);
  mkdirSync(path.join(folder, "src"), { recursive: true });
  writeFileSync(path.join(folder, file), text);
  return folder;
}

const address = (...names: readonly string[]): string => `file://${path.join(root, ...names)}`;

/** Nobody has logged in. */
const alone = (): NodeJS.ProcessEnv => ({ PULUMI_HOME: path.join(root, "home") });

describe("the backend of a run", () => {
  it.each([
    { text: "name: app\nbackend:\n  url: file://./state\n", reason: "in a block" },
    { text: "name: app\nbackend: { url: 'file://./state' }\n", reason: "in braces" },
    {
      text: 'name: app\nbackend:\n\n  # here\n  url: "file://state" # beside it\nmain: src\n',
      reason: "quoted",
    },
    {
      text: "backend:\r\n    url:   file://./state/   # a comment\r\nname: app\r\n",
      reason: "with Windows' line ends",
    },
  ])("is what the project says, from its own folder: $reason", ({ text }) => {
    const folder = path.join(checkout("one", "Pulumi.yaml", text), "src");
    expect(backendOf({ ...alone(), PULUMI_PROJECT: "app" }, folder)).toBe(address("one", "state"));
  });

  it("is what a project in JSON says", () => {
    const text = JSON.stringify({ name: "app", backend: { url: "s3://states?region=x" } }, undefined, 2);
    expect(backendOf(alone(), checkout("one", "Pulumi.json", text))).toBe("s3://states?region=x");
  });

  it.each([
    "name: app\n",
    "name: app\nbackend: {}\n",
    "name: app\nbackend:\nurl: file:///not/this\n",
    "{ not JSON",
  ])("is the last login where the project says nothing: %j", (text) => {
    mkdirSync(path.join(root, "home"));
    writeFileSync(path.join(root, "home", "credentials.json"), '{ "current": "https://api.example.com/" }');
    expect(backendOf(alone(), checkout("one", "Pulumi.yaml", text))).toBe("https://api.example.com");
  });

  it("is what the environment says before all others, from the project's folder", () => {
    const folder = path.join(
      checkout("one", "Pulumi.yaml", "name: app\nbackend: { url: file:///elsewhere }\n"),
      "src",
    );
    const named = (url: string): string => backendOf({ ...alone(), PULUMI_BACKEND_URL: url }, folder);
    expect(named("file://./state")).toBe(address("one", "state"));
    expect(named("file:///nowhere/states/")).toBe("file:///nowhere/states");
    expect(named("file:///nowhere/states?no_tmp_dir=true")).toBe("file:///nowhere/states");
    expect(named("file://~")).toBe(`file://${realpathSync(homedir())}`);
    expect(named("file://~/states-of-nobody")).toBe(`file://${path.join(homedir(), "states-of-nobody")}`);
    expect(named("")).toBe("file:///elsewhere");
  });

  it("is two backends in two checkouts of one program, and one by whatever link", () => {
    const text = "name: app\nbackend: { url: file://./state }\n";
    const [one, two] = [checkout("one", "Pulumi.yaml", text), checkout("two", "Pulumi.yaml", text)];
    expect(backendOf(alone(), one)).not.toBe(backendOf(alone(), two));
    mkdirSync(path.join(root, "one", "state"));
    symlinkSync(path.join(root, "one"), path.join(root, "link"), "junction");
    expect(backendOf({ ...alone(), PULUMI_BACKEND_URL: address("link", "state") }, two)).toBe(
      backendOf(alone(), one),
    );
  });

  it("takes no other project for the program's own, in whose folder it runs", () => {
    const folder = checkout("one", "Pulumi.yaml", "name: other\nbackend: { url: file:///others }\n");
    expect(backendOf({ ...alone(), PULUMI_PROJECT: "app" }, folder)).toBe("");
    expect(backendOf(alone(), folder)).toBe("file:///others");
  });
});
