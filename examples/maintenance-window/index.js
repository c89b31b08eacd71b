"use strict";

// A policy pack for a whole organisation: outside the maintenance window, it fails each preview of an interruption. The
// pack's configuration sets the window.
//
//   pulumi preview --policy-pack examples/maintenance-window --policy-pack-config window.json
//
// Only previews contain the notice. For an update that skips its preview, use `compute:onInterruption`.
//
// The policy does not see deletions: the engine shows it only the resources that stay. So the policy also requires
// `protect` on primary computes, which makes the engine refuse to delete them. docs/interruptions.md lists other
// protections.
const { PolicyPack } = require("@pulumi/policy");

const endpointTypes = ["pulumi-nodejs:dynamic/compute:Endpoint", "compute:index:Endpoint"];
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** True if a moment is in the window. A window whose end is before its beginning continues past midnight. */
function isInside({ days: open, fromHourUtc, toHourUtc }, moment) {
  const hour = moment.getUTCHours();
  const startsToday = fromHourUtc <= toHourUtc;
  const today = days[moment.getUTCDay()];
  const yesterday = days[(moment.getUTCDay() + 6) % 7];
  if (startsToday) return open.includes(today) && hour >= fromHourUtc && hour < toHourUtc;
  return (open.includes(today) && hour >= fromHourUtc) || (open.includes(yesterday) && hour < toHourUtc);
}

new PolicyPack("compute-maintenance-window", {
  policies: [
    {
      name: "interruption-window",
      description: "A compute can be interrupted only inside the maintenance window.",
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          days: {
            type: "array",
            items: { type: "string", enum: days },
            default: ["Saturday", "Sunday"],
          },
          fromHourUtc: { type: "integer", minimum: 0, maximum: 24, default: 2 },
          toHourUtc: { type: "integer", minimum: 0, maximum: 24, default: 4 },
        },
      },
      validateResource: ({ type, props, getConfig }, reportViolation) => {
        const window = getConfig();
        // A change that waits for the stack's own window, or for an idle compute, is "deferred" and interrupts nothing
        // now.
        if (!endpointTypes.includes(type) || props.interruption === undefined) return;
        if (isInside(window, new Date())) return;
        reportViolation(
          `${props.interruption}. The maintenance window is ${window.days.join(", ")}, ${window.fromHourUtc}:00 to ` +
            `${window.toHourUtc}:00 UTC: merge this inside the window, or ask for an exception.`,
        );
      },
    },
    {
      name: "protected-primary",
      description: "A primary compute has the option `protect`, since no policy sees a deletion.",
      enforcementLevel: "advisory",
      validateResource: ({ type, props, opts, name }, reportViolation) => {
        if (!endpointTypes.includes(type) || (props.type ?? "read_write") !== "read_write") return;
        if (opts.protect !== true)
          reportViolation(
            `Set { protect: true } on ${name}. Otherwise, removing it from the program deletes its compute without a notice.`,
          );
      },
    },
  ],
});
