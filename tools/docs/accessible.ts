/**
 * Corrects the HTML of TypeDoc's theme where axe (https://www.deque.com/axe) finds violations: without a main landmark, with
 * links inside of controls, with a heading level left out, and with tables that a keyboard cannot scroll.
 */
export function accessible(html: string): string {
  return html
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="This page">')
    .replaceAll(/<summary.*?<\/summary>/gs, (summary) =>
      summary.replaceAll(/<a [^>]*class="tsd-anchor-icon".*?<\/a>/gs, ""),
    )
    .replaceAll(/<h(?:4|5) (?=class="tsd-(?:anchor-link|index-heading))/g, '$&aria-level="2" ')
    .replaceAll(/<h3>(?=Settings<|On This Page<)/g, '<h3 aria-level="2">')
    .replaceAll('<nav id="tsd-sidebar-links"', '<nav id="tsd-sidebar-links" aria-label="Links"')
    .replaceAll("<table>", '<table tabindex="0">');
}
