import { onLinux } from "../preview/workflows";
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
} from "./jobs";
import type { JobResult } from "./runner";

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

  it("passes where a reviewer set it, whose name is in the comment", async () => {
    label(labelEvent());
    const { code, markdown, outputs } = await review(github, files);
    expect(code).toBe(0);
    expect(markdown).toContain("Allowed by `reviewer`: restart of `app`.");
    expect(markdown).not.toContain("Refused");
    expect(outputs).toMatchObject({ code: "0", "allowed-by": "reviewer", refused: "" });
  });

  it("is refused again once the label is taken off", async () => {
    label(labelEvent());
    expect((await review(github, files)).code).toBe(0);
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
  const earlier = "2026-11-01T09:59:00Z";
  it.each([
    ["it was set before this preview", [labelEvent({ created_at: earlier })]],
    ["it was set before this preview", [labelEvent({ created_at: previewRun.run_started_at })]],
    ["they opened this pull request", [labelEvent({ actor: { login: "Author", type: "User" } })]],
    ["they may not write", [labelEvent({ actor: { login: "triager", type: "User" } })]],
    ["it was set by a program", [labelEvent({ actor: { login: "github-actions[bot]", type: "Bot" } })]],
    ["nobody knows who set it", [labelEvent({ actor: null })]],
    ["nobody knows who set it", []],
    [
      "they opened this pull request",
      [
        labelEvent(),
        labelEvent({ event: "unlabeled" }),
        labelEvent({ actor: { login: "author", type: "User" } }),
      ],
    ],
  ])("does not count, and the comment says so: %s", async (reason, events) => {
    label(...events);
    const { code, markdown } = await review(github, files);
    expect(code).toBe(24);
    expect(markdown).toMatch(/^The label `allow-restart` by `.*` does not count: /m);
    expect(markdown).toContain(reason);
    expect(markdown).not.toContain("Allowed by");
  });

  it("of whoever pushed what is previewed does not count", async () => {
    label(labelEvent());
    github.repository.runs[0] = { ...previewRun, actor: { login: "reviewer" } };
    expect((await review(github, files)).markdown).toContain("they pushed what is previewed");
  });

  it("does not allow what was pushed after it: the next preview began later", async () => {
    label(labelEvent());
    const next = {
      ...previewRun,
      id: 501,
      run_number: 4,
      run_started_at: "2026-11-01T12:00:00Z",
      head_sha: "b".repeat(40),
    };
    github.repository.runs.push(next);
    const moved = { ...pull, head: { ...pull.head, sha: next.head_sha } };
    github.repository.pulls[0] = moved;
    const artifacts = { 501: { ...declarationOf(moved), ...files } };
    const ran = await review(github, undefined, { event: { workflow_run: next }, artifacts });
    expect(ran.code).toBe(24);
    expect(ran.markdown).toContain("set before this preview; take it off, and set it again");
    github.repository.events.push(labelEvent({ created_at: "2026-11-01T12:30:00Z" }));
    const again = await review(github, undefined, {
      event: { workflow_run: next },
      artifacts,
    });
    expect(again.code).toBe(0);
  });

  it("does not allow what the same revision is in elsewhere", async () => {
    label(labelEvent());
    github.repository.pulls.push({ ...pull, number: 9 });
    const { code, markdown } = await review(github, files);
    expect(code).toBe(24);
    expect(markdown).toContain("the same revision is in #9 as well");
  });

  it("of another name may allow other kinds, and only those", async () => {
    github.repository.labels = ["Go Ahead"];
    github.repository.events.push(
      labelEvent({ label: { name: "Go Ahead" }, actor: { login: "owner", type: "User" } }),
    );
    const inputs = { "allow-labels": "allow-restart\ngo ahead=restart,move" };
    const ran = await review(github, { "prod.json": previewOf(restarts, moves) }, { inputs });
    expect(ran.code).toBe(0);
    expect(ran.markdown).toContain("Allowed by `owner`: restart of `app`; move of `mover`.");
  });

  it("is looked at when it is set, with the previews that are there", async () => {
    label(labelEvent());
    const event = { action: "labeled", label: { name: "allow-restart" }, pull_request: pull };
    const ran = await review(github, files, { eventName: "pull_request_target", event });
    expect(ran.code).toBe(0);
    expect(ran.markdown).toContain("Allowed by `reviewer`");
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
    { reason: "it is the author's", login: "author", state: "approved", name: "restarts" },
    { reason: "it was refused", login: "keeper", state: "rejected", name: "restarts" },
    { reason: "it is of another environment", login: "keeper", state: "approved", name: "staging" },
  ])("does not count where $reason", async ({ login, state, name }) => {
    approve(login, state, name);
    const { code, markdown } = await review(github, files, { inputs });
    expect(code).toBe(24);
    expect(markdown.includes("The approval of `restarts` by `author` does not count")).toBe(
      login === "author",
    );
  });

  it("does not count in a run that was run again: it may be of an earlier preview", async () => {
    approve("keeper");
    expect((await review(github, files, { inputs, env: { GITHUB_RUN_ATTEMPT: "2" } })).code).toBe(24);
  });
});

onLinux("the run that is reported on", () => {
  const without = async (): Promise<JobResult> => {
    const ran = await review(github, files);
    expect(github.repository.requests.filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(ran.outputs["code"]).toBe("");
    return ran;
  };

  it("must be of the head: what was pushed over is left to the next one", async () => {
    github.repository.pulls[0] = { ...pull, head: { ...pull.head, sha: "c".repeat(40) } };
    expect(await without()).toMatchObject({
      code: 0,
      log: expect.stringContaining("no longer the head") as string,
    });
  });

  it("must be of the workflow that is named, whatever others call themselves", async () => {
    github.repository.runs[0] = { ...previewRun, path: ".github/workflows/mine.yml" };
    expect((await without()).log).toContain("the run is one of mine.yml");
  });

  it.each([
    { reason: "is run again", change: { run_attempt: 2 } },
    { reason: "has not ended", change: { status: "in_progress" } },
  ])("is left to the next report where it $reason", async ({ change }) => {
    github.repository.runs[0] = { ...previewRun, ...change };
    expect((await without()).log).toContain("previewed again");
  });

  it("is no all-clear where it broke, though what it left says so", async () => {
    github.repository.runs[0] = { ...previewRun, conclusion: "failure" };
    const { code, markdown } = await review(github, { "dev.json": previewOf() });
    expect(code).toBe(3);
    expect(markdown).toContain("The run that previews ended as `failure`: stacks may be missing here.");
    expect(github.repository.comments).toHaveLength(1);
  });

  it("is no all-clear where not all that it left could be downloaded", async () => {
    const { code, markdown } = await review(
      github,
      { "dev.json": previewOf() },
      { breaksDownload: true, inputs: { status: "computes ({base})" } },
    );
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
    expect(github.repository.statuses).toMatchObject([
      {
        context: "computes",
        sha: pull.head.sha,
        state: "failure",
        description: "refused: restart; 1 compute drops its connections",
      },
      {
        sha: pull.head.sha,
        state: "success",
        description: "1 compute drops its connections, allowed by reviewer",
      },
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
