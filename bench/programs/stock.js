"use strict";
// The benchmark's program with a provider as in Pulumi's guide to dynamic providers: each resource's state contains the
// provider as a closure, each wait polls once a second, and a temporarily refused request (423, 429) is sent again a
// second later.
const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");

async function request(method, path, body) {
  for (;;) {
    const answer = await globalThis.fetch(`${process.env.COMPUTE_BASE_URL}/api/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${process.env.COMPUTE_API_KEY}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.ok) return text === "" ? {} : JSON.parse(text);
    if (answer.status !== 423 && answer.status !== 429) throw new Error(`${answer.status}: ${text}`);
    await new Promise((resolve) => globalThis.setTimeout(resolve, 1000));
  }
}

async function waitFor(projectId, operations) {
  for (let { id, status } of operations ?? []) {
    while (status !== "finished") {
      await new Promise((resolve) => globalThis.setTimeout(resolve, 1000));
      ({ status } = (await request("GET", `/projects/${projectId}/operations/${id}`)).operation);
      if (status === "failed") throw new Error(`operation ${id} failed`);
    }
  }
}

const sizes = (inputs) => ({
  autoscaling_limit_min_cu: inputs.autoscalingLimitMinCu,
  autoscaling_limit_max_cu: inputs.autoscalingLimitMaxCu,
});

const provider = {
  async diff(_id, olds, news) {
    return { changes: olds.autoscalingLimitMaxCu !== news.autoscalingLimitMaxCu };
  },
  async create(inputs) {
    const { projectId, branchId } = inputs;
    const endpoint = { branch_id: branchId, type: "read_write", ...sizes(inputs) };
    const made = await request("POST", `/projects/${projectId}/endpoints`, { endpoint });
    await waitFor(projectId, made.operations);
    const { id, host } = made.endpoint;
    return { id, outs: { ...inputs, endpointId: id, host } };
  },
  async read(id, props) {
    const { endpoints } = await request("GET", `/projects/${props.projectId}/endpoints`);
    const found = endpoints.find((endpoint) => endpoint.id === id);
    return found === undefined ? { id: "", props: {} } : { id, props: { ...props, host: found.host } };
  },
  async update(id, olds, news) {
    const path = `/projects/${news.projectId}/endpoints/${id}`;
    const changed = await request("PATCH", path, { endpoint: sizes(news) });
    await waitFor(news.projectId, changed.operations);
    return { outs: { ...news, endpointId: id, host: olds.host } };
  },
  async delete(id, props) {
    const gone = await request("DELETE", `/projects/${props.projectId}/endpoints/${id}`);
    await waitFor(props.projectId, gone.operations);
  },
};

class Compute extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(provider, name, { endpointId: undefined, host: undefined, ...args });
  }
}

const declared = JSON.parse(readFileSync("declared.json", "utf8"));
for (const [index, args] of declared.entries()) new Compute(`compute-${index}`, args);
