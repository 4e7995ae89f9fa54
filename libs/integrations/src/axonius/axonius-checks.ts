import type { ConnectionCheck } from '../connector.ts';
import { VendorError } from '../requests/vendor-error.ts';
import { CHECK_EFFORT } from '../requests/vendor-requests.ts';
import type { AxoniusClient } from './axonius-client.ts';

const ok = (name: ConnectionCheck['name'], message: string): ConnectionCheck => ({ name, ok: true, message });
const failed = (name: ConnectionCheck['name'], message: string): ConnectionCheck => ({
  name,
  ok: false,
  message,
});
const notChecked = (name: ConnectionCheck['name']) =>
  failed(name, 'not checked because the previous check failed');

/** Test Connection: the one documented POST (R-INV-5), and its result. */
export async function axoniusChecks(client: AxoniusClient): Promise<ConnectionCheck[]> {
  const reachable = ok('address', 'the address responds');
  const accepted = ok('credentials', 'API key and secret are accepted');
  try {
    const hasDevice = await client.connect(CHECK_EFFORT);
    const message = hasDevice
      ? 'a device was returned'
      : 'the inventory responds, but returns no device that this user may view';
    return [reachable, accepted, ok('devices', message)];
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const message = error.reason;
    switch (error.failure) {
      case 'credentials':
        return [reachable, failed('credentials', message), notChecked('devices')];
      case 'scope':
      case 'limit':
      case 'request':
        return [reachable, accepted, failed('devices', message)];
      default:
        return [failed('address', message), notChecked('credentials'), notChecked('devices')];
    }
  }
}
