/** The packages of a release for Python and Go: what they contain, and that they always have the same bytes. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { packSdks } from "../../tools/release/sdks";
import { manifest } from "../../tools/checkout";
import { pip, pythonOf, run } from "../support/preparing";
import { temporaryFolder } from "../support/temporaryFolder";

const folder = temporaryFolder();
const [first, second] = ["first", "second"].map((name) => path.join(folder, name)) as [string, string];
const { name, version } = manifest;
const wheel = `pulumi_compute_endpoint-${version}-py3-none-any.whl`;
const sdist = `pulumi_compute_endpoint-${version}.tar.gz`;

beforeAll(async () => {
  for (const made of [first, second]) {
    mkdirSync(made);
    await packSdks(made, `${made}-staging`);
  }
});

it("are a wheel and a source archive for Python, and the module for Go, with the same bytes each time", () => {
  const files = [wheel, sdist, `${name}-sdk-go-${version}.tar.gz`];
  expect(readdirSync(first).sort()).toEqual([...files].sort());
  for (const file of files)
    expect(readFileSync(path.join(first, file)).equals(readFileSync(path.join(second, file)))).toBe(true);
});

it.each([wheel, sdist])("%s installs with pip, and shows the quickstart in Python", (file) => {
  const environment = path.join(folder, `venv-${path.extname(file)}`);
  run("there is no module venv for Python", ["python3", "-m", "venv", environment]);
  run("pip cannot install it", [...pip(environment), path.join(first, file)]);
  const script = [
    "import importlib.metadata as metadata, pulumi_compute_endpoint as compute",
    "told = metadata.metadata('pulumi_compute_endpoint')",
    "print(compute.Endpoint.__name__, told['Version'], 'import pulumi_compute_endpoint as compute' in str(told))",
  ];
  const told = run("the package cannot be imported", [pythonOf(environment), "-c", script.join("\n")]);
  expect(told.trim()).toBe(`Endpoint ${version} True`);
});
