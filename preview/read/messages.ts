/**
 * Reads the engine's messages.
 */
import { stripVTControlCharacters } from "node:util";
import type { z } from "zod";
import type { diagnosticSchema } from "./schemas";
import type { Diagnostic } from "./steps";

export function toDiagnostic({
  urn,
  message,
  severity,
}: z.infer<typeof diagnosticSchema>): readonly Diagnostic[] {
  if (!["warning", "error"].includes(severity)) return [];
  // Removes the engine's colours, in the form of terminals and in the form of event logs.
  const plain = stripVTControlCharacters(message).replaceAll(/<\{%[^%]*%\}>/g, "");
  return [{ urn, severity, text: plain.replace(/^(?:warning|error): /, "").trim() }];
}
