import { once } from 'node:events';
import { connect } from 'node:net';
import { it } from '@jest/globals';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

it('a stop does not wait for a connection that never sent a request', async () => {
  const gateway = await StartedGateway.start();
  const silent = connect(gateway.port, '127.0.0.1');
  await once(silent, 'connect');
  const ended = once(silent, 'close');
  // Only the server's end closes it here: its own time-out is beyond that of this test.
  await Promise.all([ended, gateway.stop()]);
});
