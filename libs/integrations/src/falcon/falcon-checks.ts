import { connectionChecks } from '../connection-checks.ts';
import type { ConnectionCheck } from '../connector.ts';
import { CHECK_EFFORT } from '../requests/vendor-requests.ts';
import type { FalconClient } from './falcon-client.ts';

/** Both scopes are checked, also if the first is missing: a user who lacks both sees both at once. */
export const falconChecks = (client: FalconClient): Promise<ConnectionCheck[]> =>
  connectionChecks({
    accepted: 'client id and secret are accepted',
    signIn: () => client.signIn(CHECK_EFFORT),
    probes: [
      scopeProbe('hosts', 'Hosts: Read', () => client.countHosts('', undefined, CHECK_EFFORT)),
      scopeProbe('alerts', 'Alerts: Read', () => client.countAlerts('', undefined, CHECK_EFFORT)),
    ],
  });

const scopeProbe = (name: 'hosts' | 'alerts', scope: string, count: () => Promise<number | null>) => ({
  name,
  whenDenied: `give the API client the scope ${scope}`,
  async send(): Promise<string> {
    const total = await count();
    return `the scope ${scope} is granted${total === null ? '' : `: ${total} found`}`;
  },
});
