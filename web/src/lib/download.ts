/** Downloads with the reader's token: a browser would follow the link without it. */
import { authorization } from "../api/token";

/** Downloads a link, and saves it under the server's file name, or the last part of the address. */
export async function download(href: string) {
  const answer = await fetch(href, { headers: authorization() });
  const fileName = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = fileName ?? new URL(href, location.href).pathname.split("/").at(-1) ?? "";
  link.click();
  URL.revokeObjectURL(link.href);
}
