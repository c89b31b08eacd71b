/** A green status is about this pull request, this revision and this base. */
import { onLinux } from "../preview/workflows";
import { type Pull } from "./gitHub";
import {
  declarationOf,
  gitHubForEach,
  labelEvent,
  ownRun,
  previewOf,
  previewRun,
  pull,
  restarts,
  review,
  writesTo,
} from "./jobs";

const github = gitHubForEach();

const clean = { "dev.json": previewOf() };
const restarting = { "dev.json": previewOf(restarts) };
/** The same revision, into another branch. */
const sibling: Pull = { ...pull, number: 9, base: { ref: "dev" } };
const withStatus = (status: string): { inputs: Record<string, string> } => ({ inputs: { status } });
const states = (): readonly string[] =>
  github.repository.statuses.map(({ context, state }) => `${context}: ${state}`);

onLinux("a revision that is the head of two pull requests", () => {
  it("gets no green status where their bases differ, and the comment says why", async () => {
    github.repository.pulls.push(sibling);
    const { markdown } = await review(github, clean, withStatus("computes"));
    expect(states()).toEqual(["computes: failure"]);
    const why = "this revision is also the head of #9 into dev; put {base} into the status's name";
    expect(github.repository.statuses[0]!.description).toContain(why);
    const { code } = await review(github, restarting, withStatus("computes"));
    expect(code).toBe(24);
    expect(states()).toEqual(["computes: failure", "computes: failure"]);
    expect(github.repository.comments[0]!.body).toContain(`The status fails: ${why}`);
    expect(markdown).toContain("Revision `aaaaaaaaaa` into `main`");
  });

  it("gets a status of its own for each base, if the name says which", async () => {
    github.repository.pulls.push(sibling);
    await review(github, restarting, withStatus("computes ({base})"));
    const artifacts = { [previewRun.id]: { ...declarationOf(sibling), ...clean } };
    await review(github, undefined, { ...withStatus("computes ({base})"), artifacts });
    expect(states()).toEqual(["computes (main): failure", "computes (dev): success"]);
  });

  const inOneBranch = { ...sibling, head: { ...pull.head, ref: "another" }, base: pull.base };
  const named = { eventName: "push", event: {} };
  const inputs = { status: "computes", "pr-number": "7", previews: "dev.json" };

  it.each([
    { reason: "both go into one branch", other: inOneBranch, run: review, job: {}, state: "success" },
    { reason: "the run is on pull_request", other: sibling, run: ownRun, job: {}, state: "failure" },
    {
      reason: "an input names one",
      other: sibling,
      run: ownRun,
      job: { ...named, inputs },
      state: "failure",
    },
  ])("gets $state where $reason", async ({ other, run, job, state }) => {
    github.repository.pulls.push(other);
    await run(github, clean, { ...withStatus("computes"), ...job });
    expect(states()).toEqual([`computes: ${state}`]);
  });

  it("is closed by the second one's opening, before it is previewed", async () => {
    await review(github, clean, withStatus("computes"));
    github.repository.pulls.push(sibling);
    const event = { action: "opened", pull_request: sibling };
    const job = { ...withStatus("computes"), eventName: "pull_request_target", event };
    const { log } = await review(github, clean, job);
    expect(log).toContain("the newest preview of this revision is that of #7");
    expect(states()).toEqual(["computes: success", "computes: pending"]);
  });
});

onLinux("what the previews say that they are of", () => {
  const reviewed = (change: Partial<Pull>): ReturnType<typeof review> => {
    const artifacts = { [previewRun.id]: { ...declarationOf({ ...pull, ...change }), ...clean } };
    return review(github, undefined, { ...withStatus("computes"), artifacts });
  };

  it.each([
    ["another base, after a retarget", { base: { ref: "dev" } }, "pending"],
    ["another revision", { head: { ...pull.head, sha: "b".repeat(40) } }, "pending"],
    ["another pull request", { number: 9 }, undefined],
  ])("makes no status green, and writes no comment: %s", async (_reason, change, state) => {
    const { code } = await reviewed(change);
    expect(code).toBe(0);
    expect(states()).toEqual(state === undefined ? [] : [`computes: ${state}`]);
    expect(github.repository.comments).toEqual([]);
  });

  it("takes a green status back at once when the base changes", async () => {
    await review(github, clean, withStatus("computes"));
    github.repository.pulls[0] = { ...pull, base: { ref: "prod" } };
    const event = { action: "edited", pull_request: github.repository.pulls[0] };
    await review(github, clean, { ...withStatus("computes"), eventName: "pull_request_target", event });
    expect(states()).toEqual(["computes: success", "computes: pending"]);
    const why = "#7 was previewed into main, and goes into prod now";
    expect(github.repository.statuses[1]!.description).toBe(why);
  });

  const [one, other] = [pull, sibling].map((of) => Object.entries(declarationOf(of))[0]!);
  const twice = { [`0/${one![0]}`]: one![1], [`1/${other![0]}`]: other![1] };
  it.each([
    { reason: "is missing", files: {}, says: "left no compute-preview.run.json" },
    { reason: "is no JSON", files: { "compute-preview.run.json": "{" }, says: "disagree" },
    { reason: "differs from artifact to artifact", files: twice, says: "disagree" },
  ])("is no all-clear if it $reason", async ({ files, says }) => {
    const artifacts = { [previewRun.id]: { ...files, ...clean } };
    const { code, markdown } = await review(github, undefined, { ...withStatus("computes"), artifacts });
    expect(code).toBe(3);
    expect(states()).toEqual(["computes: failure"]);
    expect(markdown).toMatch(new RegExp(`It is not known what was previewed: .*${says}`));
  });
});

