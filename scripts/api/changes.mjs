// A change of the public surface: what differs, and whether programs of users continue to work.

/** @typedef {{kind: 'incompatible' | 'added', where: string, what: string}} Change */

/** @returns {Change} a change after which a program of a user may fail */
export const incompatible = (where, what) => ({ kind: 'incompatible', where, what });

/** @returns {Change} a change that no program of a user notices */
export const added = (where, what) => ({ kind: 'added', where, what });

/** Keys of both objects, first the keys of `before`. Either may be undefined. */
export const keysOf = (before = {}, after = {}) => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
];

export const isSame = (before, after) => JSON.stringify(before) === JSON.stringify(after);
