import type { ConnectionOptions } from 'node:tls';

/** What holds for every connection. */
export interface ConnectionSettings {
  /** For one connection, TLS included. */
  connectMsMax: number;
  tls: Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'>;
}
