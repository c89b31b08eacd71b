/**
 * GitHub's interface, as far as the action needs it.
 */

/** An answer that is none of success. */
export class GitHubError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface GitHub {
  readonly get: (route: string) => Promise<unknown>;
  /** All pages of a list. */
  readonly list: (route: string) => Promise<readonly unknown[]>;
  readonly send: (method: "POST" | "PATCH", route: string, body: object) => Promise<unknown>;
}

const limitMs = 30_000;
/** More than any pull request has; a server that names itself as its next page ends there. */
const mostPages = 100;

/** @param api - such as `https://api.github.com/repos/acme/shop`. */
export function openGitHub(api: string, token: string): GitHub {
  async function ask(method: string, route: string, body?: object): Promise<Response> {
    const response = await fetch(`${api}/${route}`, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "x-github-api-version": "2022-11-28",
        "user-agent": "compute-preview",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(limitMs),
    });
    if (response.ok) return response;
    // The body may quote what was sent: the status and the route say enough.
    throw new GitHubError(response.status, `${method} ${route} answered ${response.status}`);
  }

  async function list(route: string): Promise<readonly unknown[]> {
    const items: unknown[] = [];
    for (let page = 1; page <= mostPages; page++) {
      const mark = route.includes("?") ? "&" : "?";
      const response = await ask("GET", `${route}${mark}per_page=100&page=${page}`);
      items.push(...((await response.json()) as unknown[]));
      if (!/rel="next"/.test(response.headers.get("link") ?? "")) return items;
    }
    throw new Error(`GET ${route} has more than ${mostPages} pages`);
  }

  return {
    get: async (route) => (await ask("GET", route)).json(),
    list,
    send: async (method, route, body) => (await ask(method, route, body)).json(),
  };
}
