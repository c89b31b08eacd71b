/**
 * Keeps one note on a GitLab merge request up to date:
 *
 *   node gitlab.mjs comment.md
 *
 * COMPUTE_PREVIEW_TOKEN is a project access token with the scope `api` and the role Reporter: a job's own token may not
 * write notes. Without it the comment stays in the log.
 */
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

const { env, argv, stdout, stderr } = process;
const { CI_API_V4_URL: api, CI_PIPELINE_IID: pipeline = "0" } = env;
const request = env.CI_MERGE_REQUEST_IID;
const requestRoute = `projects/${env.CI_MERGE_REQUEST_PROJECT_ID}/merge_requests/${request}`;
const notesRoute = `${requestRoute}/notes`;
// A pipeline of merged results runs on a separate commit.
const revision = env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || env.CI_COMMIT_SHA || "";
const base = env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME ?? "";
const limitMs = 30_000;
const longestWaitsMs = 150_000;
let waitedMs = 0;

const comment = unixLines(readFileSync(argv[2], "utf8"));
const [marker] = comment.split("\n");
// Without the first line that compute-preview writes, the next run would not find its note, and would write another one.
if (!/^\[_\]: # \(compute-preview(: .*)?\)$/.test(marker)) {
  stderr.write(
    `${argv[2]} is not a comment of compute-preview: write it with \`compute-preview --plain --details\`.\n`,
  );
  process.exit(1);
}
const place = [Number(pipeline), Number(env.CI_JOB_ID ?? 0)];
const body = [
  comment.trimEnd(),
  `Revision \`${revision.slice(0, 10)}\` into \`${base}\`, [this job](${env.CI_JOB_URL}).`,
  `[_]: # (compute-preview-run: ${place.join(".")})\n`,
].join("\n\n");

try {
  stderr.write(`${await post()}\n`);
} catch (error) {
  stderr.write(`The comment could not be written (${error.message}); here it is.\n`);
  stdout.write(`\n${comment}`);
}

/** @returns a sentence that says what happened to the note. */
async function post() {
  const { sha, target_branch: target } = await ask("GET", requestRoute);
  if (sha !== revision || target !== base)
    return "The merge request has changed since this preview, so its comment was not updated.";
  const { id: own } = await ask("GET", "user");
  const found = await ownNotes(own);
  if (found.some(isNewer)) return "The comment already shows a newer report, so it was not updated.";
  const id = (await update(found)) ?? (await begin(own, found));
  return `Comment: ${env.CI_MERGE_REQUEST_PROJECT_URL}/-/merge_requests/${request}#note_${id}`;
}

/** Anybody can write a note with this marker, so only notes of the token's own user count. The oldest comes first. */
async function ownNotes(own) {
  const isOwn = ({ author, body: text }) => author.id === own && text.split("\n")[0] === marker;
  const notes = (await list(notesRoute)).map((note) => ({ ...note, body: unixLines(note.body) }));
  return notes.filter(isOwn).sort((left, right) => left.id - right.id);
}

/** On Windows, files and notes may end their lines with CRLF. */
function unixLines(text) {
  return text.replaceAll("\r\n", "\n");
}

async function list(route) {
  const found = [];
  for (let page = "1"; page;) {
    const { json, headers } = await send("GET", `${route}?per_page=100&page=${page}`);
    found.push(...json);
    page = headers.get("x-next-page");
  }
  return found;
}

/** Reads only the last line, since names and messages above it could look the same. */
function isNewer({ body: text }) {
  const line = text.trimEnd().split("\n").at(-1);
  const found = /^\[_\]: # \(compute-preview-run: (\d+)\.(\d+)\)$/.exec(line);
  const other = found?.slice(1).map(Number) ?? [0, 0];
  return other[0] > place[0] || (other[0] === place[0] && other[1] > place[1]);
}

/** @returns the id of the first note that can be changed. */
async function update(notes) {
  for (const { id } of notes) {
    try {
      await ask("PUT", `${notesRoute}/${id}`, { body });
      return id;
    } catch (error) {
      if (![403, 404].includes(error.status)) throw error;
    }
  }
  return undefined;
}

/**
 * Writes a new note. If the answer is lost, it checks whether the note exists. If two notes are written at once, the
 * older note stays.
 */
async function begin(own, known) {
  const look = async () => (await ownNotes(own)).filter(({ id }) => !known.some((note) => note.id === id));
  const write = async () => (await ask("POST", notesRoute, { body })).id;
  const id = await write().catch(async (error) => {
    if (!error.isUnknown) throw error;
    return (await look()).find(({ body: text }) => text.trim() === body.trim())?.id ?? write();
  });
  const [first] = await look();
  if (first === undefined || first.id === id) return id;
  await ask("DELETE", `${notesRoute}/${id}`);
  return isNewer(first) ? first.id : ((await update([first])) ?? first.id);
}

async function ask(...words) {
  return (await send(...words)).json;
}

/**
 * Repeats a request after a rate limit. After a server error or a lost answer, it repeats all but a POST, which could
 * write twice.
 */
async function send(method, route, value) {
  for (let attempt = 1; ; attempt++) {
    const result = await sendOnce(method, route, value);
    if (result.error === undefined) return result;
    const { error, isLimit, waitMs = 500 * 2 ** (attempt - 1) } = result;
    const mayRepeat = isLimit || (error.isUnknown && method !== "POST");
    waitedMs += waitMs;
    if (!mayRepeat || attempt === 5 || waitedMs > longestWaitsMs) throw error;
    await setTimeout(waitMs);
  }
}

async function sendOnce(method, route, value) {
  try {
    const response = await globalThis.fetch(`${api}/${route}`, {
      method,
      headers: { "private-token": env.COMPUTE_PREVIEW_TOKEN ?? "", "content-type": "application/json" },
      ...(value && { body: JSON.stringify(value) }),
      signal: globalThis.AbortSignal.timeout(limitMs),
    });
    const text = await response.text();
    const { status, headers } = response;
    if (response.ok) return { json: text === "" ? text : JSON.parse(text), headers };
    const error = new Error(`${method} ${route} answered ${status}`);
    const after = Number(headers.get("retry-after") ?? Number.NaN);
    const waitMs = Number.isFinite(after) ? after * 1000 : status === 429 ? 60_000 : undefined;
    return {
      error: Object.assign(error, { status, isUnknown: status >= 500 }),
      isLimit: status === 429,
      waitMs,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { error: Object.assign(new Error(`${method} ${route}: ${reason}`), { isUnknown: true }) };
  }
}
