import { describe, expect, it } from '@jest/globals';
import { OUTSIDE_TABLES } from '#libs/backup';
import { CHANGES, OMITTED, REPLACED, sealedTable, UNCHANGED } from './outside-texts.ts';

const personal = (user: string, text = user) => `sealed(${user}: ${text})`;
const machine = (name: string) => `sealed(${name})`;
const ids = (text: string) => text.replace('old-id', 'new-id');

async function sealed(name: string, columns: string[], ...rows: string[]): Promise<string> {
  const given = async function* () {
    yield* rows.map((row) => Buffer.from(row));
  };
  const chunks: Buffer[] = [];
  for await (const row of sealedTable({ name, columns, rows: given() }, { personal, machine, ids }).rows)
    chunks.push(row);
  return Buffer.concat(chunks).toString();
}

describe('tables outside the log', () => {
  it('have each a rule', () => {
    const rules = [...Object.keys(CHANGES), ...OMITTED, ...UNCHANGED, ...REPLACED];
    expect(rules.sort()).toEqual(OUTSIDE_TABLES.map(({ name }) => name).sort());
  });

  it('keep the number of errors of a sync, without their texts', async () => {
    const errors = JSON.stringify([{ what: 'Malware of ana-laptop', message: 'cancelled by ana' }]);
    expect(await sealed('syncs', ['requested_by', 'errors'], `ana\t${errors}\n`)).toBe(
      'sealed(ana: ana)\t[{"what":"erased","message":"erased"}]\n',
    );
  });

  it('name neither who cancelled a sync nor who paused a webhook', async () => {
    expect(await sealed('syncs', ['cancel_requested_by'], 'ana\n', '\\N\n')).toBe('sealed(ana: ana)\n\\N\n');
    const pause = (reason: string, message: string) => `${JSON.stringify({ reason, message, at: 1 })}\n`;
    const rows = [pause('user', 'paused by ana'), pause('gone', 'HTTP 410'), '\\N\n'];
    expect(await sealed('webhooks', ['paused'], ...rows)).toBe(
      pause('user', 'paused by a user') + rows[1] + rows[2],
    );
  });

  it('keep the origins of acts beside the acts, sealed', async () => {
    const columns = ['request_id', 'by_user', 'address', 'token', 'at'];
    const row = 'r-1\tana\t192.0.2.1\t9f86d081884c\t2026-03-02 08:00:00+00\n';
    expect(await sealed('act_origins', columns, row)).toBe(
      'r-1\tsealed(ana: ana)\tsealed(ana: 192.0.2.1)\t9f86d081884c\t2026-03-02 08:00:00+00\n',
    );
  });

  it('seal a product of an import as the machine that it is', async () => {
    const rows = ['product\tana-laptop\n', 'engagement\tnightly\n'];
    expect(await sealed('import_contexts', ['kind', 'name'], ...rows)).toBe(
      'product\tsealed(ana-laptop)\nengagement\tnightly\n',
    );
  });

  it('name findings and assets by their new ids', async () => {
    expect(await sealed('webhook_tickets', ['finding_id', 'state'], 'old-id\topen\n')).toBe('new-id\topen\n');
    expect(await sealed('saved_views', ['owner', 'query'], 'ana\tassetId=old-id\n')).toBe(
      'sealed(ana: ana)\tsealed(ana: assetId=new-id)\n',
    );
  });
});
