"use strict";

// A policy pack for a whole organisation: a preview that interrupts a compute fails outside the window that its
// configuration gives.
//
//   pulumi preview --policy-pack examples/maintenance-window --policy-pack-config window.json
//
// Previews alone carry the notice. An update that skips its preview is held by
// `compute:onInterruption` instead.
//
// It does not see deletions: the engine shows a policy only the resources that stay. So it also asks for `protect` on
// primary computes, which makes the engine itself refuse to delete them. docs/deletions.md says what else does.
const { PolicyPack } = require("@pulumi/policy");

const endpointTypes = ["pulumi-nodejs:dynamic/compute:Endpoint", "compute:index:Endpoint"];
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Whether a moment is in the window. A window that ends before it begins goes on past midnight. */
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
      description: "A compute may be interrupted inside the maintenance window only.",
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
        // What waits for a stack's own window, or until a compute is idle, is called "deferred" and interrupts nothing now.
        if (!endpointTypes.includes(type) || props.interruption === undefined) return;
        if (isInside(window, new Date())) return;
        reportViolation(
          `${props.interruption}. The maintenance window is ${window.days.join(", ")}, ${window.fromHourUtc}:00 to ` +
            `${window.toHourUtc}:00 UTC: merge this inside it, or ask for an exception.`,
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
            `Set { protect: true } on ${name}: whoever removes it deletes its compute, without a notice.`,
          );
      },
    },
  ],
});
