/** A change passes only if everything in it is known not to interrupt. */
import { beside, gate, planOf, type Changed } from "./plans";

describe("an attribute of a compute in a plan of Terraform", () => {
  const settings = (libraries: readonly string[]): object => ({
    settings: { preload_libraries: { use_defaults: true, enabled_libraries: libraries } },
  });
  const memory = (value: string): object => ({ work_mem: value });
  const secretMemory: Changed = { masks: { pg_settings: { work_mem: true } } };
  it.each<[reason: string, changed: Changed, code: number]>([
    ["nothing but autosuspend", beside({}, {}), 0],
    ["autosuspend goes to the service's default", beside({}, { suspend_timeout_seconds: null }), 0],
    [
      "another provisioner",
      beside({ compute_provisioner: "k8s-pod" }, { compute_provisioner: "k8s-neonvm" }),
      6,
    ],
    ["an attribute that no table has", beside({ novelty: 1 }, { novelty: 2 }), 6],
    ["the same, in a list", beside({ novelty: [{ a: 1 }] }, { novelty: [{ a: 2 }] }), 6],
    ["one more item of a list", beside({ novelty: ["a"] }, { novelty: ["a", "b"] }), 6],
    ["a block that is new", beside({ novelty: null }, { novelty: [{ a: 1 }] }), 6],
    ["a block that goes", beside({ novelty: [{ a: 1 }] }, { novelty: [] }), 6],
    ["an empty block where there was none", beside({ novelty: null }, { novelty: [] }), 0],
    ["a library deep within", beside(settings(["a"]), settings(["a", "b"])), 6],
    ["what only the apply knows", beside({ novelty: 1 }, {}, { unknown: { novelty: true } }), 6],
    [
      "the same, deep within a list",
      beside({ list: [{ a: 1 }] }, { list: [{}] }, { unknown: { list: [{ a: true }] } }),
      6,
    ],
    [
      "what the service alone decides",
      beside({}, {}, { unknown: { host: true, id: true, updated_at: true } }),
      0,
    ],
    ["only that", { unknown: { host: true, updated_at: true } }, 0],
    ["no difference that shows", {}, 6],
    ["its limit is taken away", beside({}, { autoscaling_limit_max_cu: null }), 6],
    ["its settings are taken away", beside({ pg_settings: { work_mem: "8MB" } }, { pg_settings: null }), 6],
    ["its branch is taken away", beside({}, { branch_id: null }), 6],
    ["disabled is taken away", beside({ disabled: true }, { disabled: null }), 6],
    ["its type, which an update does not send", beside({}, { type: "read_only" }), 6],
    ["a secret that differs", beside({ novelty: "a" }, { novelty: "b" }, { masks: { novelty: true } }), 6],
    [
      "a secret that is the same",
      beside({ novelty: "a" }, { novelty: "a" }, { masks: { novelty: true } }),
      0,
    ],
    [
      "a secret in a list",
      beside({ list: [{ a: "1" }] }, { list: [{ a: "2" }] }, { masks: { list: [{ a: true }] } }),
      6,
    ],
    [
      "a limit beside what nobody knows",
      beside({ novelty: 1 }, { novelty: 2, autoscaling_limit_max_cu: 2 }),
      6,
    ],
    ["a limit", beside({}, { autoscaling_limit_max_cu: 2 }), 24],
    ["the same with its limits as secrets", beside({}, {}, { masks: { autoscaling_limit_max_cu: true } }), 0],
    [
      "a limit as a secret that differs",
      beside({}, { autoscaling_limit_max_cu: 2 }, { masks: { autoscaling_limit_max_cu: true } }),
      6,
    ],
    ["a limit that only the apply knows", beside({}, {}, { unknown: { autoscaling_limit_max_cu: true } }), 6],
    ["a branch that only the apply knows", beside({}, {}, { unknown: { branch_id: true } }), 6],
    [
      "autosuspend that only the apply knows",
      beside({}, {}, { unknown: { suspend_timeout_seconds: true } }),
      0,
    ],
    [
      "settings that only the apply knows",
      beside({ pg_settings: memory("8MB") }, {}, { unknown: { pg_settings: true } }),
      6,
    ],
    [
      "a setting that only the apply knows",
      beside(
        { pg_settings: memory("8MB") },
        { pg_settings: {} },
        { unknown: { pg_settings: { work_mem: true } } },
      ),
      6,
    ],
    [
      "a setting as a secret that differs",
      beside({ pg_settings: memory("8MB") }, { pg_settings: memory("9MB") }, secretMemory),
      6,
    ],
    [
      "a setting as a secret that is the same",
      beside({ pg_settings: memory("8MB") }, { pg_settings: memory("8MB") }, secretMemory),
      0,
    ],
    [
      "one of two settings is taken away",
      beside({ pg_settings: { ...memory("8MB"), jit: "on" } }, { pg_settings: memory("8MB") }),
      6,
    ],
    ["time limits of the tool", beside({ timeouts: null }, { timeouts: { update: "9m" } }), 0],
    [
      "it is imported as it is",
      { actions: "no-op", more: { change: { actions: ["no-op"], importing: { id: "x" } } } },
      0,
    ],
    ["it has another address", { actions: "no-op", more: { previous_address: "neon_endpoint.old" } }, 0],
    ["it is forgotten", { actions: "forget", after: null }, 0],
    [
      "an object that an earlier apply left is deleted",
      { actions: "delete", after: null, more: { deposed: "a1" } },
      20,
    ],
    ["a replacement", { actions: "create,delete" }, 21],
    ["an action that nobody knows", { actions: "renew" }, 6],
  ])("%s", (_reason, changed, code) => {
    const ran = gate(planOf(changed));
    expect(`${ran.code} ${ran.out}`).toMatch(new RegExp(`^${code} `));
    expect(ran.out).not.toMatch(/"[ab]"/);
  });

  it("is judged by what all providers of the type share, if it is of one that the table does not have", () => {
    const setting = beside({ pg_settings: { work_mem: "8MB" } }, { pg_settings: { work_mem: "9MB" } });
    const pooler = beside({ pooler_enabled: false }, { pooler_enabled: true });
    for (const provider of [
      "registry.example/neondatabase/neon",
      "registry.example/not-kislerdm/neon",
      undefined,
    ])
      for (const changed of [setting, pooler])
        expect(gate(planOf({ ...changed, provider: provider! })).code).toBe(provider ? 6 : 0);
    for (const changed of [setting, pooler])
      expect(gate(planOf({ ...changed, provider: "kislerdm/neon" })).code).toBe(0);
  });

  it("is the whole of an import that changes it too", () => {
    const importing = { importing: { id: "x" } };
    const plan = planOf(beside({ novelty: 1 }, { novelty: 2 })) as { resource_changes: { change: object }[] };
    Object.assign(plan.resource_changes[0]!.change, importing);
    expect(gate(plan).code).toBe(6);
  });
});
