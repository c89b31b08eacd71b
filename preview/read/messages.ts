/**
 * Reads the engine's messages.
 */
import { stripVTControlCharacters } from "node:util";
import type { z } from "zod";
import type { diagnosticSchema } from "./schemas";
import type { Diagnostic } from "./steps";

/** The messages that a report reads. The engine's debug messages have every argument and output, secrets too. */
const reportedSeverities: readonly unknown[] = ["warning", "error"];

export function isReported({ severity }: { readonly severity?: unknown }): boolean {
  return reportedSeverities.includes(severity);
}

export function toDiagnostic({
  urn,
  message,
  severity,
}: z.infer<typeof diagnosticSchema>): readonly Diagnostic[] {
  if (!isReported({ severity })) return [];
  // Removes the engine's colours, in the form of terminals and in the form of event logs.
  const plain = stripVTControlCharacters(message).replaceAll(/<\{%[^%]*%\}>/g, "");
  return [{ urn, severity, text: plain.replace(/^(?:warning|error): /, "").trim() }];
}
