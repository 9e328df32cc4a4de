/* Who may do what: the reader's token, and an admin's page of all. */
import { expect, type Page, test } from "@playwright/test";
import { en } from "../src/i18n/en";
import { admins } from "./server";

async function give(page: Page, token: string) {
  await page.goto("/access");
  await page.getByLabel(en.access.token, { exact: true }).fill(token);
  await page.getByRole("button", { name: en.access.use }).click();
}

test("a wrong token is refused in the server’s words, and forgotten", async ({ page }) => {
  await give(page, "nobody's");
  await expect(page.getByRole("alert")).toContainText("does not know this token");
  await page.getByRole("button", { name: en.access.forget }).click();
  await expect(page.getByLabel(en.access.token, { exact: true })).toHaveValue("");
});

test("an admin’s token stays in the tab: no longer, and nowhere else", async ({
  page,
  context,
}) => {
  const token = await admins();
  await give(page, token);
  await expect(page.getByRole("region", { name: en.access.tokens })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("region", { name: en.access.tokens })).toBeVisible();
  expect(page.url()).not.toContain(token);
  const storage = await page.evaluate(() => JSON.stringify(localStorage) + document.cookie);
  expect(storage).not.toContain(token);
  const other = await context.newPage();
  await other.goto("/access");
  await expect(other.getByLabel(en.access.token, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: en.access.forget }).click();
  await expect(page.getByLabel(en.access.token, { exact: true })).toBeVisible();
});

test("a token is made, shown once, works, and is revoked", async ({ page, request }) => {
  await give(page, await admins());
  const tokens = page.getByRole("region", { name: en.access.tokens });
  await tokens.getByText(en.access.newToken).click();
  await tokens.getByLabel(en.access.purpose).fill("by the browser’s test");
  await tokens.getByLabel(en.access.agentName).fill("browser");
  await tokens.getByRole("button", { name: en.access.make }).click();
  const newToken =
    (await tokens.getByRole("region", { name: en.access.token }).textContent()) ?? "";
  const row = tokens.getByRole("row").filter({ hasText: "by the browser’s test" }).first();
  await expect(row).toContainText("browser");
  await expect(tokens.getByRole("region", { name: en.command })).toHaveText(
    /^kerncast enroll http\S+$/,
  );
  await expect(row).toContainText(en.access.never);

  const access = async () =>
    request.get("/v1/access", { headers: { authorization: `Bearer ${newToken}` } });
  expect(((await (await access()).json()) as { token: { agent: string } }).token.agent).toBe(
    "browser",
  );
  page.on("dialog", (dialog) => void dialog.accept());
  await row.getByRole("button").click();
  await expect(row).toContainText(/revoked/);
  expect((await access()).status()).toBe(401);
});
