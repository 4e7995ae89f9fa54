import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StartedGateway } from '../../../../test/support/started-gateway.ts';

let gateway: StartedGateway;

beforeAll(async () => {
  gateway = await StartedGateway.start();
});
afterAll(() => gateway.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { headers, redirect: 'manual' });

/** Compressed, such a file would be larger. */
const TINY_CHARACTERS = 200;

/** Addresses of the files that the page loads. */
const filesOf = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="(\/app\/files\/[^"]+)"/g)].map(([, path]) => path!);

describe('the console', () => {
  it('is the target of /', async () => {
    const { status, headers } = await get('/');
    expect([status, headers.get('location')]).toEqual([302, '/app/']);
  });

  it.each([
    '/app',
    '/app/',
    '/app/findings?state=Failed',
    '/app/findings/no-such-id',
    '/app/assets/no-such-id',
  ])('is one page at %s, which browsers revalidate each time', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('<div id="root">');
  });

  it('may only run its own files and call its own service; inline styles have a nonce for each response', async () => {
    const nonces = new Set<string>();
    for (const _ of [1, 2]) {
      const response = await get('/app/');
      const policy = response.headers.get('content-security-policy')!;
      const nonce = /style-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy)![1]!;
      nonces.add(nonce);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain(
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
      const page = await response.text();
      expect(page).toContain(`<meta property="csp-nonce" nonce="${nonce}"`);
      expect(page).not.toContain('{{nonce}}');
      // Nothing inline without the nonce, and nothing from other origins.
      expect(page).not.toMatch(/<script(?![^>]* src="\/app\/files\/)/);
      expect(page).not.toMatch(/(?:src|href)="(?!\/app\/files\/)/);
    }
    expect(nonces.size).toBe(2);
  });

  it('has files that are cached forever, compressed for clients that accept it', async () => {
    const files = filesOf(await (await get('/app/')).text());
    expect(files.some((path) => path.endsWith('.js'))).toBe(true);
    for (const path of files.filter((file) => /\.(js|css)$/.test(file))) {
      const plain = await get(path, { 'accept-encoding': 'identity' });
      expect(plain.status).toBe(200);
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
      expect(plain.headers.get('content-security-policy')).toContain("default-src 'none'");
      const text = await plain.text();
      if (text.length < TINY_CHARACTERS) continue;
      for (const [encoding, unpack] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const packed = await packedAnswer(path, encoding);
        expect(packed.encoding).toBe(encoding);
        expect(unpack(packed.body).toString()).toBe(text);
      }
    }
  });

  it.each([
    ['/app/files/no-such-file.js', 404],
    ['/app/files/../index.html', 403],
    ['/app/files/%2e%2e/%2e%2e/package.json', 403],
  ])('has no file at %s', async (path, expected) => {
    expect(await rawGet(path)).toMatchObject({ status: expected });
  });
});

/** `fetch` unpacks by itself, and tidies paths. */
async function rawGet(path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(gateway.url);
  return new Promise<{ status: number; encoding: string | undefined; body: Buffer }>((resolve, reject) => {
    request({ hostname, port, path, headers }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      const { statusCode = 0, headers: answered } = response;
      resolve({ status: statusCode, encoding: answered['content-encoding'], body: Buffer.concat(parts) });
    })
      .on('error', reject)
      .end();
  });
}

const packedAnswer = (path: string, encoding: string) => rawGet(path, { 'accept-encoding': encoding });
