/**
 * The HTML page of the console, with its style and its script.
 */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { EndpointView } from "../controls/controls";
import type { WireOperation } from "../http/wire";
import type { ConsoleBranch, ConsoleProject } from "./view";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/**
 * Follows the feed. A part is replaced only where it has changed, so that focus and selection elsewhere stay; in it, the
 * connection string that has the focus gets it back. With the focus it is selected, so that the keyboard can copy it.
 */
const script = `
const main = document.querySelector("main"), state = document.querySelector("#feed");
const feed = new EventSource("console/feed");
feed.onopen = () => { state.textContent = "live"; };
feed.onerror = () => { state.textContent = "not connected; trying again"; };
document.addEventListener("focusin", ({ target }) => { if (target.matches("code")) getSelection().selectAllChildren(target); });
feed.onmessage = ({ data }) => {
  const focused = document.activeElement.getAttribute("aria-label");
  const next = new DOMParser().parseFromString(data, "text/html").body;
  const parts = (of) => [...of.querySelectorAll("[data-part]")];
  const names = (of) => parts(of).map((part) => part.dataset.part).join();
  if (names(main) !== names(next)) main.replaceChildren(...next.childNodes);
  else parts(next).forEach((part, at) => { const old = parts(main)[at]; if (old.outerHTML !== part.outerHTML) old.replaceWith(part); });
  if (document.activeElement === document.body)
    [...main.querySelectorAll("code")].find((code) => code.getAttribute("aria-label") === focused)?.focus();
};`;

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); --soft: light-dark(#f6f8fa, #151b23);
  --quiet: light-dark(#59636e, #9198a1); --good: light-dark(#1a7f37, #3fb950); --busy: light-dark(#9a6700, #d29922);
  --bad: light-dark(#cf222e, #f85149); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc); }
h1 { font-size: 1.3rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
.quiet, h3 small { color: var(--quiet); font-weight: normal; }
.columns { display: grid; gap: 1.5rem; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); }
.compute { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; margin: .5rem 0; }
.compute header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
.state { font-weight: 600; } .active, .finished { color: var(--good); } .idle, .init { color: var(--quiet); }
.changing, .running, .scheduling { color: var(--busy); } .disabled, .failed { color: var(--bad); }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: .25rem 1rem; margin: .5rem 0 0; }
dt { color: var(--quiet); font-size: .85em; } dd { margin: 0; font-variant-numeric: tabular-nums; }
code { display: block; overflow-x: auto; background: var(--soft); padding: .4rem .6rem; border-radius: .3rem;
  margin-top: .5rem; font-size: .85em; user-select: all; }
code:focus-visible { outline: 2px solid var(--good); }
ol { list-style: none; margin: 0; padding: 0; }
ol li { display: flex; flex-wrap: wrap; gap: 0 .75rem; border-bottom: 1px solid var(--line); padding: .3rem 0; }
@media (max-width: 50rem) { .columns { grid-template-columns: minmax(0, 1fr); } }`;

/** The whole page. @param nonce - of its own style and script; the policy allows no other */
export function page(projects: readonly ConsoleProject[], about: { computes: string; nonce: string }): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Computes</title>
        <style nonce="${about.nonce}">
          ${raw(style)}
        </style>
      </head>
      <body>
        <h1>Computes</h1>
        <p class="quiet">
          Computes are ${about.computes}. This page is <span id="feed" role="status">connecting</span>.
        </p>
        <main>${content(projects)}</main>
        <script nonce="${about.nonce}">
          ${raw(script)};
        </script>
      </body>
    </html>`;
}

/** What changes as time passes. */
export function content(projects: readonly ConsoleProject[]): Html {
  if (projects.length === 0) return html`<p data-part="none">There is no project yet.</p>`;
  return html`${projects.map(projectPart)}`;
}

function projectPart({ project, branches, operations }: ConsoleProject): Html {
  return html`<section aria-label="Project ${project.name}">
    <h2>${project.name} <small class="quiet">${project.id}</small></h2>
    <div class="columns">
      <div>${branches.map(branchPart)}</div>
      <section aria-label="Operations" data-part="operations ${project.id}">
        <h3>Operations</h3>
        <ol>
          ${operations.map(operationLine)}
        </ol>
      </section>
    </div>
  </section>`;
}

function branchPart({ id, name, isDefault, computes }: ConsoleBranch): Html {
  return html`<h3>${name} <small>${id}${isDefault ? ", the default branch" : ""}</small></h3>
    ${computes.length === 0 ? html`<p class="quiet" data-part="empty ${id}">No compute: no client can reach it.</p>` : ""}
    ${computes.map(computePart)}`;
}

function computePart({ endpoint, counters, activity, place, maxConnections }: EndpointView): Html {
  const { id, type, current_state: state, pending_state: pending, disabled } = endpoint;
  const isChanging = pending !== undefined && pending !== state;
  const [min, max] = [endpoint.autoscaling_limit_min_cu, endpoint.autoscaling_limit_max_cu];
  const kind = isChanging ? "changing" : disabled ? "disabled" : state;
  const facts: readonly (readonly [string, string | number])[] = [
    ["size", min === max ? `${min} CU` : `${min} to ${max} CU`],
    ["max_connections", maxConnections ?? "not in the table"],
    ["connections", activity?.connections ?? "simulated"],
    ["times dropped", counters.connectionsDropped],
    ["restarts", counters.restarts],
    ["last active", endpoint.last_active?.slice(11, 19) ?? "never"],
  ];
  return html`<article class="compute" data-part="${id}" aria-label="Compute ${id}">
    <header>
      <strong>${id}</strong>
      <span class="quiet">${type === "read_write" ? "primary" : "replica"}</span>
      <span class="state ${kind}">${isChanging ? `${state} → ${pending}` : kind}</span>
    </header>
    <dl>
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${place ? html`<code tabindex="0" aria-label="Connection string of ${id}">${place.uri}</code>` : ""}
  </article>`;
}

function operationLine({
  action,
  status,
  endpoint_id,
  branch_id,
  created_at,
  updated_at,
}: WireOperation): Html {
  const ms = Date.parse(updated_at) - Date.parse(created_at);
  const isOver = status !== "running" && status !== "scheduling";
  return html`<li>
    <span class="quiet">${created_at.slice(11, 19)}</span> <span>${action}</span>
    <span class="state ${status}">${status}</span>
    ${isOver ? html`<span class="quiet">${ms} ms</span>` : ""}
    <span class="quiet">${endpoint_id ?? branch_id}</span>
  </li>`;
}
