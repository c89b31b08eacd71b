export default { test: { globals: true, include: ["*.test.ts"] } };
