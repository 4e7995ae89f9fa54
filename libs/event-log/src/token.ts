/** Injects the program's `EventLog`. */
export const EVENT_LOG = Symbol('EVENT_LOG');
