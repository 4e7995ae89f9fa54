import { hash } from 'node:crypto';

const VARIANTS = '89ab';

/**
 * A name's UUID of version 5 in a namespace (RFC 9562, section 5.5), as functions by which ids follow from the log.
 * An own one: several are made for every signal, and the usual library takes ten times as long (docs/performance.md).
 * @param namespace a UUID
 */
export function uuidV5(namespace: string): (name: string) => string {
  const prefix = Buffer.from(namespace.replaceAll('-', ''), 'hex');
  return (name) => {
    const hex = hash('sha1', Buffer.concat([prefix, Buffer.from(name)]), 'hex');
    const variant = VARIANTS[Number.parseInt(hex[16]!, 16) % 4];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
}
