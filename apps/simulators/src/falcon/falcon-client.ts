export type Scope = 'hosts:read' | 'alerts:read';

/** Credentials of the EDR platform, as its console gives them out. */
export interface FalconClient {
  /** 32 hexadecimal digits. */
  id: string;
  secret: string;
  scopes: readonly Scope[];
}

const client = (digit: string, scopes: readonly Scope[]): FalconClient => ({
  id: digit.repeat(32),
  secret: `simulated-falcon-secret-${digit.repeat(16)}`,
  scopes,
});

/** Who may sign in from the start: with both permissions, with one, with none. */
export const FALCON_CLIENTS = {
  full: client('a', ['hosts:read', 'alerts:read']),
  hostsOnly: client('b', ['hosts:read']),
  alertsOnly: client('c', ['alerts:read']),
  withoutScopes: client('d', []),
} as const satisfies Record<string, FalconClient>;
