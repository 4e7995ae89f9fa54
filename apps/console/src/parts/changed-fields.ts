/** The fields of a body that differ from those before, compared as JSON: another user may have changed the rest. */
export const changedFields = <T extends object>(
  body: T,
  before: Partial<Record<keyof T, unknown>>,
): Partial<T> =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]),
    ),
  ) as Partial<T>;
