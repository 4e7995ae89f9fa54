import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '../../apps/gateway/src/auth/scopes.ts';
import { ScoredSite } from '../fixtures/scores/scored-site.ts';

const BEGIN = Date.parse('2026-03-02T08:00:00.000Z');
const SALES = { department: 'Sales', location: 'Berlin' };
const FINANCE = { department: 'Finance', location: 'Oslo' };

let site: ScoredSite;
let token: string;
let finding: Record<'own' | 'hidden' | 'left' | 'came', string>;

const audit = async (query = '') => {
  const answer = await fetch(`${site.gateway.url}/api/v3/audit${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, body: (await answer.json()) as any };
};
const targets = async (query = ''): Promise<string[]> =>
  (await audit(query)).body.items.map(({ target }: { target: string }) => target);

beforeAll(async () => {
  site = await ScoredSite.start(BEGIN);
  const given = { name: 'limited', scopes: SCOPES, departments: ['Sales'] };
  token = (await site.post('/api/v3/tokens', given)).body.token;
  await site.addSignals(
    { name: 'own', host: 'own01', attributes: SALES },
    { name: 'hidden', host: 'hidden01', attributes: FINANCE },
    { name: 'left', host: 'left01', attributes: SALES },
    { name: 'came', host: 'came01', attributes: FINANCE },
  );
  const idOf = async (name: string) => (await site.client.all(`/api/v3/findings?name=${name}`))[0].id;
  finding = {
    own: await idOf('own'),
    hidden: await idOf('hidden'),
    left: await idOf('left'),
    came: await idOf('came'),
  };
  for (const id of Object.values(finding)) await site.accept(id);
  await site.addSignals(
    { name: 'left', host: 'left01', attributes: FINANCE },
    { name: 'came', host: 'came01', attributes: SALES },
  );
  for (const id of [finding.left, finding.came]) {
    site.pass();
    const { status } = await site.post(`/api/v3/findings/${id}/revert`, { rationale: 'again', to: 'Failed' });
    expect(status).toBe(200);
  }
  await site.deleteAsset('own01');
  await site.deleteAsset('hidden01');
});
afterAll(() => site.stop());

describe('the audit trail of a caller that is limited to departments or locations', () => {
  it('contains acts on assets and findings that were visible when they happened, and nothing else', async () => {
    const { status, body } = await audit('?limit=500');
    expect(status).toBe(200);
    expect(body.items.map(({ action, target }: any) => [action, target])).toEqual([
      ['asset.deleted', expect.any(String)],
      ['finding.reverted', finding.came],
      ['finding.accepted', finding.left],
      ['finding.accepted', finding.own],
    ]);
    expect(body.items.every(({ position }: any) => position === null)).toBe(true);
    const all = await site.client.all('/api/v3/audit');
    expect(all.length).toBeGreaterThan(8);
    expect(all.every(({ position }) => position !== null)).toBe(true);
  });

  it('finds nothing else by filters', async () => {
    for (const id of [finding.hidden, 'settings']) expect(await targets(`?target=${id}`)).toEqual([]);
    expect(await targets(`?target=${finding.came}`)).toEqual([finding.came]);
    expect(await targets('?action=credential.tokenCreated')).toEqual([]);
    expect(await targets('?action=finding.accepted')).toEqual([finding.left, finding.own]);
  });

  it('has pages whose cursors show no offsets of the log', async () => {
    const found: string[] = [];
    const cursors: string[] = [];
    for (let query = '?limit=1'; ; ) {
      const { body } = await audit(query);
      found.push(...body.items.map(({ target }: { target: string }) => target));
      if (body.nextCursor === null) break;
      cursors.push(body.nextCursor);
      query = `?limit=1&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
    expect(found).toEqual(await targets('?limit=500'));
    expect(new Set(cursors.map(({ length }) => length)).size).toBe(1);
    const plain = (await site.client.get('/api/v3/audit?limit=1')).nextCursor;
    expect(JSON.parse(Buffer.from(plain, 'base64url').toString())).toHaveLength(3);
    for (const cursor of [plain, 'x', 'v1.', `${cursors[0]}A`, 'v1.AAAAAAAA.AA', cursors[0]!.slice(0, -4)]) {
      const { status, body } = await audit(`?cursor=${encodeURIComponent(cursor)}`);
      expect([cursor, status, body.message]).toEqual([
        cursor,
        400,
        'cursor must be a nextCursor returned by this list',
      ]);
    }
  });
});
