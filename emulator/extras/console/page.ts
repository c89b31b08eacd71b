/**
 * The HTML page of the console.
 */
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { EndpointView } from "../../service/controls/views";
import { script, style } from "./assets";
import { nameOfCompute, type ConsoleBranch, type ConsoleOperation, type ConsoleProject } from "./view";

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The whole page. @param nonce - for the page's style and script: its security policy allows no others */
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
        <header>
          <h1>Computes</h1>
          <p class="quiet">
            Computes are ${about.computes}. This page is <span id="feed" role="status">connecting</span>.
          </p>
          <div class="bar" role="search">
            <label for="filter">Filter</label>
            <input id="filter" type="search" placeholder="name, id, branch, state" autocomplete="off" />
            <span id="shown" role="status"></span>
            <span id="said" role="status" class="quiet"></span>
          </div>
        </header>
        <main>${content(projects)}</main>
        <script nonce="${about.nonce}">
          ${raw(script)};
        </script>
      </body>
    </html>`;
}

/** The part of the page that changes over time. */
export function content(projects: readonly ConsoleProject[]): Html {
  if (projects.length === 0) return html`<p data-part="none">There is no project yet.</p>`;
  return html`${projects.map(projectPart)}`;
}

function projectPart({ project, branches, operations, counts }: ConsoleProject): Html {
  const { id, name } = project;
  const empty = branches.filter(({ computes }) => computes.length === 0);
  return html`<section aria-label="Project ${name}">
    <div class="head" data-part="project ${id}">
      <h2>${name}</h2>
      ${idAndCopy(id, name, `project ${name}`)} <span class="quiet">${counts}</span>
    </div>
    <div class="columns">
      <div>
        <div class="scroll" tabindex="0" role="region" aria-label="Computes of ${name}">
          <table>
            <thead>
              <tr>
                ${columns.map(
                  ([title, kind]) =>
                    html`<th scope="col" class="${kind === "number" ? "number" : ""}">${title}</th>`,
                )}
              </tr>
            </thead>
            <tbody>
              ${branches.map((branch) => branch.computes.map((view, at) => computeRow(view, branch, at === 0)))}
            </tbody>
          </table>
        </div>
        ${empty.length > 0 ? html`<p class="quiet" data-part="empty ${id}">${emptyBranches(empty)}</p>` : ""}
      </div>
      <section aria-label="Operations of ${name}" data-part="operations ${id}">
        <h3>Operations</h3>
        <ol>
          ${operations.map(operationLine)}
        </ol>
      </section>
    </div>
  </section>`;
}

/** The headings of the table, and which columns contain numbers. A narrow window shows the first three columns. */
const columns = [
  ["compute", "text"],
  ["state", "text"],
  ["size", "number"],
  ["branch", "text"],
  ["connections", "number"],
  ["dropped", "number"],
  ["restarts", "number"],
  ["last active", "text"],
  ["address", "text"],
] as const;

/** The id, which is left out if it is also the name. */
function idAndCopy(id: string, name: string, what: string): Html {
  return html`${id === name ? "" : html`<small>${id}</small>`} ${copyButton(id, `the id of ${what}`)}`;
}

function copyButton(text: string, what: string): Html {
  return html`<button type="button" data-copy="${text}" aria-label="Copy ${what}">Copy</button>`;
}

function emptyBranches(branches: readonly ConsoleBranch[]): Html {
  return html`No client can reach a branch without a compute:
  ${branches.map(({ id, name }) => html`${name} ${idAndCopy(id, name, `branch ${name}`)} `)}`;
}

/** @param isFirst - true for the first compute of a branch: only its row shows the branch's id */
function computeRow(view: EndpointView, branch: ConsoleBranch, isFirst: boolean): Html {
  const { endpoint, counters, activity, place, maxConnections } = view;
  const { id, current_state: state, pending_state: pending } = endpoint;
  const isChanging = pending !== undefined && pending !== state;
  const [min, max] = [endpoint.autoscaling_limit_min_cu, endpoint.autoscaling_limit_max_cu];
  const kind = isChanging ? "changing" : endpoint.disabled ? "disabled" : state;
  const type = endpoint.type === "read_write" ? "primary" : "replica";
  const name = nameOfCompute(view);
  const words = [name, id, branch.name, branch.id, type, kind, state].join(" ").toLowerCase();
  return html`<tr data-part="${id}" data-words="${words}">
    <th scope="row">
      <div class="line"><strong>${name}</strong></div>
      <div class="line">${idAndCopy(id, name, name)} <span class="quiet">${type}</span></div>
    </th>
    <td><span class="state ${kind}">${isChanging ? `${state} → ${pending}` : kind}</span></td>
    <td class="number">${min === max ? `${min} CU` : `${min} to ${max} CU`}</td>
    <td>
      <div class="line">
        <strong>${branch.name}</strong>
        ${isFirst && branch.isDefault ? html`<span class="quiet">default</span>` : ""}
      </div>
      ${isFirst ? html`<div class="line">${idAndCopy(branch.id, branch.name, `branch ${branch.name}`)}</div>` : ""}
    </td>
    <td class="number">
      ${activity?.connections ?? "simulated"}
      <div class="quiet">${maxConnections === undefined ? "no limit known" : `max ${maxConnections}`}</div>
    </td>
    <td class="number">${counters.connectionsDropped}</td>
    <td class="number">${counters.restarts}</td>
    <td>${endpoint.last_active?.slice(11, 19) ?? "never"}</td>
    <td>
      ${
        place
          ? html`<div class="line">${place.host}:${place.port}</div>
              <div class="line">${copyButton(place.uri, `the connection string of ${name}`)}</div>`
          : html`<span class="quiet">none</span>`
      }
    </td>
  </tr>`;
}

function operationLine({ operation, about }: ConsoleOperation): Html {
  const { action, status, created_at, updated_at } = operation;
  const ms = Date.parse(updated_at) - Date.parse(created_at);
  const isOver = status !== "running" && status !== "scheduling";
  return html`<li>
    <span class="quiet">${created_at.slice(11, 19)}</span> <span>${action}</span>
    <span class="state ${status}">${status}</span>
    ${isOver ? html`<span class="quiet">${ms} ms</span>` : ""}
    <span class="quiet">${about}</span>
  </li>`;
}
