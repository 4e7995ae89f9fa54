import { randomBytes } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { zipOf } from '../support/api-client.ts';
import { sendRaw } from '../support/raw-client.ts';
import { type RawEntry, rawZip } from '../support/raw-zip.ts';
import type { Row } from './row.ts';
import { named, passed, signal } from './signals.ts';
import type { Site } from './site.ts';

const MB = 1_048_576;
const ZIP = '/api/v3/signals/zip';

const text = (value: unknown) => JSON.stringify(value);
const entry = (name: string, data: unknown, given: Partial<RawEntry> = {}): RawEntry => ({
  name,
  data: Buffer.isBuffer(data) || typeof data === 'string' ? data : text(data),
  ...given,
});

/** A token as the gateway's own clients send it, for requests that are written by hand. */
async function tokenOf({ gateway }: Site): Promise<string> {
  const response = await fetch(`${gateway.url}/api/v3/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(gateway.credentialsOf('admin')).toString('base64')}` },
  });
  return ((await response.json()) as { accessToken: string }).accessToken;
}

const formOf = (zip: Buffer, { type = 'application/zip', name = 'file', file = 'a.zip' } = {}) => {
  const form = new FormData();
  form.append(name, new Blob([new Uint8Array(zip)], { type }), file);
  return form;
};

/** A ZIP of exactly `bytes` bytes: its padding is a skipped entry, which is never decompressed. */
function zipOfBytes(bytes: number, host: string): Buffer {
  const padded = (pad: Buffer) =>
    rawZip([
      entry('a.json', signal(host)),
      entry('.pad', '', { packed: pad, method: 0, uncompressedSize: 0 }),
    ]);
  return padded(randomBytes(bytes - padded(Buffer.alloc(0)).length));
}

/** A ZIP whose ZIP64 end record states `entries` entries. */
function declaring(entries: number, zip: Buffer): Buffer {
  const end = zip.length - 22;
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(entries), 32);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(end), 8);
  return Buffer.concat([zip.subarray(0, end), record, locator, zip.subarray(end)]);
}

