import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import type { ConnectionSettings } from './connection-settings.ts';
import { failureOf, whoOf } from './egress-failure.ts';
import type { Guard } from './guard.ts';

/** After that the next address of a host is tried in parallel (RFC 8305); Node's own 250 ms give up on hosts far away. */
const ATTEMPT_MS = 1_000;

/** Connects to the addresses that the guard allows, in the order of the name service. */
export function directConnector(
  guard: Guard,
  { connectMsMax, tls }: ConnectionSettings,
): buildConnector.connector {
  const connect = buildConnector({
    ...tls,
    timeout: connectMsMax,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
    lookup: (host, _options, callback) =>
      guard.addressesOf(host).then(
        (addresses) => callback(null, addresses),
        (error) => callback(error, []),
      ),
  });
  return (options, callback) => {
    const fail = (error: Error) => callback(failureOf(error, whoOf(options)) ?? error, null);
    const connectNow = () =>
      connect(options, (...[error, socket]) => (error ? fail(error) : callback(null, socket!)));
    // A literal address is not looked up.
    if (isIP(options.hostname)) guard.addressesOf(options.hostname).then(connectNow, fail);
    else connectNow();
  };
}
