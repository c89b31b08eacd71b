"use strict";

/**
 * Replaces undici in a bundle: only the parts that `provider/service/transport.ts` uses. undici's index also loads
 * fetch, web sockets, mocks and caches, which takes four times as long.
 *
 * Only the bundler may use these paths, and resolves them when the package is built: they are not a public part of
 * undici.
 */
const { URL } = require("node:url");
const Dispatcher = require("../../node_modules/undici/lib/dispatcher/dispatcher.js");
const Agent = require("../../node_modules/undici/lib/dispatcher/agent.js");
const EnvHttpProxyAgent = require("../../node_modules/undici/lib/dispatcher/env-http-proxy-agent.js");
const connect = require("../../node_modules/undici/lib/api/api-connect.js");
const request = require("../../node_modules/undici/lib/api/api-request.js");

// undici's index does the same: a proxy is reached by CONNECT.
Object.assign(Dispatcher.prototype, { connect, request });

module.exports = {
  Agent,
  EnvHttpProxyAgent,
  /** Every caller names its dispatcher, so there is no global one. */
  request: (url, { dispatcher, ...options }) => {
    const { origin, pathname, search } = new URL(url);
    return dispatcher.request({ ...options, origin, path: `${pathname}${search}` });
  },
};
