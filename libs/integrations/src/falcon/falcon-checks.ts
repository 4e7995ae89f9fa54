import type { ConnectionCheck } from '../connector.ts';
import { VendorError } from '../requests/vendor-error.ts';
import { CHECK_EFFORT } from '../requests/vendor-requests.ts';
import type { FalconClient } from './falcon-client.ts';

const NOT_MADE = 'not checked because the previous check failed';

/** Test Connection: the address, the credentials, then both scopes, each by a request that needs it. */
export async function falconChecks(client: FalconClient): Promise<ConnectionCheck[]> {
  const signedIn = await signIn(client);
  if (signedIn.some(({ ok }) => !ok)) return [...signedIn, notChecked('hosts'), notChecked('alerts')];
  // Each scope is checked separately: a user who lacks both sees both at once.
  return [
    ...signedIn,
    await scopeCheck('hosts', 'Hosts: Read', () => client.countHosts('', undefined, CHECK_EFFORT)),
    await scopeCheck('alerts', 'Alerts: Read', () => client.countAlerts('', undefined, CHECK_EFFORT)),
  ];
}

async function signIn(client: FalconClient): Promise<ConnectionCheck[]> {
  const reachable: ConnectionCheck = { name: 'address', ok: true, message: 'the address responds' };
  try {
    await client.signIn(CHECK_EFFORT);
    return [reachable, { name: 'credentials', ok: true, message: 'client id and secret are accepted' }];
  } catch (error) {
    const { failure, reason } = vendorError(error);
    if (failure === 'credentials' || failure === 'limit') {
      return [reachable, { name: 'credentials', ok: false, message: reason }];
    }
    return [{ name: 'address', ok: false, message: reason }, notChecked('credentials')];
  }
}

async function scopeCheck(
  name: 'hosts' | 'alerts',
  scope: string,
  count: () => Promise<number | null>,
): Promise<ConnectionCheck> {
  try {
    const total = await count();
    const found = total === null ? '' : `: ${total} found`;
    return { name, ok: true, message: `the scope ${scope} is granted${found}` };
  } catch (error) {
    const { failure, reason } = vendorError(error);
    const hint = failure === 'scope' ? `give the API client the scope ${scope}: ` : '';
    return { name, ok: false, message: hint + reason };
  }
}

const notChecked = (name: ConnectionCheck['name']): ConnectionCheck => ({
  name,
  ok: false,
  message: NOT_MADE,
});

/** Anything but a vendor's failure is a defect and continues. */
function vendorError(error: unknown): VendorError {
  if (error instanceof VendorError) return error;
  throw error;
}
