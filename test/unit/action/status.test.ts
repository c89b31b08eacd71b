/** The status: what it is called, what it says, and what becomes of it if GitHub does not answer. */
import { onLinux } from "../preview/workflows";
import { gitHubForEach, ownRun, previewOf, pull, restarts } from "./jobs";

const github = gitHubForEach({ isEmpty: true });

onLinux("the status", () => {
  it("is named after the base, whatever characters that has", async () => {
    const odd = { ...pull, base: { ref: "cost$&$'1" } };
    github.repository.pulls.push(odd);
    const job = { event: { pull_request: odd }, inputs: { status: "computes ({base})" } };
    await ownRun(github, { "dev.json": previewOf() }, job);
    expect(github.repository.statuses).toMatchObject([{ context: "computes (cost$&$'1)" }]);
  });

  const may = { name: "pooled", new: { poolerEnabled: true } };

  it.each([
    { reason: "some", previews: previewOf(restarts, may), says: "1 compute drops its connections, 1 may" },
    { reason: "none", previews: previewOf(may), says: "0 computes drop their connections, 1 may" },
  ])("counts those that may drop them, where $reason certainly do", async ({ previews, says }) => {
    github.repository.pulls.push(pull);
    await ownRun(github, { "dev.json": previews }, { inputs: { status: "computes" } });
    expect(github.repository.statuses).toMatchObject([{ state: "success", description: says }]);
  });
});

onLinux("a preview that could not ask the service", () => {
  it("fails the step and the status without fail-on, and says so", async () => {
    github.repository.pulls.push(pull);
    const verdict = { effect: "restart", certain: true, unasked: true, endpointId: undefined } as const;
    const previews = { "dev.json": previewOf({ ...restarts, verdict }) };
    const { code } = await ownRun(github, previews, { inputs: { status: "computes" } });
    expect(code).toBe(5);
    const description = "the service could not be asked; 1 compute drops its connections";
    expect(github.repository.statuses).toMatchObject([{ state: "failure", description }]);
  });
});

onLinux("a token that may not read pull requests", () => {
  beforeEach(() => {
    github.repository.faults.push({ of: /^GET pulls/, status: 403, body: "{}", times: 9 });
  });

  it.each([
    { reason: "nothing is refused", previews: { "dev.json": previewOf() }, code: 0, set: [] },
    { reason: "a restart is", previews: { "dev.json": previewOf(restarts) }, code: 24, set: ["failure"] },
  ])("keeps the comment and the exit code, and gets no green status: $reason", async (expected) => {
    const inputs = { status: "computes", "fail-on": "restart", comment: "always" };
    const { comments, statuses } = github.repository;
    const { code, log } = await ownRun(github, expected.previews, { inputs });
    expect({ code, states: statuses.map(({ state }) => state) }).toEqual({
      code: expected.code,
      states: expected.set,
    });
    expect(comments).toHaveLength(1);
    expect(log).toContain("The pull requests of this revision could not be asked for (GET pulls?state=open");
  });

  it("keeps the report of a pull request that an input names in the summary", async () => {
    const inputs = { "pr-number": "7", "fail-on": "restart", previews: "dev.json" };
    const job = { eventName: "push", event: {}, inputs };
    const { code, log, summary } = await ownRun(github, { "dev.json": previewOf(restarts) }, job);
    expect(code).toBe(24);
    expect(summary).toContain("1 compute restarts");
    expect(log).toContain("::warning::The pull request could not be asked for (GET pulls/7 answered 403)");
  });
});
