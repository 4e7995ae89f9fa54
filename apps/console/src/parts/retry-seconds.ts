/**
 * Seconds after which the service takes a request that it has refused (429); undefined: a proxy has refused it, and its
 * message is no number.
 */
export function retrySecondsOf({
  message,
  retryIn,
}: {
  message: string;
  retryIn?: number;
}): number | undefined {
  const seconds = retryIn ?? (/^\d+$/.test(message) ? Number(message) : undefined);
  return seconds === undefined ? undefined : Math.max(1, seconds);
}
