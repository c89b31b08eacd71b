/** The tests of one request once more, with the parts of undici that bundles have in place of it. */
jest.mock("undici", () => jest.requireActual<object>("../../../../tools/plugin/undici.js"));

import "./proxies.test";
import "./transport.test";

it("runs without undici's index", () => {
  expect(Object.keys(jest.requireMock("undici"))).toEqual(["Agent", "EnvHttpProxyAgent", "request"]);
});