export const ZIP_CONTENTS: Row[] = [
  ...['application/octet-stream', 'text/plain', ''].map(
    (type): Row => ({
      rule: 'R-ZIP-1',
      says: `the part is known by its name \`file\` and the ZIP signature, not by its type ${type} or file name`,
      holds: async (site) => {
        const zip = await zipOf({ '1.json': signal('any') });
        const { status } = await site.client.request('POST', ZIP, formOf(zip, { type, file: 'x.bin' }));
        expect(status).toBe(200);
      },
    }),
  ),
  {
    rule: 'R-ZIP-1',
    says: 'another part name, or a `file` without the ZIP signature, is a 400',
    holds: async (site) => {
      const zip = await zipOf({ '1.json': signal('any') });
      const wrong = await site.client.request('POST', ZIP, formOf(zip, { name: 'upload' }));
      expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringMatching(/named `file`/)]);
      await site.expectZipRefused(Buffer.from(text(signal('any'))), /not a ZIP/);
    },
  },
  {
    rule: 'R-ZIP-2',
    says: 'every `*.json` entry is one signal: any case, any folder, UTF-8 with or without BOM',
    holds: async (site) => {
      const host = site.host();
      const { body } = await site.zip({
        'a.json': named('plain', host),
        'deep/er/B.JSON': named('in a folder', host),
        'c.Json': `\uFEFF${text(named('with BOM: Grüße', host))}`,
      });
      expect(body.accepted).toBe(3);
      await site.client.folded(body.uploadId);
      expect(Object.keys(await site.states(host)).sort()).toEqual([
        'in a folder',
        'plain',
        'with BOM: Grüße',
      ]);
    },
  },
  ...['config.json', 'top/config.json'].map(
    (name): Row => ({
      rule: 'R-ZIP-3',
      says: `\`config.json\` is no signal at the root or once in a single top folder: ${name}`,
      holds: async (site) => {
        const host = site.host();
        const folder = name.slice(0, -'config.json'.length);
        const config = { shouldImportAssets: false };
        const { body } = await site.zip({ [`${folder}1.json`]: signal(host), [name]: config });
        expect((await site.client.folded(body.uploadId)).outcome.ignored).toEqual({ unknownAsset: 1 });
      },
    }),
  ),
  {
    rule: 'R-ZIP-2',
    says: 'directories, `__MACOSX/`, dot-files, `Thumbs.db`, `desktop.ini` are skipped',
    holds: async (site) => {
      const skipped = ['__MACOSX/._a.json', '.DS_Store', 'in/.hidden.json', 'in/Thumbs.db', 'desktop.ini'];
      const zip = rawZip([
        entry('in/', ''),
        ...skipped.map((name) => entry(name, 'x')),
        entry('in/1.json', signal('any')),
      ]);
      expect(await site.zip(zip)).toMatchObject({ status: 200, body: { accepted: 1, rejected: 0 } });
    },
  },
  ...(
    [
      [
        'R-ZIP-2',
        'anything else is malformed',
        [entry('1.json', signal('any')), entry('readme.txt', 'x')],
        /readme\.txt/,
      ],
      ['R-ZIP-2', 'no signal at all is a 400', [entry('config.json', '{}')], /contains no signals/],
      [
        'R-SIG-1',
        'an array in an entry is a 400',
        [entry('1.json', [signal('any')])],
        /1 of 1 entries malformed/,
      ],
      [
        'R-ZIP-3',
        'unknown properties of `config.json` are a 400',
        [entry('1.json', signal('any')), entry('config.json', { shouldFly: true })],
        /shouldFly/,
      ],
      [
        'R-ZIP-8',
        'an entry over 1 MB unpacked is a 400',
        [entry('1.json', { ...signal('any'), description: ' '.repeat(MB) })],
        /1\.json/,
      ],
      [
        'R-ZIP-9',
        'an encrypted archive is a 400',
        [entry('1.json', signal('any'), { flags: 1 })],
        /encrypted/,
      ],
      [
        'R-ZIP-9',
        'a nested archive is a 400',
        [entry('1.json', signal('any')), entry('more.zip', rawZip([entry('2.json', signal('any'))]))],
        /more\.zip/,
      ],
      ['R-ZIP-9', 'a path-climbing archive is a 400', [entry('../1.json', signal('any'))], /leads outside/],
    ] as [Row['rule'], string, RawEntry[], RegExp][]
  ).map(
    ([rule, says, entries, message]): Row => ({
      rule,
      says,
      holds: (site) => site.expectZipRefused(rawZip(entries), message),
    }),
  ),
  {
    rule: 'R-ZIP-9',
    says: 'a truncated archive is a 400',
    holds: async (site) => {
      const whole = rawZip([entry('1.json', signal('any'))]);
      await site.expectZipRefused(whole.subarray(0, whole.length - 30), /truncated/);
    },
  },
  {
    rule: 'R-ZIP-8',
    says: 'over 200 MB unpacked in all is a 400',
    holds: async (site) => {
      const packed = deflateRawSync(Buffer.alloc(MB, 32));
      const large = Array.from({ length: 201 }, (_, i) =>
        entry(`${i}.json`, '', { packed, uncompressedSize: MB }),
      );
      await site.expectZipRefused(
        rawZip(large),
        /uncompressed size of the ZIP is 210763776 bytes: at most 209715200/,
      );
    },
  },
  {
    rule: 'R-ZIP-8',
    says: 'over 100,000 entries is a 400',
    holds: async (site) => {
      const zip = declaring(100_001, rawZip([entry('1.json', signal('any'))]));
      await site.expectZipRefused(zip, /100001 entries: at most 100000/);
    },
  },
  {
    rule: 'R-ZIP-4',
    says: 'order is central-directory order; the last wins',
    holds: async (site) => {
      const host = site.host();
      await site.upload([signal(host), signal(host, passed())]);
      expect((await site.finding(host)).state).toBe('Qualified');
      await site.upload([signal(host, passed()), signal(host)]);
      expect((await site.finding(host)).state).toBe('Failed');
    },
  },
  {
    rule: 'R-SIG-16',
    says: 'unknown properties of a signal are kept',
    holds: async (site) => {
      const given = { ...signal(site.host()), scanner: { build: 'r-2077' } };
      const { id } = await site.upload([given]);
      expect(JSON.stringify(await site.gateway.eventsOf(id))).toContain('r-2077');
    },
  },
  {
    rule: 'R-SIG-17',
    says: '`entity.connectionAttributes` is dropped at the edge and named in `warnings`',
    holds: async (site) => {
      const host = site.host();
      const given = signal(host, {
        entity: { type: 'machine', name: host, connectionAttributes: { password: 'hunter2-dropped' } },
      });
      const { id, warnings } = await site.upload([given]);
      expect(warnings).toMatchObject([{ entry: '0.json', field: 'entity.connectionAttributes' }]);
      expect(JSON.stringify(await site.gateway.eventsOf(id))).not.toContain('hunter2-dropped');
      expect(site.gateway.lines.join('')).not.toContain('hunter2-dropped');
    },
  },
  {
    rule: 'R-SIG-3',
    says: 'U+0000 and lone surrogates become U+FFFD',
    holds: async (site) => {
      const host = site.host();
      await site.upload([named('a\u0000b \ud800 c', host), named('\udc00', host)]);
      expect(Object.keys(await site.states(host)).sort()).toEqual(['a\ufffdb \ufffd c', '\ufffd'].sort());
    },
  },
  {
    rule: 'R-ZIP-8',
    says: '5 MB for the part, else 413',
    holds: async (site) => {
      const largest = zipOfBytes(5 * MB, site.host());
      expect((await site.zip(largest)).status).toBe(200);
      expect((await site.zip(Buffer.concat([largest, Buffer.alloc(1)]))).status).toBe(413);
    },
  },
  {
    rule: 'R-JSON-1',
    says: '1 MB for a JSON body, else 413',
    holds: async (site) => {
      const given = text(signal(site.host()));
      const padded = given + ' '.repeat(MB - given.length);
      expect((await site.client.signal(padded)).status).toBe(200);
      expect((await site.client.signal(`${padded} `)).status).toBe(413);
    },
  },
  {
    rule: 'R-HTTP-4',
    says: 'a rejected body is read to its end before the connection closes, so that every client sees the answer',
    holds: async (site) => {
      const { port } = site.gateway;
      const authorization = `Bearer ${await tokenOf(site)}`;
      for (const [path, type] of [
        ['/api/v3/signals', 'application/json'],
        [ZIP, 'multipart/form-data; boundary=b'],
      ]) {
        const headers = { authorization, 'content-type': type! };
        const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nPK';
        const body = Buffer.concat([Buffer.from(head), Buffer.alloc(12 * MB)]);
        expect((await sendRaw({ port, path: path!, headers, body })).status).toBe(413);
      }
    },
  },
  {
    rule: 'R-LIM-5',
    says: 'so many uploads at once as memory allows, then 429',
    holds: async (site) => {
      const zip = zipOfBytes(5 * MB, site.host());
      const answers = await Promise.all(Array.from({ length: 30 }, () => site.zip(zip)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
      const { body, headers } = answers.find(({ status }) => status === 429)!;
      expect(body.message).toMatch(/^\d+$/);
      expect(headers.get('retry-after')).toBe(body.message);
      expect((await site.zip(zip)).status).toBe(200);
    },
  },
];
