/**
 * Puts the guides before the members of the package: open in the navigation, and first among what the search finds.
 */
import type { Application, DocumentReflection, IndexEvent } from "typedoc" with {
  "resolution-mode": "import",
};

import type { TypeDoc } from "./members";
import { pageGroups } from "./pages";

/** TypeDoc ranks a member whose name is what was typed ten times higher: guides have to beat that. */
export const searchGroupBoosts: Readonly<Record<string, number>> = {
  [pageGroups.guides]: 40,
  [pageGroups.project]: 4,
};

/** TypeDoc keeps each group of the navigation closed until a reader opens it, and remembers that in this key. */
export function openGuides(app: Application, typedoc: TypeDoc): void {
  const key = JSON.stringify(`tsd-accordion-${pageGroups.guides}`);
  const html = `try { localStorage.getItem(${key}) ?? localStorage.setItem(${key}, "true") } catch {}`;
  app.renderer.hooks.on("body.begin", () =>
    typedoc.JSX.createElement("script", null, typedoc.JSX.createElement(typedoc.JSX.Raw, { html })),
  );
}

/** A page that has a heading about what was typed is about it; one that mentions it may not be. */
export function rankGuides(app: Application, typedoc: TypeDoc): void {
  app.renderer.on(typedoc.IndexEvent.PREPARE_INDEX, (event: IndexEvent) => {
    event.searchFieldWeights["headings"] = 30;
    for (const [at, found] of event.searchResults.entries()) {
      if (!found.isDocument()) continue;
      event.searchFields[at] = { ...event.searchFields[at], headings: headingsOf(found) };
    }
  });
}

function headingsOf({ content }: DocumentReflection): string {
  const text = content.map((part) => part.text).join("");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading.replaceAll("`", "")).join(" ");
}
