/**
 * Every choice that the interface leaves open, in one table.
 *
 * A service that implements the interface may make any of these choices, so a client has to cope with all of them. The
 * defaults are the values that the best known service publishes; tests change them.
 */

/** A switch with a closed list of values. */
interface ChoiceSwitch {
  readonly meaning: string;
  /** Where the interface leaves the choice open, and where the default comes from. */
  readonly why: string;
  readonly values: readonly (string | number | boolean)[];
  readonly default: string | number | boolean;
}

/** A switch that takes any whole number between two bounds, both included. */
interface NumberSwitch {
  readonly meaning: string;
  readonly why: string;
  readonly range: readonly [least: number, most: number];
  readonly default: number;
}

/**
 * Every switch: its meaning, the reason for its default, and its allowed values (`values`, or a `range` of whole
 * numbers with both ends included).
 */
export const switchTable = {
  service: {
    meaning:
      "The service whose sizes, ranges, max_connections and 400 answers the emulator copies. `neon` also never suspends a compute above 16 CU, shows `started_at` and `suspended_at`, and sets deleteOperations to suspend.",
    why: "The interface is the default. The best known service has changed since, and documents the differences.",
    values: ["interface", "neon"],
    default: "interface",
  },
  resize: {
    meaning: "Whether a new size restarts a running compute, or is applied while it runs.",
    why: "3.1: it restarts. The best known service applies some changes live.",
    values: ["restarts", "live"],
    default: "restarts",
  },
  createStatus: {
    meaning: "Status of a successful create.",
    why: "4.1 shows the body only; 201 is published.",
    values: [201, 200],
    default: 201,
  },
  secondPrimaryStatus: {
    meaning: "Status of a create or move if the branch already has a primary.",
    why: "Section 7: 'the resulting response: not shown'; 409 is published.",
    values: [409, 400, 412, 422, 423],
    default: 409,
  },
  replicaType: {
    meaning: "Value of `type` for a read replica.",
    why: "2.1: 'not shown'; read_only is published.",
    values: ["read_only", "read_replica"],
    default: "read_only",
  },
  sizes: {
    meaning:
      "`listed` answers 400 to a size that the service does not have; `any` accepts every size above 0.",
    why: "8.1 lists sizes, but does not show the answer to any other size; services add sizes.",
    values: ["listed", "any"],
    default: "listed",
  },
  unknownFields: {
    meaning: "What happens to an unknown member of a request body.",
    why: "4.1 and 4.3: other attributes not shown.",
    values: ["ignore", "refuse"],
    default: "ignore",
  },
  fixedFields: {
    meaning: "What happens to `type` and `region_id` in a PATCH.",
    why: "4.3 does not say; they are not updatable in the published types, and ignoring them hides a mistake.",
    values: ["refuse", "ignore"],
    default: "refuse",
  },
  suspendTimeoutField: {
    meaning: "Whether endpoints carry `suspend_timeout_seconds`.",
    why: "2.1 does not list it, yet 3.1 has the setting; it is published.",
    values: ["shown", "hidden"],
    default: "shown",
  },
  suspendDefaultSeconds: {
    meaning: "Autosuspend delay, in seconds, of a compute whose own setting is 0.",
    why: "8.2: five minutes.",
    range: [1, 604_800],
    default: 300,
  },
  idlePatch: {
    meaning:
      "Operations of a PATCH of an idle compute: `wakes` has apply_config and then suspend_compute, `sleeps` only apply_config.",
    why: "3.1 shows no row for it; a wake for the update and a suspend afterwards are published.",
    values: ["wakes", "sleeps"],
    default: "wakes",
  },
  restartedBy: {
    meaning:
      "The operation that restarts a running compute if a PATCH restarts it: start_compute after apply_config, or apply_config itself.",
    why: "3.1 says that a new size restarts the compute; neither it nor section 6 lists the operations.",
    values: ["start_compute", "apply_config"],
    default: "start_compute",
  },
  settingsRestart: {
    meaning: "Whether a change of pg_settings restarts the compute.",
    why: "3.1's table of setting changes does not name it.",
    values: [false, true],
    default: false,
  },
  poolerRestart: {
    meaning: "Whether a change of the pooler restarts the compute.",
    why: "3.1's table of setting changes does not name it.",
    values: [false, true],
    default: false,
  },
  settingsDefault: {
    meaning:
      "`settings` of a compute created without settings: an object with an empty pg_settings, or an empty object.",
    why: "2.1: pg_settings may be empty; other members not shown.",
    values: ["empty-pg-settings", "empty"],
    default: "empty-pg-settings",
  },
  settingsPatch: {
    meaning:
      "What a PATCH does with settings that it does not name: `replaces` removes them, `merges` keeps them.",
    why: "4.3: 'containing the attributes to change'; it does not say whether settings are one attribute or many.",
    values: ["replaces", "merges"],
    default: "replaces",
  },
  restartBody: {
    meaning: "Body of the answer to a restart: endpoint and operations, an empty object, or no body at all.",
    why: "4.5: 'Response body: not shown'; endpoint and operations are published.",
    values: ["full", "empty", "none"],
    default: "full",
  },
  idleRestart: {
    meaning: "Restart of an idle or disabled compute: accepted (`taken`), or refused with this status.",
    why: "4.5 does not say. It is published that a restart 'only works on an active compute', but not the status of the refusal.",
    values: ["taken", 409, 412, 422],
    default: "taken",
  },
  deleteOperations: {
    meaning: "Operations of a delete: none, or a running suspend_compute if the compute was not idle.",
    why: "4.4 and section 6: empty; the published example has suspend_compute.",
    values: ["empty", "suspend"],
    default: "empty",
  },
  deleteMissing: {
    meaning: "Status of a delete if the endpoint is already gone.",
    why: "4.4 does not say; 204 is published.",
    values: [204, 404],
    default: 204,
  },
  lock: {
    meaning: "`project` answers 423 to every write while an operation of that project is under way.",
    why: "3.2 asks clients to wait; 423 is common in practice.",
    values: ["off", "project"],
    default: "off",
  },
  rateLimitPerMinute: {
    meaning: "Requests per minute and route before 429; 0 means no limit.",
    why: "Section 8: 'Request rate limits: not shown'; 700 is published.",
    range: [0, 1_000_000],
    default: 0,
  },
  rateLimitBurst: {
    meaning: "Requests per second and route before 429; 0 means no limit.",
    why: "Section 8: not shown; 40 is published.",
    range: [0, 1_000_000],
    default: 0,
  },
  retryAfter: {
    meaning: "Form of Retry-After on 429 and 423.",
    why: "Not in the interface, and undocumented by the best known service.",
    values: ["none", "seconds", "date"],
    default: "none",
  },
  errorShape: {
    meaning:
      "Body of an error: {code, message, request_id}, the same inside {error}, an HTML page, or empty.",
    why: "Section 7: 'error body shape: not shown'; flat is published, the others have been seen.",
    values: ["flat", "nested", "html", "empty"],
    default: "flat",
  },
  endOfList: {
    meaning: "How the list of operations shows its end.",
    why: "4.6: 'The end-of-list indication: not shown'; a missing cursor or an empty page are published.",
    values: ["missing-cursor", "missing-pagination", "empty-page", "empty-string", "repeat-cursor"],
    default: "missing-cursor",
  },
  defaultLimit: {
    meaning: "Operations per page if the request has no limit.",
    why: "4.6: 'Default and maximum: not shown'.",
    range: [1, 10_000],
    default: 100,
  },
  maxLimit: {
    meaning: "Maximum number of operations per page; the answer to a greater limit is 400.",
    why: "4.6: not shown; 1000 is published.",
    range: [1, 10_000],
    default: 1000,
  },
  operationsKeptDays: {
    meaning: "Days after which an operation disappears from the list, and a GET of it answers 404.",
    why: "4.6 and 4.7 do not say; six months are published.",
    range: [0, 36_500],
    default: 183,
  },
  extraRoutes: {
    meaning:
      "Extra routes: GET one endpoint; POST start or suspend; GET the endpoints of a branch; GET, POST and DELETE branches.",
    why: "The interface has none of them (404); they are published.",
    values: ["off", "on"],
    default: "off",
  },
} as const satisfies Record<string, ChoiceSwitch | NumberSwitch>;

