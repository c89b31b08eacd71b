import { drawn } from "../../../bench/timeline";

it("draws a line for each span, in the order in which they began, to one scale", () => {
  const spans = [
    { process: "service", what: "createEndpoint", fromMs: 1_750, toMs: 1_760 },
    { process: "pulumi", what: "up", fromMs: 1_000, toMs: 2_000 },
    { process: "program", what: "process", fromMs: 1_500, toMs: 2_000 },
  ];
  expect(drawn(spans).split("\n")).toEqual([
    `pulumi: up                  0  1000 ${"█".repeat(56)}`,
    `program: process          500   500 ${" ".repeat(28)}${"█".repeat(28)}`,
    `service: createEndpoint   750    10 ${" ".repeat(42)}█`,
  ]);
});
