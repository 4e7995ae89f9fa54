import { displayName } from './entity-key.ts';

const LOOPBACK = /^((localhost[46]?|ip6-localhost|ip6-loopback)(\.|$)|127\.|::1$|0:0:0:0:0:0:0:1$)/i;

/** Names and addresses that every machine has for itself, so that they identify none: `localhost.localdomain`, `::1`. */
export const isLoopbackName = (name: string): boolean => LOOPBACK.test(displayName(name));
