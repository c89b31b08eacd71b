/** The settings of other people: what they set, and whether they find it again. */
import type { Emulator } from "../../../emulator";
import type { Met } from "./life";
import type { Network, SentSettings } from "./network";
import type { World } from "./world";

/** What somebody else has set on a compute, and must find again. */
export interface Theirs {
  readonly name: string;
  readonly value: string;
  /** When, on the monotonic clock. */
  readonly atMs: number;
}

interface Shared {
  readonly emulator: Emulator;
  readonly network: Pick<Network, "sent" | "clock">;
  readonly theirs: Map<string, Theirs>;
}

/** Forgets the settings of others that a PATCH could not know of, and those that a program declares from now on. */
export function noteSettings(
  theirs: Map<string, Theirs>,
  met: Met,
  { endpointId, settings, knownAtMs }: SentSettings,
): void {
  const one = theirs.get(endpointId);
  if (one === undefined) return;
  // Between the last list and the PATCH a moment remains, as docs/what-happens-when.md says.
  if (one.atMs >= knownAtMs || (one.name in settings && settings[one.name] !== one.value))
    theirs.delete(endpointId);
  else met.count("a setting of somebody else that a PATCH kept");
}

/** Somebody sets a setting beside those that the compute has. @returns false if it is a setting of ours */
export function setByHand(
  { emulator, network, theirs }: Shared,
  deed: "set a setting" | "set the token",
  id: string,
): boolean {
  const name = deed === "set a setting" ? "theirs.note" : "ext.token";
  const hasSent = network.sent.some(
    ({ endpointId, targetId, body }) =>
      (endpointId ?? targetId) === id && JSON.stringify(body["settings"] ?? {}).includes(`"${name}"`),
  );
  if (name === "ext.token" && hasSent) return false;
  const atMs = network.clock.monotonicMs();
  const value = `theirs ${atMs}`;
  const { pg_settings: others } = emulator.endpoint(id).endpoint.settings as {
    readonly pg_settings?: object;
  };
  emulator.updateEndpoint(id, { settings: { pg_settings: { ...others, [name]: value } } });
  theirs.set(id, { name, value, atMs });
  return true;
}

/** Nobody's settings are lost to a run of somebody else. */
export function expectTheirs({ theirs, computes, emulator }: World): void {
  for (const [id, { name, value }] of theirs) {
    if (!computes().includes(id)) continue;
    const { pg_settings: live = {} } = emulator.endpoint(id).endpoint.settings as {
      readonly pg_settings?: object;
    };
    const now = (live as Readonly<Record<string, unknown>>)[name];
    if (now !== value)
      throw new Error(`${name} of ${id} was "${value}", set by somebody else, and is ${String(now)}`);
  }
}
