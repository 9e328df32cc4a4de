/** A figure as a file: SVG that looks the same elsewhere, CSV that pandas reads. */

/** The styles that a saved SVG must carry itself. */
const STYLES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-opacity",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "dominant-baseline",
];

/** The drawing with its styles inlined, on its background colour. */
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const computed = getComputedStyle(original);
    const style = STYLES.map((name) => `${name}:${computed.getPropertyValue(name)}`).join(";");
    element.style.cssText = style;
    for (const name of ["class", "role", "tabindex", "aria-selected"])
      element.removeAttribute(name);
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${svg.clientWidth.toString()} ${svg.clientHeight.toString()}`);
  for (const name of ["class", "role", "tabindex"]) copy.removeAttribute(name);
  const ground = getComputedStyle(svg.closest(".card") ?? document.body).backgroundColor;
  copy.style.background = ground;
  return new XMLSerializer().serializeToString(copy);
}

export function save(name: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
