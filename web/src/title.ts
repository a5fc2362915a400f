// The title of the page, which a browser shows on the tab and a screen reader reads first.

export function showTitle(...parts: string[]): void {
  document.title = [...parts, "boardgym studio"].join(" · ");
}
