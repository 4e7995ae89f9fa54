import { connectionChecks } from '../connection-checks.ts';
import type { ConnectionCheck } from '../connector.ts';
import { CHECK_EFFORT } from '../requests/vendor-requests.ts';
import type { AxoniusClient } from './axonius-client.ts';

/** One request, the documented POST (R-INV-5). */
export const axoniusChecks = (client: AxoniusClient): Promise<ConnectionCheck[]> =>
  connectionChecks({
    accepted: 'API key and secret are accepted',
    probes: [
      {
        name: 'devices',
        send: async () =>
          (await client.connect(CHECK_EFFORT))
            ? 'a device was returned'
            : 'the inventory responds, but returns no device that this user may view',
      },
    ],
  });
