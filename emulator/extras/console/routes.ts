/**
 * The routes of the console: the page, and the feed that keeps it up to date.
 */
import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { refuseForeign } from "../../service/controls/access";
import type { Controls } from "../../service/controls/controls";
import type { Bindings } from "../../service/controls/routes";
import { ServiceError } from "../../service/model/errors";
import { content, page } from "./page";
import { toConsoleProjects } from "./view";

/** How often an open page is brought up to date: often enough to see a restart as it happens. */
const lookEveryMs = 150;

/**
 * A read-only page that shows what the service does.
 *
 * @param computes - whether computes are real, in words.
 */
export function createConsole(controls: Controls, computes: string): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.use("/_emulator/console/*", async (context, next) => {
    try {
      refuseForeign(context.env.incoming);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return Response.json({ message: error.message }, { status: error.status });
    }
    await next();
    return undefined;
  });

  app.get("/_emulator/console", async () => {
    const nonce = randomBytes(16).toString("base64");
    const text = await page(toConsoleProjects(controls), { computes, nonce });
    return new Response(String(text), { headers: pageHeaders(nonce) });
  });

  app.get("/_emulator/console/feed", (context) =>
    streamSSE(context, async (stream) => {
      for (let last = ""; !stream.aborted && !stream.closed; await stream.sleep(lookEveryMs)) {
        const data = String(await content(toConsoleProjects(controls)));
        if (data !== last) await stream.writeSSE({ data });
        last = data;
      }
    }),
  );

  return app;
}

function pageHeaders(nonce: string): Record<string, string> {
  const own = `'nonce-${nonce}'`;
  const policy = `default-src 'none'; script-src ${own}; style-src ${own}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
  };
}
