/** Marks scrolling elements with the sides that hide content, for the style sheet. */

/** "left right", "left", "right", or "" where everything is visible. A difference below one pixel does not count. */
export function hidden(box: {
  scrollLeft: number;
  scrollWidth: number;
  clientWidth: number;
}): string {
  const left = box.scrollLeft > 1;
  const right = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
  return [left && "left", right && "right"].filter(Boolean).join(" ");
}

/** For `{@attach}`: keeps `data-more` true while the element scrolls and changes its size. */
export function scrollEdges(element: HTMLElement): () => void {
  const look = () => {
    const sides = hidden(element);
    if (sides === "") delete element.dataset["more"];
    else element.dataset["more"] = sides;
  };
  const sizes = new ResizeObserver(look);
  sizes.observe(element);
  for (const child of element.children) sizes.observe(child);
  element.addEventListener("scroll", look, { passive: true });
  return () => {
    sizes.disconnect();
    element.removeEventListener("scroll", look);
  };
}
