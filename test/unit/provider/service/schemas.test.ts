import { apiEndpointSchema } from "../../../../provider/service/schemas";

it.each([
  {
    reason: "Neon's of a compute that nobody has used",
    last_active: "2000-01-01T00:00:00Z",
    seen: undefined,
  },
  { reason: "none", last_active: null, seen: null },
  { reason: "of a used compute", last_active: "2026-01-05T08:00:00Z", seen: "2026-01-05T08:00:00Z" },
])("the last activity is $seen where the answer is $reason", ({ last_active, seen }) => {
  const answer = { id: "ep-a", project_id: "p", branch_id: "br-a", type: "read_write", last_active };
  expect(apiEndpointSchema.parse(answer).last_active).toBe(seen);
});
