import examples from "@octokit/webhooks-examples";
import { subjectOf } from "../../../action/subject";
import { openRunner } from "../../../action/runner";
import { objectionsTo, type Request } from "./openApi";

it.each<[reason: string, request: Request, says: string]>([
  ["a route", { method: "GET", route: "repos/a/b/issue/7/comments" }, "there is no such route"],
  ["a method", { method: "PUT", route: "repos/a/b/issues/7/comments" }, "there is no such route"],
  ["a parameter", { method: "GET", route: "repos/a/b/issues?creater=me" }, "no parameter creater"],
  ["a value", { method: "GET", route: "repos/a/b/issues?state=opened" }, "state is opened"],
  ["a number", { method: "GET", route: "repos/a/b/issues/x/comments" }, "issue_number is x"],
  [
    "a member",
    { method: "POST", route: "repos/a/b/issues/7/comments", body: { text: "a" } },
    "no member text",
  ],
  ["a body", { method: "POST", route: "repos/a/b/issues/7/comments", body: {} }, "the body is {}"],
])("a stand-in of GitHub refuses %s that GitHub does not have", (...[, request, says]) => {
  expect(objectionsTo(request).join("\n")).toContain(says);
});

interface Example {
  readonly number?: number;
  readonly pull_request?: { readonly number: number; readonly head: { readonly sha: string } };
}

const events = (examples as unknown as readonly { name: string; examples: readonly Example[] }[]).flatMap(
  ({ name, examples: all }) => all.map((event, index) => ({ name, index, event })),
);
const about = events.filter(({ name }) => name === "pull_request" || name === "push");

it.each(about)("GitHub's own example of an event is understood: $name $index", ({ name, event }) => {
  const runner = { ...openRunner({ GITHUB_EVENT_NAME: name }, () => undefined), event };
  const subject = subjectOf(runner, { pullNumber: undefined });
  expect(subject?.number).toBe(event.pull_request?.number);
  expect(subject?.revision?.sha).toBe(event.pull_request?.head.sha);
});
