import { onLinux } from "../preview/workflows";
import type { LabelEvent, Pull, Run } from "./gitHub";
import {
  declarationOf,
  gitHubForEach,
  labelEvent,
  moves,
  previewOf,
  previewRun,
  pull,
  restarts,
  review,
  writesTo,
} from "./jobs";

const github = gitHubForEach();

const files = { "prod.json": previewOf(restarts) };

/** The label is there, and this is what became of it. */
function label(...events: readonly ReturnType<typeof labelEvent>[]): void {
  github.repository.labels = ["allow-restart"];
  github.repository.events.push(...events);
}

onLinux("a forbidden restart", () => {
  it("is refused where the label is not set, and the comment says who may set it", async () => {
    const { code, markdown } = await review(github, files);
    expect(code).toBe(24);
    expect(markdown).toContain(
      "**Refused** by `fail-on: restart,move`: `restart` (1). A reviewer who neither opened nor pushed this allows it with the label `allow-restart` (restart), for this preview alone.",
    );
    expect(github.repository.comments[0]!.body).toBe(
      `${markdown}<!-- compute-preview-run: 500.1.900.1 -->\n`,
    );
  });

  it("passes while the label of a reviewer is there, whose name is in the comment", async () => {
    label(labelEvent());
    const allowed = await review(github, files);
    expect(allowed.code).toBe(0);
    expect(allowed.markdown).toContain("Allowed by `reviewer`: restart of `app`.");
    expect(allowed.markdown).not.toContain("Refused");
    expect(allowed.outputs).toMatchObject({ code: "0", "allowed-by": "reviewer", refused: "" });
    github.repository.labels = [];
    github.repository.events.push(labelEvent({ event: "unlabeled", created_at: "2026-11-01T11:00:00Z" }));
    const { code, markdown } = await review(github, files);
    expect(code).toBe(24);
    expect(markdown).not.toContain("Allowed by");
    expect(github.repository.comments).toHaveLength(1);
  });

  it("passes only as far as the label goes", async () => {
    label(labelEvent());
    const { code, markdown } = await review(github, { "prod.json": previewOf(restarts, moves) });
    expect(code).toBe(22);
    expect(markdown).toContain("Allowed by `reviewer`: restart of `app`.");
    expect(markdown).toContain("**Refused** by `fail-on: restart,move`: `move` (1).");
  });
});

onLinux("a label", () => {
  const created = (created_at: string): LabelEvent => labelEvent({ created_at });
  const by = (login: string, type = "User"): LabelEvent => labelEvent({ actor: { login, type } });

  it.each<[reason: string, events: readonly LabelEvent[], there?: { runs?: Run[]; pulls?: Pull[] }]>([
    ["it was set before this preview", [created("2026-11-01T09:59:00Z")]],
    ["it was set before this preview", [created(previewRun.run_started_at)]],
    ["they opened this pull request", [by("Author")]],
    ["they may not write", [by("triager")]],
    ["it was set by a program", [by("github-actions[bot]", "Bot")]],
    ["nobody knows who set it", [labelEvent({ actor: null })]],
    ["nobody knows who set it", []],
    ["they opened this pull request", [labelEvent(), labelEvent({ event: "unlabeled" }), by("author")]],
    [
      "they pushed what is previewed",
      [labelEvent()],
      { runs: [{ ...previewRun, actor: { login: "reviewer" } }] },
    ],
    ["the same revision is in #9 as well", [labelEvent()], { pulls: [pull, { ...pull, number: 9 }] }],
  ])("does not count, and the comment says so: %s", async (...[reason, events, there]) => {
    label(...events);
    Object.assign(github.repository, there);
    const { code, markdown } = await review(github, files);
    expect(code).toBe(24);
    expect(markdown).toMatch(/^The label `allow-restart` by `.*` does not count: /m);
    expect(markdown).toContain(reason);
    expect(markdown).not.toContain("Allowed by");
  });

  it("does not allow what was pushed after it: the next preview began later", async () => {
    label(labelEvent());
    const began = { run_number: 4, run_started_at: "2026-11-01T12:00:00Z" };
    const next = { ...previewRun, ...began, id: 501, head_sha: "b".repeat(40) };
    github.repository.runs.push(next);
    const moved = { ...pull, head: { ...pull.head, sha: next.head_sha } };
    github.repository.pulls[0] = moved;
    const job = { event: { workflow_run: next }, artifacts: { 501: { ...declarationOf(moved), ...files } } };
    const ran = await review(github, undefined, job);
    expect(ran.code).toBe(24);
    expect(ran.markdown).toContain("set before this preview; take it off, and set it again");
    github.repository.events.push(labelEvent({ created_at: "2026-11-01T12:30:00Z" }));
    expect((await review(github, undefined, job)).code).toBe(0);
  });

  it("of another name may allow other kinds, and only those", async () => {
    github.repository.labels = ["Go Ahead"];
    const actor = { login: "owner", type: "User" };
    github.repository.events.push(labelEvent({ label: { name: "Go Ahead" }, actor }));
    const inputs = { "allow-labels": "allow-restart\ngo ahead=restart,move" };
    const ran = await review(github, { "prod.json": previewOf(restarts, moves) }, { inputs });
    expect(ran.code).toBe(0);
    expect(ran.markdown).toContain("Allowed by `owner`: restart of `app`; move of `mover`.");
  });

  it("that cannot be asked about allows nothing, and the report is written all the same", async () => {
    label(labelEvent());
    const ran = await review(github, files, { inputs: { token: "wrong" } });
    expect(ran.code).toBe(1);
    expect(ran.log).toContain("answered 401");
  });
});

