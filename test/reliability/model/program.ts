/** What the programs of a life declare, and what of it is secret. */
import { fixedSize } from "../../../provider/model/sizes";
import type { Program } from "../../support/miniEngine";
import { ignores, type Name, type Part } from "./life";
import type { Side, World } from "./world";

const secretTexts: Readonly<Record<Part["settings"], string>> = {
  none: "",
  plain: "in the open",
  secret: "hunter2-of-the-world",
  "other secret": "correct-horse-battery",
};

/** Secrets that must not be printed in clear anywhere. */
export function secretsOf({ emulator, sides }: World): readonly string[] {
  const branches = sides.map(({ branchIds }) => branchIds[2]);
  return [emulator.apiKey, secretTexts.secret, secretTexts["other secret"], ...branches];
}

/** The arguments that a part declares. */
function argsOf(world: World, side: Side, part: Part): Record<string, unknown> {
  const { isPrimary, isShared, settings } = part;
  return {
    projectId: world.projectId,
    branchId: isShared && !isPrimary ? world.sharedBranchId : side.branchIds[part.place],
    type: isPrimary ? "read_write" : "read_only",
    ...fixedSize(part.sizeCu),
    disabled: part.disabled,
    suspendTimeoutSeconds: isPrimary && isShared ? 600 : 300,
    ...(settings === "none" ? {} : { settings: { pgSettings: { "ext.token": secretTexts[settings] } } }),
    timeouts: { create: 60, update: 60, delete: 60 },
  };
}

/** The compute's members at the service, once it is as declared. */
export function wireOf(world: World, side: Side, part: Part): Record<string, unknown> {
  const { branchId, type, suspendTimeoutSeconds, settings } = argsOf(world, side, part);
  const shows = (name: keyof typeof ignores): boolean => part.ignores !== name;
  return {
    ...{ branch_id: branchId, type, suspend_timeout_seconds: suspendTimeoutSeconds },
    ...(shows("whether it is disabled") && { disabled: part.disabled }),
    ...(shows("its size") && {
      autoscaling_limit_min_cu: part.sizeCu,
      autoscaling_limit_max_cu: part.sizeCu,
    }),
    ...(settings !== undefined &&
      shows("its settings") && {
        settings: { pg_settings: (settings as { pgSettings: object }).pgSettings },
      }),
  };
}

function secretArguments({ settings, place, isPrimary, isShared }: Part): readonly string[] {
  return [
    ...(settings === "secret" || settings === "other secret" ? ["settings"] : []),
    ...(place === 2 && (isPrimary || !isShared) ? ["branchId"] : []),
  ];
}

export interface Lines {
  readonly aliases?: Readonly<Partial<Record<Name, readonly string[]>>>;
  readonly adopt?: Readonly<Partial<Record<Name, string>>>;
}

export function programOf(world: World, side: Side, { aliases = {}, adopt = {} }: Lines): Program {
  const entries = Object.entries(side.parts).map(([name, part]) => {
    const line = adopt[name as Name];
    const secrets = secretArguments(part);
    const declared = {
      args: { ...argsOf(world, side, part), ...(line === undefined ? {} : { adopt: line }) },
      aliases: aliases[name as Name] ?? [],
      ...(secrets.length === 0 ? {} : { secrets }),
      ignores: ignores[part.ignores],
    };
    return [name, declared] as const;
  });
  return Object.fromEntries(entries);
}
