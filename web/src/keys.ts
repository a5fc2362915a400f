// Which keys are the page's own, to browse a game with.

/** Whether nothing has taken a key yet: no field has the focus, no modifier is held. */
export function isFree(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  const isField = target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  return !(isField || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey);
}
