import { readConfig } from "../../../../provider/config";
import { isForbidden, policyOf, refusalText } from "../../../../provider/endpoint/policy";
import { unknownValue } from "../../../../provider/endpoint/verdict";

describe("policyOf", () => {
  const forbidding = readConfig(() => undefined, { COMPUTE_ON_INTERRUPTION: "forbid" });

  it.each([
    { onInterruption: "warn", policy: "warn", reason: "the resource's own word counts" },
    { onInterruption: undefined, policy: "forbid", reason: "the stack's, where it says nothing" },
    { onInterruption: unknownValue, policy: "forbid", reason: "or nothing that is known yet" },
  ])("is $policy: $reason", ({ onInterruption, policy }) => {
    expect(policyOf({ onInterruption }, forbidding)).toBe(policy);
  });
});

describe("isForbidden", () => {
  it.each([
    { policy: "warn", now: "active", forbidden: false },
    { policy: "forbid", now: "active", forbidden: true },
    { policy: "forbid", now: "idle", forbidden: true },
    { policy: "forbid", now: undefined, forbidden: true },
    { policy: "forbid-when-active", now: "active", forbidden: true },
    { policy: "forbid-when-active", now: "idle", forbidden: false },
    { policy: "forbid-when-active", now: "disabled", forbidden: false },
    { policy: "forbid-when-active", now: undefined, forbidden: true },
  ] as const)("is $forbidden under $policy, for a compute that is $now", ({ policy, now, forbidden }) => {
    expect(isForbidden(policy, now)).toBe(forbidden);
  });
});

it("a refusal has the notice, and both lines that allow it", () => {
  const interruption = { effect: "restart", certain: true, text: "restart: size 1 → 2 CU" } as const;
  const text = refusalText(interruption, "forbid");
  expect(text).toMatch(/^restart: size 1 → 2 CU\. This is forbidden here \(onInterruption is "forbid"\)/);
  expect(text).toContain('set onInterruption: "warn" on this resource');
  expect(text).toContain("pulumi config set compute:onInterruption warn");
});
