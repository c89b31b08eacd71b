/**
 * Keeps one note on a GitLab merge request up to date.
 *
 *   node gitlab.mjs comment.md
 *
 * COMPUTE_PREVIEW_TOKEN is a project access token with the scope `api` and the role Reporter: a job's own token may not
 * write notes. Without it the comment stays in the log.
 */
import { readFileSync } from "node:fs";

const { env, argv, stdout, stderr } = process;
const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: request } = env;
const body = readFileSync(argv[2], "utf8");

try {
  stderr.write(`The comment: ${await post()}\n`);
} catch (error) {
  stderr.write(`The comment could not be written (${error.message}); here it is.\n`);
  stdout.write(`\n${body}`);
}

/** @returns the note's address. */
async function post() {
  const notes = `projects/${project}/merge_requests/${request}/notes`;
  const [marker] = body.split("\n");
  const { id: own } = await ask("GET", "user");
  let note;
  for (let page = "1"; page && !note;) {
    const response = await send("GET", `${notes}?per_page=100&page=${page}`);
    // Whoever writes a note may change it later: only the token's own is ours to fill.
    note = (await response.json()).find(
      ({ author, body: text }) => author.id === own && text.startsWith(marker),
    );
    page = response.headers.get("x-next-page");
  }
  const { id } = note
    ? await ask("PUT", `${notes}/${note.id}`, { body })
    : await ask("POST", notes, { body });
  return `${env.CI_MERGE_REQUEST_PROJECT_URL}/-/merge_requests/${request}#note_${id}`;
}

async function ask(...words) {
  return (await send(...words)).json();
}

async function send(method, route, value) {
  const response = await globalThis.fetch(`${api}/${route}`, {
    method,
    headers: { "private-token": env.COMPUTE_PREVIEW_TOKEN ?? "", "content-type": "application/json" },
    ...(value && { body: JSON.stringify(value) }),
  });
  if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}`);
  return response;
}
