"use strict";
// The provider of `floor.js`: it returns its inputs, and sends no requests.
const { randomUUID } = require("node:crypto");

exports.provider = {
  check: async (_olds, news) => ({ inputs: news, failures: [] }),
  diff: async (_id, olds, news) => ({
    changes: olds.autoscalingLimitMaxCu !== news.autoscalingLimitMaxCu,
    replaces: [],
    deleteBeforeReplace: true,
  }),
  create: async (inputs) => {
    const id = `ep-${randomUUID()}`;
    return { id, outs: { ...inputs, endpointId: id, host: `${id}.compute.example` } };
  },
  read: async (id, props) => ({ id, props }),
  update: async (_id, olds, news) => ({
    outs: { ...news, endpointId: olds.endpointId, host: olds.host },
  }),
  delete: async () => {},
};
