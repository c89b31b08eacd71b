import { Turns } from "../../emulator/postgres/turns";

/** A task that is done when the test says so, and notes when it began. */
function heldTask(name: string, begun: string[]): { task: () => Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const held = new Promise<void>((resolve) => (end = resolve));
  const task = (): Promise<void> => {
    begun.push(name);
    return held;
  };
  return { task, end };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("turns of one key", () => {
  it("that are taken run one after the other, and a failed one holds nobody up", async () => {
    const turns = new Turns();
    const begun: string[] = [];
    const first = heldTask("first", begun);
    const running = [
      turns.take("key", first.task),
      turns
        .take("key", () => Promise.reject(new Error("no")))
        .catch((error: unknown) => begun.push(String(error))),
      turns.take("key", heldTask("third", begun).task),
    ];
    await settled();
    expect(begun).toEqual(["first"]);
    first.end();
    await Promise.all(running.slice(0, 2));
    await settled();
    expect(begun).toEqual(["first", "Error: no", "third"]);
  });

  it("that are shared run side by side, after what was taken before and before what is taken after", async () => {
    const turns = new Turns();
    const begun: string[] = [];
    const tasks = ["taken", "one", "other", "taken after", "shared last"].map((name) =>
      heldTask(name, begun),
    );
    const [taken, one, other, after, last] = tasks;
    void turns.take("key", taken!.task);
    void turns.share("key", one!.task);
    void turns.share("key", other!.task);
    void turns.take("key", after!.task);
    void turns.share("key", last!.task);
    await settled();
    expect(begun).toEqual(["taken"]);
    taken!.end();
    await settled();
    expect(begun).toEqual(["taken", "one", "other"]);
    one!.end();
    await settled();
    expect(begun).toHaveLength(3);
    other!.end();
    await settled();
    expect(begun).toEqual(["taken", "one", "other", "taken after"]);
    after!.end();
    await settled();
    expect(begun.at(-1)).toBe("shared last");
    last!.end();
    await turns.rest();
  });

  it("do not wait for those of another", async () => {
    const turns = new Turns();
    const begun: string[] = [];
    const held = heldTask("held", begun);
    void turns.take("one", held.task);
    await expect(turns.take("other", () => Promise.resolve("done"))).resolves.toBe("done");
    held.end();
    await turns.rest();
  });
});
