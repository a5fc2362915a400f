// Lists that follow what is shown.

/** Scrolls a list, and not the page as scrollIntoView would, so that an item of it is seen. */
export function showWithin(list: Element, item: Element): void {
  const frame = list.getBoundingClientRect();
  const { top, bottom, height } = item.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom) list.scrollTop += top - frame.top - (list.clientHeight - height) / 2;
}
