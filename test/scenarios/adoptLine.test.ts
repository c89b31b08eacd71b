/** The line with `adopt` of a compute that the state has already. */
import { scenarios } from "./scenarios";
import { preview, refresh, size, up } from "./commands";
import { seconds } from "./events";

const replica = { type: "read_only" };
const primary = "<default primary>";
const adopting = { branchId: "<default branch>", adopt: primary };

const another = "ep-none-such-12345678";
const noEffect = `warning: adopt: "${another}" has no effect: this resource already has compute ${primary}, and adopt takes effect only at creation. Put adopt: "${primary}" back. To take over ${another} as well, declare another Endpoint that adopts it.`;
const gone = `info: The line with adopt is gone, and this resource keeps compute ${primary}. From now on, a destroy deletes that compute, unless the option retainOnDelete: true is set.`;
const here = { branchId: "<default branch>" };

scenarios("the adopt line of a compute in the state", [
  ...[
    { reason: "it names another compute, and has no effect", line: { adopt: another }, says: noEffect },
    { reason: "it is gone, and from now on a destroy deletes the compute", line: {}, says: gone },
  ].map(({ reason, line, says }) => ({
    promise: "is mentioned on the row, in one update only",
    reason,
    do: up({ ...adopting, ...size(1) }),
    then: [
      { do: preview({ ...here, ...size(1), ...line }), expect: { rows: [says] } },
      {
        do: up({ ...here, ...size(1), ...line }),
        expect: { rows: [says], sent: [] },
        // The dynamic variant's refresh sees only the state, so an update stores the new line in the state.
        dynamic: { step: "updated" as const },
        native: { step: "same" as const },
      },
      { do: up({ ...here, ...size(1), ...line }), expect: { rows: [], step: "same" as const } },
      { do: refresh() },
      { do: preview({ ...here, ...size(1), ...line }), expect: { rows: [] } },
      // The line is allowed to name the compute that the resource already has.
      { do: up({ ...adopting, ...size(1) }), expect: { rows: [] } },
    ],
  })),
  {
    promise: "is not mentioned if the same update replaces the compute",
    do: up(adopting),
    expect: { said: [] },
    then: [{ meanwhile: [seconds(1)], do: preview({ ...here, ...replica }), expect: { never: ["adopt"] } }],
  },
]);
