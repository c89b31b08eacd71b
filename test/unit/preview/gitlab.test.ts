import { marker, post, route, type Note, type Situation } from "./gitLabServer";

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
    ["it is on a later page, and is never another's", paged, { pageLength: 1 }, [false, false, true]],
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

  it("goes to the log where the token may not write", async () => {
    const notes: Note[] = [];
    const { code, out, err } = await post(notes, { token: "" });
    expect({ code, notes }).toEqual({ code: 0, notes: [] });
    expect(err).toContain("answered 401");
    expect(out).toContain("the report");
  });
});
