/**
 * What may happen in the small world at each point of a run; the first of a point is that nothing does.
 */
import { spoiledOutcomes, type PostOutcome } from "./answers";
import {
  alive,
  carryOut,
  declaredCu,
  isPrimary,
  make,
  note,
  openPost,
  otherCu,
  type SmallWorld,
  type Trouble,
} from "./smallWorld";

/** Something that may happen at a point. */
export interface Option {
  readonly costs?: Trouble;
  readonly act: () => void;
}

/** What others do before a request is served. */
export function meanwhile(world: SmallWorld): readonly Option[] {
  const options: Option[] = [{ act: () => undefined }];
  if (world.left.stranger > 0 && !(isPrimary(world) && alive(world).length > 0))
    for (const sizeCu of [declaredCu, otherCu])
      options.push({
        costs: "stranger",
        act: () => {
          stranger(world, sizeCu);
        },
      });
  const open = openPost(world);
  if (open >= 0)
    options.push({
      act: () => {
        lateWork(world, open);
      },
    });
  return options;
}

export function stranger(world: SmallWorld, sizeCu: number): void {
  make(world, "stranger", sizeCu);
  note(world, `a stranger creates a compute of ${sizeCu === declaredCu ? "the same" : "another"} size`);
}

export function lateWork(world: SmallWorld, index: number): void {
  const made = carryOut(world, index);
  note(
    world,
    `the service carries the POST out that it had not answered: ${made?.id ?? "the branch is taken"}`,
  );
}

interface Choosing {
  readonly isPost: boolean;
  readonly set: (outcome: PostOutcome) => void;
  readonly breakDown: () => void;
}

export function outcomesFor(world: SmallWorld, { isPost, set, breakDown }: Choosing): readonly Option[] {
  const options: Option[] = [{ act: () => undefined }];
  if (world.left.outage > 0)
    options.push({
      costs: "outage",
      act: () => {
        note(world, "from here on a gateway answers 502 to everything");
        breakDown();
      },
    });
  const isTaken = isPrimary(world) && alive(world).length > 0;
  if (!isPost || world.left.spoiled === 0 || isTaken) return options;
  return [
    ...options,
    ...spoiledOutcomes(world.setting.allAnswers).map((one): Option => ({
      costs: "spoiled",
      act: () => {
        note(world, `the POST: ${one.name}`);
        set(one);
      },
    })),
  ];
}
