/**
 * The browser that takes the pictures: a Chromium on PATH.
 */
import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

export function openBrowser() {
  const [executablePath] = spawnSync("which", names, { encoding: "utf8" }).stdout.split("\n");
  if (executablePath !== "") return chromium.launch({ executablePath, args: ["--no-sandbox"] });
  throw new Error(
    `Taking the picture: no ${names.join(", ")} on PATH. On Debian: apt-get install chromium fonts-liberation fonts-noto-color-emoji.`,
  );
}
