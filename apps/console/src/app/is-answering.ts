/** Whether the service answers. If it does, what it does not have is of another version of the console. */
export const isAnswering = (): Promise<boolean> =>
  fetch('/app/', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