onLinux("an approval of an environment", () => {
  const inputs = { "allow-labels": "", "allow-environments": "restarts=restart" };
  const approve = (login: string, state = "approved", name = "restarts"): void => {
    github.repository.approvals.push({ state, user: { login }, environments: [{ name }] });
  };

  it("in this run allows, and its name is in the comment", async () => {
    approve("keeper");
    const { code, markdown } = await review(github, files, { inputs });
    expect(code).toBe(0);
    expect(markdown).toContain("Allowed by `keeper`: restart of `app`.");
    expect(github.repository.requests).toContain("GET actions/runs/900/approvals");
  });

  it.each([
    { reason: "it is the author's", login: "author" },
    { reason: "it was refused", state: "rejected" },
    { reason: "it is of another environment", name: "staging" },
    { reason: "the run was run again: it may be of an earlier preview", attempt: "2" },
  ])("does not count where $reason", async ({ login = "keeper", state, name, attempt = "1" }) => {
    approve(login, state, name);
    const { code, markdown } = await review(github, files, { inputs, env: { GITHUB_RUN_ATTEMPT: attempt } });
    expect(code).toBe(24);
    const isObjected = markdown.includes("The approval of `restarts` by `author` does not count");
    expect(isObjected).toBe(login === "author");
  });
});

onLinux("the run that is reported on", () => {
  const elsewhere = { ...pull, head: { ...pull.head, sha: "c".repeat(40) } };

  it.each<[reason: string, pulled: Pull, change: Partial<Run>, says: string]>([
    ["is pushed over", elsewhere, {}, "no longer the head"],
    [
      "is not of the workflow that is named",
      pull,
      { path: ".github/workflows/mine.yml" },
      "the run is one of mine.yml",
    ],
    ["is run again", pull, { run_attempt: 2 }, "previewed again"],
    ["has not ended", pull, { status: "in_progress" }, "previewed again"],
    [
      "previewed nothing, since a title was edited",
      pull,
      { conclusion: "skipped" },
      "the run previewed nothing",
    ],
    [
      "is one on a push",
      pull,
      { event: "push" },
      "::notice::the run previewed on push, and not for a pull request",
    ],
  ])("is not reported on where it %s", async (...[, pulled, change, says]) => {
    github.repository.pulls[0] = pulled;
    github.repository.runs[0] = { ...previewRun, ...change };
    const { code, log, outputs, summary } = await review(github, files, { inputs: { status: "computes" } });
    expect({ code, summary, output: outputs["code"] }).toEqual({ code: 0, summary: "", output: "" });
    expect(log).toContain(says);
    expect(writesTo(github)).toEqual([]);
  });

  it("is no all-clear where it broke, though what it left says so", async () => {
    github.repository.runs[0] = { ...previewRun, conclusion: "failure" };
    const { code, markdown } = await review(github, { "dev.json": previewOf() });
    expect(code).toBe(3);
    expect(markdown).toContain("The run that previews ended as `failure`: stacks may be missing here.");
    expect(github.repository.comments).toHaveLength(1);
  });

  it("is no all-clear where not all that it left could be downloaded", async () => {
    const job = { breaksDownload: true, inputs: { status: "computes ({base})" } };
    const { code, markdown } = await review(github, { "dev.json": previewOf() }, job);
    expect(code).toBe(3);
    expect(markdown).toContain("could not all be downloaded, so that stacks may be missing here");
    expect(github.repository.statuses.map(({ state }) => state)).toEqual(["failure"]);
  });

  it("may have left nothing, as that of a fork without keys", async () => {
    github.repository.runs[0] = { ...previewRun, conclusion: "failure" };
    const { code, markdown } = await review(github, undefined);
    expect(code).toBe(3);
    expect(markdown).toContain(
      "**There is no preview: whether a compute drops its connections is not known.**",
    );
  });
});

onLinux("the status", () => {
  it("is set on the revision that was previewed", async () => {
    await review(github, files, { inputs: { status: "computes" } });
    label(labelEvent());
    await review(github, files, { inputs: { status: "computes" } });
    const refused = "refused: restart; 1 compute drops its connections";
    const allowed = "1 compute drops its connections, allowed by reviewer";
    const of = { context: "computes", sha: pull.head.sha };
    expect(github.repository.statuses).toMatchObject([
      { ...of, state: "failure", description: refused },
      { ...of, state: "success", description: allowed },
    ]);
  });

  it("that may not be set is a warning, and the ending stays", async () => {
    github.repository.mayWrite = false;
    const { code, log } = await review(github, files, { inputs: { status: "computes" } });
    expect(code).toBe(24);
    expect(log).toContain(
      `::warning::The status could not be set (POST statuses/${pull.head.sha} answered 403).`,
    );
  });
});
