/** Links to what only a token's holder may read: a browser would follow them without it. */
import { authorization } from "../api/token";

/** Asks for what a link leads to, and saves it under the name that the server gives, or its address has. */
export async function download(href: string) {
  const answer = await fetch(href, { headers: authorization() });
  const fileName = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = fileName ?? new URL(href, location.href).pathname.split("/").at(-1) ?? "";
  link.click();
  URL.revokeObjectURL(link.href);
}
