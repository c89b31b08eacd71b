/**
 * The browser that takes the pictures: a Chromium on PATH.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export function openBrowser() {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const executablePath = names
    .flatMap((name) => folders.map((folder) => path.join(folder, name)))
    .find(existsSync);
  if (executablePath !== undefined) return chromium.launch({ executablePath, args: ["--no-sandbox"] });
  throw new Error(
    `Taking the picture: no ${names.join(", ")} on PATH. On Debian: apt-get install chromium fonts-liberation fonts-noto-color-emoji.`,
  );
}
