/** One or a list of them. A long list of a report must not be spread over arguments: it exceeds the stack. */
export type OrList<T> = T | readonly T[];