/**
 * The name of a switch.
 *
 * @useDeclaredType
 */
export type SwitchName = keyof typeof switchTable;

type ValueOf<Row> = Row extends { readonly values: readonly (infer Value)[] } ? Value : number;

/**
 * The value of every switch.
 *
 * @interface
 */
export type Switches = { readonly [Name in SwitchName]: ValueOf<(typeof switchTable)[Name]> };

const switchNames = Object.keys(switchTable) as SwitchName[];

/** Every switch at its default. */
export const defaultSwitches: Switches = Object.fromEntries(
  switchNames.map((name) => [name, switchTable[name].default]),
) as unknown as Switches;

/**
 * Changes some of the switches.
 *
 * Values may be text, as a command line gives them.
 *
 * @throws RangeError that names the switch and what it takes.
 */
export function withSwitches(current: Switches, changes: Readonly<Record<string, unknown>>): Switches {
  const checked = Object.entries(changes).map(([name, value]) => [name, checkedValue(name, value)]);
  const given = Object.fromEntries(checked) as Partial<Switches>;
  return { ...current, ...(given.service && ofService[given.service]), ...given };
}

/** Switches that follow from the service, unless they are set explicitly. */
const ofService: Readonly<Record<Switches["service"], Partial<Switches>>> = {
  interface: { deleteOperations: defaultSwitches.deleteOperations },
  neon: { deleteOperations: "suspend" },
};

function checkedValue(name: string, value: unknown): string | number | boolean {
  if (!isSwitchName(name)) {
    throw new RangeError(`There is no switch "${name}". Switches: ${switchNames.join(", ")}.`);
  }
  const row: ChoiceSwitch | NumberSwitch = switchTable[name];
  if ("values" in row) {
    const choice = row.values.find((candidate) => String(candidate) === String(value));
    if (choice !== undefined) return choice;
    throw new RangeError(`Switch ${name} takes ${row.values.join(", ")}, not "${String(value)}".`);
  }
  const [least, most] = row.range;
  const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new RangeError(
    `Switch ${name} takes a whole number from ${least} to ${most}, not "${String(value)}".`,
  );
}

function isSwitchName(name: string): name is SwitchName {
  return Object.hasOwn(switchTable, name);
}
