/** This machine, in the words of Pulumi's release archives: `linux-x64`, `darwin-arm64`, `windows-x64`. */
export const platformName: string = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

export function executableName(name: string): string {
  return process.platform === "win32" ? `${name}.exe` : name;
}
