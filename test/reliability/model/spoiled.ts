/** What a sender gets in place of the service's answer. */
import type { Dispatcher } from "undici";
import type { Trouble } from "./life";

export interface Given extends Pick<Dispatcher.ResponseData, "statusCode" | "headers"> {
  readonly text: string;
}

/** @param real - the service's own answer, if it gave one. */
export function spoiled(
  kind: Trouble["answer"],
  real: Given = { statusCode: 200, headers: {}, text: "" },
): Given {
  const { text } = real;
  const given = (statusCode: number, message = "", headers = {}): Given => ({
    statusCode,
    headers,
    text: message,
  });
  switch (kind) {
    case "cut":
      throw Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
    case "none":
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    case "truncated":
      return { ...real, text: text.slice(0, text.length / 2) };
    case "garbled":
      return { ...real, text: `<html>${text}` };
    case "wrong shape":
      return { ...real, text: '{"endpoint":{}}' };
    case "gateway's 404":
      return given(404, '{"message":"no Route matched with those values"}');
    case "service's 404":
      return given(404, '{"code":"not_found","message":"There is no such project."}');
    case "redirect":
      return given(307, "", { location: "https://elsewhere.invalid/" });
    default:
      return given(Number(kind), "", kind === "429" ? { "retry-after": "3" } : {});
  }
}
