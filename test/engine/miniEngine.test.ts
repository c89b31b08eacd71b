/**
 * Compares the mini engine with the real one. The same program goes through both, command by command: both plan the same steps,
 * send the same requests, fail with the same words and store the same state.
 */
import { Clock, startEmulator, type Emulator } from "../../emulator";
import { messageOf } from "../../provider/model/errors";
import { fixedSize } from "../../provider/model/sizes";
import { createFakeClock } from "../support/fakeClock";
import { createMiniEngine, type Program } from "../support/miniEngine";
import { nameIn } from "../support/miniEngineSteps";
import { up, useStack, variants, type TestStack } from "../support/stack";

/** A project at the service of either engine, and its branches by letter. */
interface Place {
  readonly projectId: string;
  readonly branches: Readonly<Record<"a" | "b" | "c", string>>;
}

interface Command {
  readonly name: string;
  /** Default: the program of the previous command. */
  readonly program?: (place: Place) => Program;
  /** True: the next start of a compute ends as failed. */
  readonly failsToStart?: true;
  readonly fails?: true;
}

const app = ({ projectId, branches }: Place, cu: number, more: object = {}): Program => ({
  app: { args: { projectId, branchId: branches.a, ...fixedSize(cu), ...more } },
});
const release = { restartTriggers: { release: 1 } };
const other = ({ projectId, branches }: Place, more: object): Program => ({
  other: { args: { projectId, branchId: branches.a, type: "read_only", ...fixedSize(0.25), ...more } },
});

const commands: readonly Command[] = [
  { name: "creates", program: (place) => app(place, 0.25) },
  {
    name: "updates, and creates beside it",
    program: (place) => ({ ...app(place, 0.5), ...other(place, {}) }),
  },
  {
    name: "replaces",
    program: (place) => ({
      ...app(place, 0.5),
      ...other(place, { branchId: place.branches.b, type: "read_write" }),
    }),
  },
  {
    name: "fails to create",
    fails: true,
    program: (place) => ({
      ...app(place, 0.5),
      ...other(place, { branchId: place.branches.b, type: "read_write" }),
      second: { args: { projectId: place.projectId, branchId: place.branches.a, ...fixedSize(0.25) } },
    }),
  },
  { name: "deletes", program: (place) => app(place, 0.5) },
  {
    name: "fails to restart",
    fails: true,
    failsToStart: true,
    program: (place) => app(place, 0.5, release),
  },
  { name: "restarts it again" },
];

/** What one command did. */
interface Did {
  readonly steps: Readonly<Record<string, string>>;
  /** Writes, in any order, because the engine carries steps out side by side. */
  readonly writes: readonly string[];
  readonly kept: readonly string[];
}

function writesIn(emulator: Emulator): readonly string[] {
  const asked = emulator.requests().filter(({ method }) => method !== "GET");
  return asked.map(({ route, status }) => `${route ?? "none"} ${String(status)}`).sort();
}

/** Prepares for a command: computes are active, and the request log is empty. */
function prepare(emulator: Emulator, projectId: string, failsToStart = false): void {
  for (const { endpoint } of emulator.endpoints(projectId)) emulator.connect(endpoint.id);
  if (failsToStart) emulator.setTimeline({ action: "start_compute", endStatus: "failed", times: 1 });
  emulator.clearRequests();
}

function placeIn(emulator: Emulator, projectId: string): Place {
  const branch = (): string => emulator.createBranch(projectId, { compute: false }).branch.id;
  return { projectId, branches: { a: branch(), b: branch(), c: branch() } };
}

/** What the provider said about a failed check, without the mini engine's own words. */
function reasonOf(text: string): string {
  return /^checking the program: (.*?)(?:\. Correct it\.)?$/s.exec(text)?.[1] ?? text;
}

/** Leaves out ids, and the order in which the real engine checks resources that do not depend on each other. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/\b(ep|br)-[\w-]+/g, "$1-x")
    .replaceAll(/\b(project) [\w-]+/g, "$1 x")
    .replaceAll(/request [\w-]+|\([0-9a-f-]{36}\)/g, "")
    .replaceAll(/resource "\w+" and resource "\w+"/g, "resource and resource");
}

describe.each(variants)("the mini engine and the real one, with the %s variant", (variant) => {
  const mini = new Map<string, Did & { readonly words: readonly string[] }>();

  beforeAll(async () => {
    const time = new Clock("manual");
    const emulator = await startEmulator({ clock: time, operationMs: 20 });
    const clock = createFakeClock(time);
    const { url: baseUrl, apiKey } = emulator;
    const engine = createMiniEngine({ baseUrl, apiKey, clock, variant });
    const place = placeIn(emulator, emulator.createProject().project.id);
    clock.advance(10_000);
    let program: Program = {};
    for (const { name, program: next, failsToStart } of commands) {
      program = next?.(place) ?? program;
      clock.advance(600_000);
      prepare(emulator, place.projectId, failsToStart);
      const { steps, failures, failed } = await engine.up(program);
      const done = Object.entries(steps).filter(([one, step]) => step !== "same" && !(one in failed));
      mini.set(name, {
        steps: Object.fromEntries(done),
        writes: writesIn(emulator),
        kept: engine
          .state()
          .map((one) => `${nameIn(one)}${one.isUnfinished ? ", unfinished" : ""}`)
          .sort(),
        words: failures.map((failure) => withoutIds(reasonOf(messageOf(failure)))),
      });
    }
    await emulator.close();
  });

  const stack = useStack({ variant });

  it("do the same in each command of a life", async () => {
    const { emulator } = stack;
    const place = placeIn(emulator, stack.projectId);
    let program: Program = {};
    for (const { name, program: next, fails, failsToStart } of commands) {
      program = next?.(place) ?? program;
      stack.declare(program);
      prepare(emulator, place.projectId, failsToStart);
      const { code, output } = await stack.pulumi(up);
      const writes = writesIn(emulator);
      const { words, ...expected } = mini.get(name)!;
      expect({ name, steps: stepsIn(output), writes, kept: await keptIn(stack) }).toEqual({
        name,
        ...expected,
      });
      expect(code === 0).toBe(fails === undefined);
      expect(words.length > 0).toBe(fails === true);
      for (const text of words) expect(withoutIds(output)).toContain(text);
    }
  });
});

/** The steps that a command prints, by the names of their resources. */
function stepsIn(output: string): Did["steps"] {
  const steps: Record<string, string> = {};
  for (const [, name = "", step = ""] of output.matchAll(
    /compute:(?:index:)?Endpoint (\w+) (created|updated|replaced|deleted)\b(?! (?:replacement|original))/g,
  ))
    steps[name] ??= step;
  return steps;
}

async function keptIn(stack: TestStack): Promise<readonly string[]> {
  const kept = (await stack.resources()).filter(({ urn }) => /compute:(index:)?Endpoint::/.test(urn));
  return kept.map((one) => `${nameIn(one)}${(one.initErrors ?? []).length > 0 ? ", unfinished" : ""}`).sort();
}
