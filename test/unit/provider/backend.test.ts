import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { backendOf, hasOrganizations } from "../../../provider/settings/backend";
import { temporaryFolder } from "../../support/temporaryFolder";

let root: string;

beforeEach(() => {
  root = temporaryFolder();
});

/** A checkout of a program. */
function checkout(name: string): string {
  const folder = path.join(root, name);
  mkdirSync(path.join(folder, "state"), { recursive: true });
  return folder;
}

const address = (...names: readonly string[]): string => `file://${path.join(root, ...names)}`;

/** Nobody has logged in. */
const alone = (): NodeJS.ProcessEnv => ({ PULUMI_HOME: path.join(root, "home") });

describe("the backend of a run", () => {
  it("is that of the last login, and none without a login", () => {
    expect(backendOf(alone())).toBe("");
    mkdirSync(path.join(root, "home"));
    writeFileSync(path.join(root, "home", "credentials.json"), '{ "current": "https://api.example.com/" }');
    expect(backendOf(alone())).toBe("https://api.example.com");
    expect(backendOf({ ...alone(), PULUMI_BACKEND_URL: "" })).toBe("https://api.example.com");
    expect(backendOf({ ...alone(), PULUMI_BACKEND_URL: "s3://states?region=x" })).toBe(
      "s3://states?region=x",
    );
  });

  it("is that of the project's file before that of the last login, and after that of the environment", () => {
    const folder = checkout("one");
    const write = (text: string): void => {
      writeFileSync(path.join(folder, "Pulumi.yaml"), `name: app\n${text}runtime: nodejs\n`);
    };
    const inProgram = (environment = {}): string =>
      backendOf({ ...alone(), ...environment }, path.join(folder, "state"));
    write("");
    expect(inProgram()).toBe("");
    write("backend:\n  # of the team\n  url: s3://states?region=x\n");
    expect(inProgram()).toBe("s3://states?region=x");
    write('backend: { url: "https://api.example.com/" }\n');
    expect(inProgram()).toBe("https://api.example.com");
    expect(inProgram({ PULUMI_BACKEND_URL: "s3://others" })).toBe("s3://others");
    write("description: |\n  backend:\n    url: s3://none\n");
    expect(inProgram()).toBe("");
  });

  it.each([
    { backend: "", several: true },
    { backend: "https://api.pulumi.com", several: true },
    { backend: "s3://states", several: false },
    { backend: "postgres://states", several: false },
    { backend: "file:///states", several: false },
  ])("has several organisations: $several, $backend", ({ backend, several }) => {
    expect(hasOrganizations(backend)).toBe(several);
  });

  it("is a folder by its whole path, from where the program runs", () => {
    const folder = checkout("one");
    const named = (url: string): string => backendOf({ ...alone(), PULUMI_BACKEND_URL: url }, folder);
    expect(named("file://./state")).toBe(address("one", "state"));
    expect(named("file:///nowhere/states/")).toBe("file:///nowhere/states");
    expect(named("file:///nowhere/states?no_tmp_dir=true")).toBe("file:///nowhere/states");
    expect(named("file://~")).toBe(`file://${realpathSync(homedir())}`);
    expect(named("file://~/states-of-nobody")).toBe(`file://${path.join(homedir(), "states-of-nobody")}`);
  });

  it("is two backends in two checkouts of one program, and one by whatever link", () => {
    const [one, two] = [checkout("one"), checkout("two")];
    const inState = { ...alone(), PULUMI_BACKEND_URL: "file://./state" };
    expect(backendOf(inState, one)).not.toBe(backendOf(inState, two));
    symlinkSync(one, path.join(root, "link"), "junction");
    expect(backendOf({ ...alone(), PULUMI_BACKEND_URL: address("link", "state") }, two)).toBe(
      backendOf(inState, one),
    );
  });
});
