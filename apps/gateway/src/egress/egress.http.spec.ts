import { afterEach, describe, expect, it } from '@jest/globals';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

let gateway: StartedGateway;
afterEach(() => gateway.stop());

describe('GET /api/v3/egress (R-NET-3)', () => {
  it('shows viewers the published address and whether a proxy is used, but not its address', async () => {
    const env = { EGRESS_PROXY: 'http://ana:s3cret@proxy:3128', EGRESS_PUBLISHED_IP: '203.0.113.7' };
    gateway = await StartedGateway.start({ env });
    const viewer = await gateway.client('viewer');
    expect(await viewer.get('/api/v3/egress')).toEqual({ publishedIp: '203.0.113.7', proxy: true });
    expect((await viewer.request('GET', '/api/v3/egress?x=1')).status).toBe(400);
    expect((await fetch(`${gateway.url}/api/v3/egress`)).status).toBe(401);
    expect(gateway.lines.join()).not.toContain('s3cret');
  });

  it('has no address if the operator has set none', async () => {
    gateway = await StartedGateway.start();
    const viewer = await gateway.client('viewer');
    expect(await viewer.get('/api/v3/egress')).toEqual({ publishedIp: null, proxy: false });
  });
});
