/** Tells the style sheet on which sides of something that scrolls more of it is hidden. */

/** "left right", "left", "right", or "" where all is shown; a pixel less than whole is no more. */
export function hidden(of: {
  scrollLeft: number;
  scrollWidth: number;
  clientWidth: number;
}): string {
  const left = of.scrollLeft > 1;
  const right = of.scrollLeft + of.clientWidth < of.scrollWidth - 1;
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