onLinux("a label", () => {
  it("counts for the pull request that it is on, where each base has its own status", async () => {
    github.repository.labels = ["allow-restart"];
    github.repository.events.push(labelEvent());
    github.repository.pulls.push(sibling);
    const { code } = await review(github, restarting, withStatus("computes ({base})"));
    expect(code).toBe(0);
    expect(states()).toEqual(["computes (main): success"]);
    expect(github.repository.requests).toContain("GET issues/7/events");
  });
});

onLinux("a pull request that moves on while it is previewed", () => {
  it.each([
    { reason: "a push", change: { head: { ...pull.head, sha: "c".repeat(40) } } },
    { reason: "a retarget", change: { base: { ref: "dev" } } },
  ])("keeps its comment and its status: $reason", async ({ change }) => {
    github.repository.pulls[0] = { ...pull, ...change };
    const { code, log, summary } = await ownRun(github, restarting, withStatus("computes"));
    expect(code).toBe(0);
    expect(log).toContain("#7 has moved on since this preview");
    expect(summary).toContain("1 compute restarts");
    expect(writesTo(github)).toEqual([]);
  });
});

onLinux("a pull request that an input names", () => {
  const push = { eventName: "push", event: {} };
  const inputs = { "pr-number": "7", status: "computes", previews: "dev.json" };

  it("gets the comment, and the status of the revision that this run is on", async () => {
    await ownRun(github, restarting, { ...push, inputs });
    expect(github.repository.comments[0]!.body).toContain("1 compute restarts");
    expect(states()).toEqual(["computes: success"]);
  });

  it("gets no status from a run that is not on its revision", async () => {
    const job = { ...push, env: { GITHUB_SHA: "f".repeat(40) }, inputs: { ...inputs, comment: "always" } };
    const { log } = await ownRun(github, clean, job);
    expect(states()).toEqual([]);
    expect(log).toContain("No status is set");
    expect(github.repository.comments[0]!.body).not.toContain("Revision");
  });
});

onLinux("a merge queue", () => {
  const sha = "d".repeat(40);
  const queued = (ref = `refs/heads/gh-readonly-queue/main/pr-7-${"e".repeat(40)}`): object => ({
    merge_group: { head_sha: sha, head_ref: ref, base_sha: "e".repeat(40), base_ref: "refs/heads/main" },
  });
  const pass = (event = queued()): ReturnType<typeof review> =>
    review(github, undefined, { ...withStatus("computes ({base})"), eventName: "merge_group", event });

  it("gets the status of the pull request that it adds", async () => {
    await review(github, clean, withStatus("computes ({base})"));
    expect((await pass()).code).toBe(0);
    expect(github.repository.statuses.at(-1)).toMatchObject({
      sha,
      context: "computes (main)",
      state: "success",
      description: "#7: 0 computes drop their connections",
    });
  });

  it.each([
    { reason: "is refused", files: restarting, ref: undefined, state: "failure" },
    { reason: "was never previewed", files: undefined, ref: undefined, state: "failure" },
    { reason: "is not named", files: clean, ref: "refs/heads/queue", state: "error" },
  ])("is not passed by a pull request that $reason", async ({ files, ref, state }) => {
    if (files !== undefined) await review(github, files, withStatus("computes ({base})"));
    await pass(queued(ref));
    expect(github.repository.statuses.at(-1)).toMatchObject({ sha, state });
  });

  it("may be previewed itself: then the status is that of its own previews", async () => {
    const inputs = { previews: "dev.json", "fail-on": "restart", status: "computes" };
    const job = { eventName: "merge_group", event: queued(), inputs };
    const { code, summary } = await ownRun(github, restarting, job);
    expect(code).toBe(24);
    expect(summary).toContain("1 compute restarts");
    expect(github.repository.statuses).toMatchObject([{ sha, state: "failure" }]);
  });
});
