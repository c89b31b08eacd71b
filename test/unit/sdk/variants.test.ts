/** What both variants share, and what must not change between variants or versions. */
import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { startEmulator, type Emulator } from "../../../emulator";
import type { settings } from "../../../provider/settings/table";
import { getEndpoint, listEndpoints } from "../../../sdk";
import { aliasesOfOtherVariant } from "../../../sdk/aliases";
import type { ProviderArgs } from "../../../sdk/native";
import { remoteProvider } from "../../../sdk/remote";

const types = { own: "compute:index:Endpoint", other: "pulumi-nodejs:dynamic/compute:Endpoint" };
const [named, root] = [{ name: "old" }, { parent: pulumi.rootStackResource }];
const foreign = { name: "old", type: "other:index:Type" };
const urnOf = (type: string, name = "old"): string => `urn:pulumi:s::p::${type}::${name}`;

it.each<[reason: string, listed: pulumi.Alias | string, also: pulumi.Alias | string]>([
  ["a name", named, { ...named, type: types.other }],
  ["no parent", root, { ...root, type: types.other }],
  ["a type that the program names stays", foreign, foreign],
  ["a URN", urnOf(types.own), urnOf(types.other)],
  [
    "a URN below a component",
    urnOf(`app:index:Db$${types.own}`, "old::name"),
    urnOf(`app:index:Db$${types.other}`, "old::name"),
  ],
  ["a URN of another type stays", urnOf(`my-${types.own}`), urnOf(`my-${types.own}`)],
])("each alias that the program lists gets an alias of the other variant: %s", (_reason, listed, also) => {
  expect(aliasesOfOtherVariant(types, [listed])).toEqual([{ type: types.other }, also]);
  expect(aliasesOfOtherVariant(types, undefined)).toEqual([{ type: types.other }]);
});

it("an alias that is an output gets an alias of the other variant", async () => {
  const [, also] = aliasesOfOtherVariant(types, [pulumi.output(named)]);
  const alias = await new Promise((resolve) => pulumi.output(also!).apply(resolve));
  expect(alias).toEqual({ ...named, type: types.other });
});

it("the text of the provider never changes: every stored state has it, and another text would be a diff", () => {
  expect(createHash("sha256").update(remoteProvider).digest("hex")).toBe(
    "145eb3fe3c1a910f7113dfcd92334e6c55410634e677bb81dfb219f5607c3701",
  );
});

/** The type of a setting's value. A list stands for one of its words. */
type Taken<Kind> = Kind extends "flag"
  ? boolean
  : Kind extends "count"
    ? number
    : Kind extends readonly (infer Word)[]
      ? Word
      : string;

/** Each setting can be `undefined`, even as the value of an output. */
type OfTable = {
  [Name in keyof typeof settings]: pulumi.Input<Taken<(typeof settings)[Name]["kind"]> | undefined>;
};

type IsSame<One, Other> = [One, Other] extends [Other, One] ? true : false;

/** The types that a program sees must not import the provider's types, which need packages that a program does not install. */
it("a provider in a program takes what the table of settings takes", () => {
  const isSame: IsSame<Required<ProviderArgs>, OfTable> = true;
  expect(isSame).toBe(true);
});

describe("the account of a lookup", () => {
  const emulators: Emulator[] = [];
  afterEach(async () => {
    pulumi.runtime.setAllConfig({});
    await Promise.all(emulators.splice(0).map((emulator) => emulator.close()));
  });

  /** Acts as a run of an inline program of the Automation API, in one process with other runs. */
  async function computesInRun(replicas: number): Promise<number> {
    const emulator = await startEmulator({ operationMs: 0 });
    emulators.push(emulator);
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    pulumi.runtime.setAllConfig({
      "compute:baseUrl": emulator.url,
      "compute:apiKey": emulator.apiKey,
    });
    const { project, branch } = emulator.createProject();
    for (let made = 0; made < replicas; made++)
      emulator.createEndpoint(project.id, { branch_id: branch.id, type: "read_only" });
    return (await listEndpoints({ projectId: project.id })).length;
  }

  it("is that of the program's own stack, even if another program ran in this process before", async () => {
    await expect(computesInRun(0)).resolves.toBe(1);
    await expect(computesInRun(2)).resolves.toBe(3);
  });

  it("hides its key and Pulumi's token in a failure, even if one of them was passed as an id", async () => {
    const token = "pul-0123456789abcdef";
    jest.replaceProperty(process, "env", { ...process.env, PULUMI_ACCESS_TOKEN: token });
    const emulator = await startEmulator({ apiKey: "key-0123456789" });
    emulators.push(emulator);
    pulumi.runtime.setAllConfig({ "compute:baseUrl": emulator.url, "compute:apiKey": emulator.apiKey });
    await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    const projectId = emulator.createProject().project.id;
    for (const endpointId of [token, emulator.apiKey])
      await expect(getEndpoint({ projectId, endpointId })).rejects.toThrow("looking up compute [redacted]: ");
    jest.restoreAllMocks();
  });
});
