import { afterEach, describe, expect, it } from '@jest/globals';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

let gateway: StartedGateway;
afterEach(() => gateway.stop());

describe('GET /api/v3/egress (D32)', () => {
  it('tells viewers the published address, and that there is a proxy, but not which', async () => {
    const env = { EGRESS_PROXY: 'http://ana:s3cret@proxy:3128', EGRESS_PUBLISHED_IP: '203.0.113.7' };
    gateway = await StartedGateway.start({ env });
    const viewer = await gateway.client('viewer');
    expect(await viewer.get('/api/v3/egress')).toEqual({ publishedIp: '203.0.113.7', proxy: true });
    expect((await viewer.request('GET', '/api/v3/egress?x=1')).status).toBe(400);
    expect((await fetch(`${gateway.url}/api/v3/egress`)).status).toBe(401);
    expect(gateway.lines.join()).not.toContain('s3cret');
  });

  it('knows no address where the operator has said none', async () => {
    gateway = await StartedGateway.start();
    const viewer = await gateway.client('viewer');
    expect(await viewer.get('/api/v3/egress')).toEqual({ publishedIp: null, proxy: false });
  });
});
