/**
 * The small world in place of the emulator, its disk in place of a real one and its sockets in place of undici's: the same
 * commands through both ask, say and leave the same.
 */
import { Clock, startEmulator, type FaultEffect } from "../../../emulator";
import { messageOf } from "../../../provider/errors";
import { createFakeClock } from "../../support/fakeClock";
import { createMiniEngine, type RunResult } from "../../support/miniEngine";
import { spoiledOutcomes } from "./answers";
import { loadExplorer } from "./load";
import { plainWorlds, troublesInTime } from "./settings";
import { alive, declaredCu, make, otherCu, worldOf, type Setting, type SmallWorld } from "./smallWorld";

interface Scenario {
  readonly name: string;
  /** What becomes of the first POST, as the small world calls it, and the emulator's fault for it. */
  readonly spoiled?: { readonly name: string; readonly fault: FaultEffect };
  /** The size of what a stranger has made before. */
  readonly strangerCu?: number;
}

const lost = "and it was carried out";
const open = "and it was not carried out so far";

const scenarios: readonly Scenario[] = [
  { name: "nothing goes wrong" },
  { name: "a stranger was there before", strangerCu: otherCu },
  ...[408, 425, 500, 502, 503, 504].flatMap((status): Scenario[] => [
    spoil(`${status} is answered, ${lost}`, { kind: "status", status, when: "after" }),
    spoil(`${status} is answered, ${open}`, { kind: "status", status }),
  ]),
  // In the service's own form: what something between answers instead may have been carried out.
  ...[400, 401, 409].map((status) =>
    spoil(`${status} is answered`, { kind: "status", status, body: { code: "REFUSED", message: "refused" } }),
  ),
  spoil(`the connection is reset, ${lost}`, { kind: "cut", when: "after" }),
  spoil(`the connection is reset, ${open}`, { kind: "cut", when: "before" }),
  spoil(`the answer is cut off, ${lost}`, { kind: "truncate" }),
  spoil(`a gateway answers with a page, ${lost}`, { kind: "garbled" }),
];

function spoil(name: string, fault: FaultEffect): Scenario {
  return { name, spoiled: { name, fault } };
}

/** What can be seen of a command. */
interface Seen {
  readonly steps: RunResult["steps"];
  readonly asked: readonly string[];
  readonly words: readonly string[];
  readonly computes: number;
  readonly held: number;
}

const verbs = ["up", "up", "refresh", "destroy"] as const;

/** Without ids, addresses and what the service itself says. */
function plainWords(words: readonly string[]): readonly string[] {
  return words.map((text) =>
    text
      .replaceAll(/\b(ep|br|op|project)-[\w-]+/g, "$1-x")
      .replaceAll(/, request [\w-]+/g, "")
      .replaceAll(/https?:\/\/[\w.:]+/g, "the service")
      .replaceAll(/ \((?:[^()]|\([^()]*\))*\)/g, "")
      .replaceAll(/\bproject [a-z]+-x/g, "project project-x")
      .replaceAll(/\bproject [\w-]+/g, "project project-x"),
  );
}

/** Operations have ids of their own; lists of them may be cut to a length. */
function plainRoute(route: string): string {
  return route.replace(/\/(endpoints|operations)\/[^/?]+/, "/$1/x").replace(/\?.*$/, "");
}

async function byEmulator({ type }: Setting, { spoiled, strangerCu }: Scenario): Promise<readonly Seen[]> {
  const time = new Clock("manual");
  const emulator = await startEmulator({ clock: time, operationMs: 1_000 });
  const clock = createFakeClock(time);
  const { project, endpoint: own } = emulator.createProject();
  const { branch } = emulator.createBranch(project.id, { compute: false });
  clock.advance(10_000);
  const sizes = (cu: number): object => ({ autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu });
  if (strangerCu !== undefined)
    emulator.createEndpoint(project.id, { branch_id: branch.id, type, ...sizes(strangerCu) });
  clock.advance(120_000);
  const { url: baseUrl, apiKey } = emulator;
  const engine = createMiniEngine({ baseUrl, apiKey, clock });
  const size = { autoscalingLimitMinCu: declaredCu, autoscalingLimitMaxCu: declaredCu };
  const program = { db: { args: { projectId: project.id, branchId: branch.id, type, ...size } } };
  if (spoiled !== undefined) emulator.addFault({ ...spoiled.fault, route: "createEndpoint" });
  const seen: Seen[] = [];
  try {
    for (const verb of verbs) {
      emulator.clearRequests();
      const said = engine.said.length;
      const how = { endsProcess: true };
      const { steps, failures } = await (verb === "up" ? engine.up(program, how) : engine[verb](how));
      const prefix = `/api/v2/projects/${project.id}`;
      seen.push({
        steps,
        asked: emulator
          .requests()
          .map(({ method, path }) => plainRoute(`${method} ${path.replace(prefix, "")}`)),
        words: plainWords([...engine.said.slice(said), ...failures.map(messageOf)]),
        computes: emulator.endpoints(project.id).filter(({ endpoint }) => endpoint.id !== own.id).length,
        held: engine.state().length,
      });
      clock.advance(120_000);
    }
  } finally {
    engine.close();
    await emulator.close();
  }
  return seen;
}

type RunSmall = ReturnType<typeof loadExplorer>["run"];

async function bySmallWorld(
  run: RunSmall,
  setting: Setting,
  { spoiled, strangerCu }: Scenario,
): Promise<readonly Seen[]> {
  let world: SmallWorld = worldOf(
    { ...setting, allAnswers: true },
    { ...troublesInTime, kill: 0, stranger: 0 },
  );
  if (strangerCu !== undefined) make(world, "stranger", strangerCu);
  world.nowMs += 120_000;
  const index = spoiledOutcomes(true).findIndex(({ name }) => name === spoiled?.name);
  if (spoiled !== undefined && index < 0) throw new Error(`the small world has no ${spoiled.name}`);
  const seen: Seen[] = [];
  for (const verb of verbs) {
    // The points of a create: two at its list, two at its POST.
    const script = seen.length === 0 && spoiled !== undefined ? [0, 0, 0, index + 1] : [];
    const { result, asked, told, world: after } = await run(world, { by: "ours", verb, script });
    seen.push({
      steps: result.steps,
      asked: asked.map(plainRoute),
      words: plainWords([...told, ...result.failures.map(messageOf)]),
      computes: alive(after).length,
      held: after.states.ours.length,
    });
    world = after;
    world.nowMs += 120_000;
  }
  return seen;
}

describe.each(plainWorlds)("the small world and the emulator over sockets: $type", (setting) => {
  const real = new Map<string, readonly Seen[]>();
  let run: RunSmall;

  // The explorer takes the place of sockets for good: the emulator comes first.
  const [timeout, random] = [AbortSignal.timeout.bind(AbortSignal), Math.random];
  beforeAll(async () => {
    for (const scenario of scenarios) real.set(scenario.name, await byEmulator(setting, scenario));
    ({ run } = loadExplorer());
  });
  afterAll(() => {
    AbortSignal.timeout = timeout;
    Math.random = random;
  });

  it.each(scenarios)("agree where $name", async (scenario) => {
    expect(await bySmallWorld(run, setting, scenario)).toEqual(real.get(scenario.name));
  });
});
