/**
 * Lists a project's operations page by page (interface 4.6).
 */
import { badRequest } from "../model/errors";
import type { OperationRecord, Project } from "../model/records";
import type { Switches } from "../switches";
import { fromCursor, toCursor, toWireOperation, type WireOperation } from "./wire";

/** The body of a list of operations (interface 4.6). */
interface OperationPage {
  readonly operations: readonly WireOperation[];
  readonly pagination?: { readonly cursor?: string };
}

interface PageRequest {
  readonly limit: string | undefined;
  readonly cursor: string | undefined;
}

const dayMs = 86_400_000;

/** Whether lists and lookups show an operation: false once it has vanished or is too old. */
export function isVisible(operation: OperationRecord, switches: Switches, nowMs: number): boolean {
  return operation.vanished !== true && operation.createdAtMs > nowMs - switches.operationsKeptDays * dayMs;
}

/**
 * Reads one page, newest first. Its cursor is the position of its last operation, so new operations never shift
 * the next pages.
 *
 * @throws ServiceError 400
 */
export function listOperations(
  project: Project,
  request: PageRequest,
  { switches, nowMs }: { switches: Switches; nowMs: number },
): OperationPage {
  const limit = limitOf(request.limit, switches);
  const beforeUs = cursorOf(request.cursor);
  const page: OperationRecord[] = [];
  for (let at = project.operations.length - 1; at >= 0 && page.length <= limit; at -= 1) {
    const operation = project.operations[at];
    if (operation && operation.positionUs < beforeUs && isVisible(operation, switches, nowMs))
      page.push(operation);
  }
  const isLast = page.length <= limit;
  const shown = page.slice(0, limit);
  const last = shown.at(-1);
  const operations = shown.map(toWireOperation);
  if (last && !isLast) return { operations, pagination: { cursor: toCursor(last.positionUs) } };
  const end = endOfList(switches, last, request.cursor);
  return { operations, ...(end && { pagination: end }) };
}

function endOfList(
  switches: Switches,
  last: OperationRecord | undefined,
  asked: string | undefined,
): { cursor?: string } | undefined {
  switch (switches.endOfList) {
    case "missing-cursor":
      return {};
    case "missing-pagination":
      return undefined;
    case "empty-string":
      return { cursor: "" };
    case "empty-page":
      return last ? { cursor: toCursor(last.positionUs) } : {};
    case "repeat-cursor":
      return last ? { cursor: toCursor(last.positionUs) } : { ...(asked !== undefined && { cursor: asked }) };
  }
}

function limitOf(text: string | undefined, switches: Switches): number {
  if (text === undefined) return switches.defaultLimit;
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= switches.maxLimit) return limit;
  throw badRequest(`limit must be a whole number from 1 to ${switches.maxLimit}, not "${text}".`);
}

function cursorOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const us = fromCursor(text);
  if (us === undefined)
    throw badRequest(`cursor must be the pagination.cursor of an earlier page, not "${text}".`);
  return us;
}
