/**
 * Answers the engine's `List`, the only call whose answer is a stream.
 */
import type * as grpc from "@grpc/grpc-js";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { ListedPage } from "./list";
import type { PluginHandlers } from "./native";
import { fromStruct, toServiceError, type GrpcFailure } from "./pluginMessages";

type ListCall = grpc.ServerWritableStream<messages.ListRequest, messages.ListResponse>;

export function answerList({ list }: Pick<PluginHandlers, "list">): (call: ListCall) => void {
  return (call) => {
    pageOf(call.request, list).then(
      (page) => {
        for (const response of listResponses(page)) call.write(response);
        call.end();
      },
      (error: unknown) => {
        call.emit("error", toServiceError(error as GrpcFailure));
      },
    );
  };
}

function pageOf(
  request: messages.ListRequest,
  list: PluginHandlers["list"],
): Promise<ListedPage | undefined> {
  return list({
    token: request.getToken(),
    query: fromStruct(request.getQuery()),
    limit: request.getLimit(),
    pageSize: request.getPageSize(),
    continuation: request.getContinuationToken(),
  });
}

/** Either one message without a result, or the results and where the next page begins. */
function listResponses(page: ListedPage | undefined): readonly messages.ListResponse[] {
  const { Computed, Continuation, Result } = messages.ListResponse;
  if (page === undefined) return [new messages.ListResponse().setComputed(new Computed())];
  const results = page.computes.map(({ id, name }) =>
    new messages.ListResponse().setResult(new Result().setId(id).setName(name)),
  );
  if (page.continuation === undefined) return results;
  const next = new Continuation().setContinuationToken(page.continuation);
  return [...results, new messages.ListResponse().setContinuation(next)];
}
