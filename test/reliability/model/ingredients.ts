/**
 * What the lives of two teams are made of. Each is counted where it really happened, not where it was planned: one that
 * no life has met proves nothing, and fails the run.
 */
export const ingredients = [
  "teams on two machines",
  "teams in one backend",
  "both teams wrote",
  "dynamic and plugin at once",
  "two explicit providers at once",
  "handed over from one process to the other",
  "stack renamed",
  "resource renamed in the state",
  "resource moved to the other stack",
  "clock ahead by hours",
  "clock behind by hours",
  "console created between two requests",
  "console deleted between two requests",
  "console resized between two requests",
  "console set a setting between two requests",
  "console restarted between two requests",
  "availability checked between two requests",
  "suspended between two requests",
  "a setting of the console's met a change of settings",
  "408 for what was done",
  "408 for what was not done",
  "425 for what was done",
  "425 for what was not done",
  "502 for what was done",
  "502 for what was not done",
  "503 for what was done",
  "503 for what was not done",
  "hung after it was done",
  "hung before it was done",
  "done after its answer",
  "killed between two requests",
  "a list 3 s late",
  "a list 10 s late",
  "a list 25 s late",
  "an operation that vanished",
  "an operation in an unknown status",
  "a state nobody has heard of",
  "a change as its preview said",
] as const;

/** Met in few lives, and no life has to. */
const rare = ["a stranger's compute that nothing tells from one's own"] as const;

export type Ingredient = (typeof ingredients)[number] | (typeof rare)[number];

export interface Met {
  readonly count: (ingredient: Ingredient) => void;
  readonly all: () => Readonly<Record<Ingredient, number>>;
  /** Those that no life has met. */
  readonly missing: () => readonly Ingredient[];
}

export function countIngredients(): Met {
  const counts = Object.fromEntries([...ingredients, ...rare].map((name) => [name, 0])) as Record<
    Ingredient,
    number
  >;
  return {
    count: (ingredient) => {
      counts[ingredient] += 1;
    },
    all: () => ({ ...counts }),
    missing: () => ingredients.filter((name) => counts[name] === 0),
  };
}
