import { describe, expect, it } from '@jest/globals';
import { threatenedAsset } from '../../../../../test/fixtures/domain/threatened-subjects.ts';
import { assetReach, isPublicAddress, techniqueReachRow, vectorReachRow } from './reach.ts';
import { vectorFactsOf } from './vector-facts.ts';

describe('reach', () => {
  it.each([
    ['8.8.8.8', true],
    ['203.0.113.7', true],
    ['2001:db8::1', true],
    ['2606:4700::1111', true],
    ['::ffff:8.8.8.8', true],
    ['10.1.2.3', false],
    ['172.31.0.1', false],
    ['192.168.0.1', false],
    ['100.64.0.1', false],
    ['127.0.0.1', false],
    ['169.254.1.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['0.0.0.0', false],
    ['::1', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['ff02::1', false],
    ['::ffff:10.0.0.1', false],
    ['web01', false],
    // Sealed texts: only one that states it.
    ['\ufdd0pAAAA\ufdd1', true],
    ['\ufdd02AAAA\ufdd1', false],
    ['', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect([isPublicAddress(address), isPublicAddress(address)]).toEqual([isPublic, isPublic]);
  });

  it.each([
    [' dmz ', [], 'exposed', false],
    ['Web Application', [], 'exposed', false],
    ['Servers', ['10.0.0.1', '8.8.8.8'], 'exposed', false],
    ['Network', ['10.0.0.1'], 'edge', false],
    ['CLOUD', [], 'edge', false],
    ['Endpoints', [], 'inside', true],
    ['People', ['8.8.8.8'], 'exposed', true],
    ['Our own words', [], 'inside', false],
  ])('an asset on %s with %j is %s, client %s', (attackSurface, ipAddresses, reachClass, isClient) => {
    expect(assetReach(threatenedAsset({ attackSurface, ipAddresses }))).toEqual({
      class: reachClass,
      isClient,
    });
  });

  it.each([
    ['AV:N/AC:L/PR:N/UI:N', 'network', 'network'],
    ['AV:A/AC:L/PR:N/UI:N', 'adjacent', 'adjacent'],
    ['AV:L/AC:L/PR:N/UI:N', 'local', 'local'],
    ['AV:P/AC:L/PR:N/UI:R', 'physical', 'physical'],
    ['AV:L/AC:L/PR:N/UI:R', 'interaction, other', 'interaction, client'],
    ['AV:N/AC:L/PR:N/UI:R', 'interaction, other', 'interaction, client'],
  ])('of %s is %s, on a client %s', (metrics, server, client) => {
    const vector = vectorFactsOf({ vector: `CVSS:3.1/${metrics}/S:U/C:H/I:H/A:H`, version: null });
    expect(vectorReachRow(vector, { class: 'inside', isClient: false })).toBe(server);
    expect(vectorReachRow(vector, { class: 'inside', isClient: true })).toBe(client);
  });

  it('is unknown without a vector; of techniques by their tactics', () => {
    expect(vectorReachRow(null, { class: 'exposed', isClient: true })).toBe('unknown');
    expect(techniqueReachRow(['execution', 'initial-access'])).toBe('network');
    expect(techniqueReachRow(['reconnaissance'])).toBe('network');
    expect([techniqueReachRow(['execution']), techniqueReachRow([])]).toEqual(['local', 'local']);
  });
});
