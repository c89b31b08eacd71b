/**
 * Compares the figures of notices with the control plane's own tables, which share nothing with the provider's.
 */
import { Clock, startEmulator } from "../../emulator";
import { changeOf } from "../../provider/model/interruption";
import { sizePairsOf, type Values } from "./argumentValues";

/** The file cache that a service documents: its share of the RAM (4 GB for each CU), and the size below which a compute has one. */
const cacheOf = {
  interface: { share: 0.8, belowCu: Infinity },
  neon: { share: 0.75, belowCu: 18 },
} as const;

type Service = keyof typeof cacheOf;
type Figures = Readonly<Record<string, string | undefined>>;

/** Connections of a compute of each size, as the control plane shows them; memory as documented. */
async function figuresOn(service: Service, sizes: readonly Values[]): Promise<readonly Figures[]> {
  const emulator = await startEmulator({
    clock: new Clock("manual"),
    operationMs: 0,
    switches: { service },
  });
  const { project, branch } = emulator.createProject();
  const { share, belowCu } = cacheOf[service];
  const figures = sizes.map(({ autoscalingLimitMinCu, autoscalingLimitMaxCu }) => {
    const { endpoint } = emulator.createEndpoint(project.id, {
      branch_id: branch.id,
      type: "read_only",
      autoscaling_limit_min_cu: autoscalingLimitMinCu,
      autoscaling_limit_max_cu: autoscalingLimitMaxCu,
    });
    const { maxConnections } = emulator.endpoint(endpoint.id);
    emulator.deleteEndpoint(endpoint.id);
    const minCu = Number(autoscalingLimitMinCu);
    const cacheGb = Math.round(minCu * 4 * share * 100) / 100;
    return {
      max_connections: String(maxConnections),
      RAM: `${minCu * 4} GB`,
      "file cache": minCu < belowCu ? `${cacheGb} GB` : undefined,
    };
  });
  await emulator.close();
  return figures;
}

/** `; max_connections 112 to 450, RAM 1 to 4 GB, file cache 0.8 to 3.2 GB`: the figures that change and are known for both sizes. */
function expectedOf(before: Figures, after: Figures): string {
  const texts = Object.keys(before).flatMap((name) => {
    const [from, to] = [before[name], after[name]];
    if (from === undefined || to === undefined || from === to) return [];
    return [`${name} ${from.replace(" GB", "")} to ${to}`];
  });
  return texts.length === 0 ? "" : `; ${texts.join(", ")}`;
}

/**
 * Compares the notices of pairs of a service's sizes: every pair, or every n-th. @returns the notices with a wrong or missing figure.
 */
export async function wrongFiguresOn(
  service: Service,
  every: number,
): Promise<{ readonly compared: number; readonly wrong: readonly string[] }> {
  const sizes = sizePairsOf(service);
  const figures = await figuresOn(service, sizes);
  const all = sizes.flatMap((before, from) => sizes.map((after, to) => ({ before, after, from, to })));
  const pairs = all.filter((_pair, index) => index % every === 0);
  const wrong = pairs.flatMap(({ before, after, from, to }) => {
    const told = changeOf(before, after, { service }).interruption?.text ?? "";
    const shown = told.replace(/^.* open connections/, "");
    const expected = before === after ? "" : expectedOf(figures[from]!, figures[to]!);
    return shown === expected ? [] : [`${told}, not ${expected}`];
  });
  return { compared: pairs.length, wrong };
}
