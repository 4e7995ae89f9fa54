import { isIPv6, type Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';
import type { ConnectionSettings } from './connection-settings.ts';
import { EgressError } from './egress.ts';
import { failureOf, whoOf } from './egress-failure.ts';
import type { Guard } from './guard.ts';

/** Of one host's addresses. */
const TRIES_MAX = 4;
const AUTHENTICATION_REQUIRED = 407;

export interface ProxyConnector {
  connect: buildConnector.connector;
  close(): Promise<void>;
}

/**
 * Connects through a forward proxy, by CONNECT for http and https alike: so `Host` stays the host's own, and the proxy
 * sees no request. The proxy is asked for an address that the guard allows, and TLS verifies the name; a name that
 * `egressAllow` has is left to the proxy. The proxy's own address is the operator's, and not guarded.
 */
export function proxyConnector(proxy: URL, guard: Guard, settings: ConnectionSettings): ProxyConnector {
  const { connectMsMax, tls } = settings;
  const pool = new Pool(proxy.origin, { connect: { ...tls, timeout: connectMsMax } });
  const secure = buildConnector({ ...tls, timeout: connectMsMax });

  const ask = async (target: string, who: string): Promise<{ statusCode: number; socket: Socket }> => {
    const signal = AbortSignal.timeout(connectMsMax);
    const headers = { host: target, ...authorizationOf(proxy) };
    try {
      const { statusCode, socket } = await pool.connect({ path: target, headers, signal });
      return { statusCode, socket: socket as Socket };
    } catch (error) {
      throw signal.aborted ? tooSlow(proxy, target, who) : asProxyFailure(error as Error, proxy);
    }
  };

  const tunnel = async (options: buildConnector.Options): Promise<Socket> => {
    const port = options.port || (options.protocol === 'https:' ? '443' : '80');
    const hosts = (await targetsOf(options.hostname, guard)).slice(0, TRIES_MAX);
    let refused: EgressError | undefined;
    for (const host of hosts) {
      const target = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
      const { statusCode, socket } = await ask(target, whoOf(options));
      if (statusCode >= 200 && statusCode < 300) return socket;
      socket.on('error', () => {}).destroy();
      refused = refusal(proxy, target, whoOf(options), statusCode);
      if (statusCode === AUTHENTICATION_REQUIRED) break;
    }
    throw refused;
  };

  return {
    connect: (options, callback) => {
      const fail = (error: Error) => callback(failureOf(error, whoOf(options)) ?? error, null);
      tunnel(options).then((socket) => {
        if (options.protocol !== 'https:') return callback(null, socket);
        secure({ ...options, httpSocket: socket }, (...[error, secured]) =>
          error ? fail(error) : callback(null, secured!),
        );
      }, fail);
    },
    close: () => pool.close(),
  };
}

const targetsOf = async (host: string, guard: Guard): Promise<string[]> =>
  guard.allowsName(host) ? [host] : (await guard.addressesOf(host)).map(({ address }) => address);

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Whatever keeps the proxy from answering is the proxy's, its certificate too. */
function asProxyFailure(error: Error, { host }: URL): Error {
  const failure = failureOf(error, `the proxy ${host} (EGRESS_PROXY)`);
  return failure ? new EgressError('proxy', failure.message) : error;
}

const tooSlow = ({ host }: URL, target: string, who: string) =>
  new EgressError(
    'proxy',
    `the proxy ${host} (EGRESS_PROXY) did not connect to ${who} in time (requested ${target})`,
  );

function refusal({ host, username }: URL, target: string, who: string, status: number): EgressError {
  if (status !== AUTHENTICATION_REQUIRED) {
    return new EgressError(
      'proxy',
      `the proxy ${host} (EGRESS_PROXY) refused to connect to ${who} (requested ${target}, ${status})`,
    );
  }
  const what = username
    ? 'rejected the user name and password of EGRESS_PROXY'
    : 'requires a user name and password, but EGRESS_PROXY has none';
  return new EgressError('proxy', `the proxy ${host} ${what} (${status})`);
}
