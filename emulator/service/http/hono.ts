/**
 * Checks that hono is installed, before any other file imports it. It is an optional peer of the package, and Node's
 * own message for a missing module does not say that users of the emulator install it themselves.
 */
for (const name of ["hono", "@hono/node-server"]) {
  try {
    require.resolve(name);
  } catch (cause) {
    throw new Error(
      `The emulator needs ${name}, which is not installed. Run: npm install --save-dev hono @hono/node-server`,
      { cause },
    );
  }
}
