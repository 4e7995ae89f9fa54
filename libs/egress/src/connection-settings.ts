import type { ConnectionOptions } from 'node:tls';

/** Settings of every connection. */
export interface ConnectionSettings {
  /** For one connection, TLS included. */
  connectMsMax: number;
  tls: Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'>;
}
