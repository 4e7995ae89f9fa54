import type { EventLog } from '#libs/event-log';

/** Stands before a log, which then stores nothing more. */
export const appendingFails =
  (error: Error) =>
  (log: EventLog): EventLog =>
    new Proxy(log, {
      get: (target, name) => {
        if (name === 'append') return () => Promise.reject(error);
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
