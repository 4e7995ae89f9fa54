/** The same value at each call, built at the first one. */
export function onFirstUse<T extends object>(build: () => T): () => T {
  let built: T | undefined;
  return () => {
    built ??= build();
    return built;
  };
}
