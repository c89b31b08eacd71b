import { marker, post, route, type Note, type Situation } from "./gitLabServer";
import type { Ran } from "./previews";

const remark = (id: number, author: number, body: string): Note => ({ id, body, author: { id: author } });

describe("the note on a merge request", () => {
  it("is begun by the first run, and updated by the second", async () => {
    const notes: Note[] = [];
    const first = await post(notes);
    notes[0]!.body = `${marker}\n\nold`;
    expect(await post(notes)).toEqual(first);
    expect(first).toMatchObject({
      code: 0,
      err: "The comment: https://gitlab.example/acme/shop/-/merge_requests/7#note_1\n",
    });
    expect(notes.map(({ body }) => body)).toEqual([
      `${marker}\n\nthe report\n\nRevision \`abc\` into \`main\`, [this job](https://gitlab.example/acme/shop/-/jobs/9).\n\n[_]: # (compute-preview-run: 12.9)\n`,
    ]);
  });

  it.each([
    { reason: "another revision", now: { head: "def" } },
    { reason: "another target", now: { target: "prod" } },
  ])("stays where the merge request has $reason by now", async ({ now }) => {
    const notes: Note[] = [];
    const { code, err } = await post(notes, now);
    expect({ code, notes }).toEqual({ code: 0, notes: [] });
    expect(err).toContain("The merge request has moved on");
  });

  it("of a newer pipeline stays, and that of an older one does not", async () => {
    const notes = [remark(1, 5, `${marker}\n\nnewer\n\n[_]: # (compute-preview-run: 13.1)`)];
    expect((await post(notes)).err).toContain("A newer job has written the comment");
    expect(notes[0]!.body).toContain("newer");
    await post(notes, { pipeline: 14 });
    expect(notes.map(({ body }) => body.includes("the report"))).toEqual([true]);
  });

  const old = `${marker}\n\nold`;
  const named = `${marker}\n\n[_]: # (compute-preview-run: 99.1)\n\n[_]: # (compute-preview-run: 11.1)`;
  const paged = [remark(1, 9, `${marker}\n\nall is well`), remark(2, 5, "a remark"), remark(3, 5, old)];
  it.each<[reason: string, notes: Note[], situation: Situation, updated: readonly boolean[]]>([
    ["its lines end with CRLF", [remark(1, 5, old.replaceAll("\n", "\r\n"))], {}, [true]],
    ["the comment's lines end with CRLF", [remark(1, 5, old)], { lineEnd: "\r\n" }, [true]],
    ["names in it say that it is newer", [remark(1, 5, named)], {}, [true]],
    ["it cannot be changed, so that another is begun", [remark(1, 5, old)], { foreign: [1] }, [false, true]],
    [
      "it is on a later page, and never where it is another's",
      paged,
      { pageLength: 1 },
      [false, false, true],
    ],
  ])("is found and updated where %s", async (...[, notes, situation, updated]) => {
    await post(notes, situation);
    expect(notes.map(({ body }) => body.includes("the report"))).toEqual(updated);
  });

  it("is one, though another job begins one at the same time", async () => {
    const notes: Note[] = [];
    const before = (request: string): void => {
      if (request.startsWith("POST") && notes.length === 0)
        notes.push(remark(1, 5, `${marker}\n\nof another`));
    };
    await post(notes, { before });
    expect(notes.map(({ id, body }) => [id, body.includes("the report")])).toEqual([[1, true]]);
  });

  it.each(["GET /user", `GET ${route}`, "GET /projects/3/merge_requests/7", `POST ${route}`])(
    "survives a fault of each kind at %s",
    async (name) => {
      const at = { of: new RegExp(`^${name}$`), times: 1, headers: { "retry-after": "0" } };
      const faults = [
        { ...at, status: 502, isDone: true },
        { ...at, status: 429 },
      ];
      const notes: Note[] = [];
      const { err } = await post(notes, { faults });
      expect(err).toContain("The comment: ");
      expect(notes).toHaveLength(1);
    },
  );

  it.each([
    { reason: "the token may not write", situation: { token: "" }, says: "answered 401" },
    {
      reason: "no merge request brought the commit",
      situation: { brought: [{ iid: 9, state: "opened" }] },
      says: "no merge request brought this commit",
    },
  ])("goes to the log where $reason", async ({ situation, says }) => {
    const notes: Note[] = [];
    const { code, out, err } = await post(notes, situation);
    expect({ code, notes }).toEqual({ code: 0, notes: [] });
    expect(err).toContain(says);
    expect(out).toContain("the report");
  });
});

describe("the note after a merge", () => {
  const merged = { iid: 7, state: "merged", merge_commit_sha: "abc" };
  const others = [
    { iid: 9, state: "opened" },
    { iid: 8, state: "merged", merge_commit_sha: "def", squash_commit_sha: null },
  ];

  it("is on the merge request whose merge made the commit, and is updated by the next job", async () => {
    const notes: Note[] = [];
    const brought = [...others, merged];
    const first = await post(notes, { brought });
    expect(first).toMatchObject({ code: 0, out: "" });
    expect(first.err).toContain("https://gitlab.example/acme/shop/-/merge_requests/7#note_1");
    expect(await post(notes, { brought, pipeline: 13 })).toEqual(first);
    expect(notes).toHaveLength(1);
    expect(notes[0]!.body).toContain("Revision `abc`, [this job]");
  });

  it("is that of a squashed merge too, and asks again after an error", async () => {
    const notes: Note[] = [];
    const faults = [{ of: /^GET .*merge_requests$/, times: 1, status: 502 }];
    const squashed = { ...merged, merge_commit_sha: null, squash_commit_sha: "abc" };
    await post(notes, { brought: [squashed], faults });
    expect(notes).toHaveLength(1);
  });
});

describe("the preview that reviewers saw", () => {
  const brought = [{ iid: 7, state: "merged", merge_commit_sha: "abc" }];
  const of = (head: string): Readonly<Record<string, unknown>> => ({
    "merge_requests/7/pipelines": [{ id: 11 }, { id: 13, project_id: 4 }, { id: 12 }],
    "pipelines/13/jobs": [{ id: 131, name: "lint" }],
    "pipelines/12/jobs": [
      { id: 121, name: "lint" },
      { id: 122, name: "compute preview" },
    ],
    "jobs/122/artifacts/previews/compute-preview.run.json": { number: 7, head },
    "jobs/122/artifacts/previews/1.dev.ndjson": { sequence: 0 },
  });
  const read = (situation: Situation, file = "1.dev.ndjson"): Promise<Ran> =>
    post([], { brought, head: "def", ...situation }, ["--reviewed", file]);

  it("is of the newest pipeline that previewed, and of what was merged", async () => {
    expect(await read({ previewed: of("def"), pageLength: 1 })).toEqual({
      code: 0,
      out: '{"sequence":0}',
      err: "",
    });
  });

  it.each([
    { reason: "is of an earlier revision", previewed: of("abc"), says: "is of another revision" },
    { reason: "was never made", previewed: { "merge_requests/7/pipelines": [] }, says: "no pipeline of" },
    {
      reason: "has expired",
      previewed: { ...of("def"), "jobs/122/artifacts/previews/1.dev.ndjson": 404 },
      says: "answered 404",
    },
    { reason: "may not be read", previewed: of("def"), token: "", says: "answered 401" },
    { reason: "is of no merge request", previewed: of("def"), brought: [], says: "no merge request brought" },
  ])("is none where it $reason, and the log says so", async ({ says, ...situation }) => {
    const { code, out, err } = await read(situation);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(says);
  });
});
