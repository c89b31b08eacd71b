import { secondsText } from "../../../../provider/operations/history";
import {
  announcementOf,
  isUnannounced,
  receiptNotice,
  receiptOf,
  type Announcement,
} from "../../../../provider/endpoint/receipt";
import type { Observation } from "../../../../provider/operations/interruptions";

const plan = (effect: Announcement["effect"], certain = true): Announcement => ({
  effect,
  certain,
  by: "plan",
});
const nothing = announcementOf(undefined, "plan");
const restarted: Observation = { happened: "restarted", action: "start_compute", mostMs: 801 };
const suspended: Observation = { happened: "suspended", action: "suspend_compute" };
const applied: Observation = { happened: "none" };

describe("a receipt", () => {
  it.each([
    {
      reason: "an announced restart",
      saw: restarted,
      announced: plan("restart"),
      says: "info: restarted: not active for at most 0.9 s (start_compute), as announced",
    },
    {
      reason: "an announced move",
      saw: suspended,
      announced: plan("move"),
      says: "info: suspended (suspend_compute): it starts with the next connection, unless it is disabled, as announced",
    },
    {
      reason: "a restart that was announced with may",
      saw: restarted,
      announced: plan("unstated", false),
      says: "info: restarted: not active for at most 0.9 s (start_compute), as announced: it said that it may be",
    },
    {
      reason: "another interruption than was announced",
      saw: suspended,
      announced: plan("restart"),
      says: "info: suspended (suspend_compute): it starts with the next connection, unless it is disabled; a restart was announced",
    },
    {
      reason: "a restart that did not come",
      saw: applied,
      announced: plan("restart"),
      says: "info: no restart seen: the service applied it while running, though a restart was announced",
    },
    {
      reason: "a restart that the update planned and that did not come",
      saw: applied,
      announced: announcementOf({ effect: "restart", certain: true }, "update"),
      says: "info: no restart seen: the service applied it while running, though a restart was planned",
    },
    {
      reason: "another interruption than the update planned",
      saw: suspended,
      announced: announcementOf({ effect: "restart", certain: true }, "update"),
      says: "info: suspended (suspend_compute): it starts with the next connection, unless it is disabled; a restart was planned",
    },
    {
      reason: "a restart that no operation names",
      saw: { happened: "restarted", mostMs: 801 } as const,
      announced: plan("restart"),
      says: "info: restarted: not active for at most 0.9 s, as announced",
    },
    {
      reason: "an interruption that was possible and did not come",
      saw: applied,
      announced: plan("unstated", false),
      says: "info: no restart seen: the service applied it while running; it was said that it may be interrupted",
    },
    {
      reason: "a restart that nobody announced",
      saw: restarted,
      announced: nothing,
      says: "warning: restarted: not active for at most 0.9 s (start_compute), which no preview announced",
    },
    {
      reason: "a restart that the update planned without a diff in its process",
      saw: restarted,
      announced: announcementOf({ effect: "restart", certain: true }, "update"),
      says: "info: restarted: not active for at most 0.9 s (start_compute), as planned",
    },
    {
      reason: "a restart that the update itself did not plan",
      saw: restarted,
      announced: announcementOf(undefined, "update"),
      says: "warning: restarted: not active for at most 0.9 s (start_compute), which was not planned",
    },
    {
      reason: "an operation of an earlier run",
      saw: restarted,
      announced: { ...nothing, by: "earlier" as const },
      says: "info: started or restarted: not active for at most 0.9 s (start_compute); an earlier or another run began it",
    },
    {
      reason: "an idle compute",
      saw: suspended,
      announced: plan("restart"),
      before: "idle" as const,
      says: "info: nothing was interrupted: the compute ran nothing when it changed",
    },
    {
      reason: "operations without times",
      saw: { happened: "restarted", action: "start_compute" } as const,
      announced: plan("restart"),
      says: "info: restarted: for how long is not known, because its operations have no times (start_compute), as announced",
    },
    {
      reason: "a lost answer",
      saw: { happened: "unknown" } as const,
      announced: plan("restart"),
      says: "info: whether it was interrupted is not known: the service's answer does not name its operations",
    },
    {
      reason: "an operation that nobody told us of",
      saw: { happened: "unknown", action: "replace_compute" } as const,
      announced: plan("restart"),
      says: "info: whether it was interrupted is not known: this version does not know the operation replace_compute",
    },
    { reason: "a change that interrupts nothing", saw: applied, announced: nothing, says: undefined },
    {
      reason: "an idle compute of which nothing was announced",
      saw: suspended,
      announced: nothing,
      before: "idle" as const,
      says: undefined,
    },
  ])("says of $reason what happened", ({ saw, announced, before, says }) => {
    const receipt = receiptOf(saw, announced, before);
    const notice = receiptNotice(receipt);
    expect(notice && `${notice.severity}: ${notice.text}`).toBe(says);
    expect(isUnannounced(receipt)).toBe(says?.startsWith("warning: ") ?? false);
  });

  it("takes no more than 120 bytes of the state", () => {
    const longest = receiptOf(
      { ...restarted, mostMs: 600_001 },
      { effect: "unstated", certain: false, by: "update" },
      undefined,
    );
    expect(JSON.stringify(longest).length).toBeLessThanOrEqual(120);
  });

  it.each([
    [1, "0.1 s"],
    [800, "0.8 s"],
    [801, "0.9 s"],
    [61_001, "62 s"],
  ])("rounds %d ms up", (ms, text) => {
    expect(secondsText(ms)).toBe(text);
  });
});
