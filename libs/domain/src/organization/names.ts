/** Names that users would take for one. */
export const isSameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** By code points: the same everywhere. */
export const byName = (a: { name: string }, b: { name: string }) =>
  a.name < b.name ? -1 : Number(a.name > b.name);
