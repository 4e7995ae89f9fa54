type Undo = () => Promise<void>;

const toUndo = new Set<Undo>();

/**
 * Has something that a command undoes at its end, such as a temporary folder, undone also if it is interrupted.
 * @returns undoes it, for the command to call
 */
export function undoneOnInterruption(undo: Undo): Undo {
  toUndo.add(undo);
  return async () => {
    toUndo.delete(undo);
    await undo();
  };
}

/** Cleans up as much as possible. */
export async function undoAll(): Promise<void> {
  await Promise.allSettled([...toUndo].map((undo) => undo()));
}
