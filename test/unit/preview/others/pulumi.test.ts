import { gate } from "./plans";

describe("a preview of Pulumi", () => {
  const inputs = {
    projectId: "p",
    branchId: "br-a",
    autoscalingLimitMinCu: 1,
    autoscalingLimitMaxCu: 1,
    suspendTimeoutSeconds: 300,
  };
  interface Parts {
    readonly type?: string;
    readonly op?: string;
    readonly old?: object;
    readonly next?: object;
    readonly outputs?: object;
    readonly planned?: object;
    readonly reasons?: readonly string[];
    readonly state?: object;
  }
  const previewOf = ({
    type = "neon:index/endpoint:Endpoint",
    op = "update",
    old,
    next,
    outputs,
    planned,
    reasons,
    state,
  }: Parts): object => ({
    steps: [
      {
        op,
        urn: `urn:pulumi:dev::shop::${type}::db`,
        oldState: {
          id: "p",
          inputs: { ...inputs, ...old },
          outputs: { ...inputs, ...old, ...outputs },
          ...state,
        },
        newState: { inputs: { ...inputs, suspendTimeoutSeconds: 600, ...next }, outputs: planned },
        diffReasons: reasons,
      },
    ],
    changeSummary: { [op]: 1 },
  });
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const masked = { pgSettings: { a: "[secret]" } };
  const project = { type: "neon:index/project:Project" };
  it.each<[reason: string, parts: Parts, code: number]>([
    ["autosuspend alone", {}, 0],
    [
      "its provisioner",
      { old: { computeProvisioner: "k8s-pod" }, next: { computeProvisioner: "k8s-neonvm" } },
      6,
    ],
    ["its provisioner is left out", { old: { computeProvisioner: "k8s-pod" } }, 6],
    ["its limit is left out", { next: { autoscalingLimitMinCu: undefined } }, 6],
    ["an input that only the update knows", { old: { novelty: 1 }, next: { novelty: unknown } }, 6],
    ["an output that only the update knows", { outputs: { novelty: 1 }, planned: { novelty: unknown } }, 6],
    [
      "its host, which the service says",
      { outputs: { host: "a" }, planned: { host: unknown, id: unknown } },
      0,
    ],
    [
      "the service has another value than the program",
      { old: { novelty: { a: 1 } }, next: { novelty: { a: 1 } }, outputs: { novelty: { a: 2, b: 3 } } },
      6,
    ],
    [
      "the service adds values of its own",
      { old: { novelty: { a: 1 } }, next: { novelty: { a: 1 } }, outputs: { novelty: { a: 1, b: 3 } } },
      0,
    ],
    ["a secret that may differ", { old: masked, next: masked }, 6],
    [
      "a secret that the provider says does not",
      { old: masked, next: masked, reasons: ["suspendTimeoutSeconds"] },
      0,
    ],
    [
      "a name of which only the provider knows that it differs",
      { reasons: ["suspendTimeoutSeconds", "novelty"] },
      6,
    ],
    [
      "Postgres settings, which another provider may send otherwise",
      { old: { pgSettings: { a: "1" } }, next: { pgSettings: { a: "2" } } },
      6,
    ],
    [
      "the first compute of a project",
      { ...project, old: { primaryCompute: { max: 1 } }, next: { primaryCompute: { max: 2 } } },
      6,
    ],
    [
      "a secret of that compute",
      { ...project, old: { primaryCompute: "[secret]" }, next: { primaryCompute: "[secret]" } },
      6,
    ],
    [
      "a project's name",
      { ...project, old: { name: "a" }, next: { name: "b", suspendTimeoutSeconds: 300 } },
      0,
    ],
    ["a project that is kept", { ...project, op: "delete", state: { retainOnDelete: true } }, 0],
    ["a component of that name", { type: "acme:neon:Project", op: "delete", state: { custom: false } }, 0],
    [
      "a primary at Databricks, taken over",
      {
        type: "databricks:index/postgresEndpoint:PostgresEndpoint",
        op: "create",
        next: { replaceExisting: true },
      },
      6,
    ],
    [
      "a primary at Databricks that leaves",
      {
        type: "databricks:index/postgresEndpoint:PostgresEndpoint",
        op: "delete",
        old: { endpointId: "primary" },
      },
      0,
    ],
  ])("%s", (_reason, parts, code) => {
    const document = previewOf(parts) as { steps: { oldState?: object; newState?: object }[] };
    if (parts.op === "create") delete document.steps[0]!.oldState;
    if (parts.op === "delete") delete document.steps[0]!.newState;
    expect(gate(document).code).toBe(code);
  });
});
