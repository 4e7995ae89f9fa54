import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-cyclonedx-'));
});
afterAll(() => rm(dir, { recursive: true }));

const extension = (components: string, rest = '') =>
  `<?xml version="1.0"?><bom xmlns="http://cyclonedx.org/schema/bom/1.2" xmlns:v="http://cyclonedx.org/schema/ext/vulnerability/1.0" version="1">
<metadata><component type="container"><name>shop</name><version>1.2</version></component></metadata>
<components>${components}</components>${rest}</bom>`;

const vulnerability = (id: string, ref: string) =>
  `<v:vulnerability ref="${ref}"><v:id>${id}</v:id><v:cwes><v:cwe>CWE-22</v:cwe></v:cwes></v:vulnerability>`;

async function foundIn(xml: string) {
  const { signals } = await runConvert(dir, { 'a.xml': xml });
  return signals
    .map(({ name, securityContexts }) => ({
      name,
      id: securityContexts[0].detectionId,
      tags: securityContexts[0].tags,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

describe('a vulnerability in CycloneDX XML before 1.4', () => {
  it('belongs to the surrounding component, for any own reference', async () => {
    const xml = extension(`
<component type="library"><name>zlib</name><version>1.2.11</version>
<pedigree><ancestors><component type="library"><name>old</name><purl>pkg:generic/old</purl></component></ancestors></pedigree><v:vulnerabilities>${vulnerability('CVE-2024-2001', 'urn:uuid:1')}</v:vulnerabilities></component>
<component type="library" bom-ref="lib"><group>org.halden</group><name>parser</name><version>2</version><purl>pkg:maven/org.halden/parser@2</purl>
<v:vulnerabilities>${vulnerability('CVE-2024-2001', 'urn:uuid:2')}</v:vulnerabilities></component>`);
    expect(await foundIn(xml)).toEqual([
      {
        name: 'CVE-2024-2001 (org.halden/parser)',
        id: 'lib',
        tags: {
          package: ['org.halden/parser'],
          version: ['2'],
          purl: ['pkg:maven/org.halden/parser@2'],
        },
      },
      {
        name: 'CVE-2024-2001 (zlib)',
        id: 'zlib@1.2.11',
        tags: { package: ['zlib'], version: ['1.2.11'] },
      },
    ]);
  });

  it('is of the innermost of components in components', async () => {
    const inner = `<component type="library"><name>inner</name><v:vulnerabilities>${vulnerability('CVE-2024-2002', 'urn:uuid:3')}</v:vulnerabilities></component>`;
    const xml = extension(
      `<component type="library"><name>outer</name><components>${inner}</components>
<v:vulnerabilities>${vulnerability('CVE-2024-2003', 'urn:uuid:4')}</v:vulnerabilities></component>`,
    );
    expect((await foundIn(xml)).map(({ name }) => name)).toEqual([
      'CVE-2024-2002 (inner)',
      'CVE-2024-2003 (outer)',
    ]);
  });

  it('belongs to the component that it refers to if it is separate', async () => {
    const xml = extension(
      '<component type="library" bom-ref="lib"><name>zlib</name><version>1</version></component>',
      `<v:vulnerabilities>${vulnerability('CVE-2024-2004', 'lib')}${vulnerability('CVE-2024-2005', 'urn:uuid:5')}</v:vulnerabilities>`,
    );
    expect((await foundIn(xml)).map(({ name, id }) => [name, id])).toEqual([
      ['CVE-2024-2004 (zlib)', 'lib'],
      ['CVE-2024-2005', 'urn:uuid:5'],
    ]);
  });

  it('has its CWE with the prefix too', async () => {
    const xml = extension(
      '',
      `<v:vulnerabilities>${vulnerability('CVE-2024-2006', 'x')}</v:vulnerabilities>`,
    );
    const { signals } = await runConvert(dir, { 'a.xml': xml });
    expect(signals[0].securityContexts[0].standardsMapping).toContainEqual({
      name: 'cwe',
      value: ['CWE-22'],
    });
  });
});

describe('a component without an analysis', () => {
  const versions = (...statuses: (string | undefined)[]) =>
    statuses.map((status, i) => ({ version: `2.${i}`, ...(status && { status }) }));
  it.each([
    [versions('unaffected'), 'pass'],
    [versions('unaffected', 'unknown'), 'unknown'],
    [versions('unaffected', 'affected'), 'fail'],
    [versions(undefined), 'fail'],
    [[], 'fail'],
  ])('%j is %s', async (given, status) => {
    const document = {
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'app' } },
      vulnerabilities: [{ id: 'CVE-2024-1234', affects: [{ ref: 'pkg:npm/a@2.0', versions: given }] }],
    };
    const { signals } = await runConvert(dir, { 'a.json': JSON.stringify(document) });
    expect(signals[0]!.securityContexts[0].status.complianceStatus).toBe(status);
  });
});

it('ignores a CVSS score of 0 for that of an older version', async () => {
  const ratings = [
    { method: 'CVSSv31', score: 0, severity: 'none' },
    { method: 'CVSSv2', score: 9.8, severity: 'critical' },
  ];
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { name: 'shop' } },
    vulnerabilities: [{ id: 'CVE-2024-2001', ratings }],
  };
  const { signals } = await runConvert(dir, { 'a.json': JSON.stringify(bom) });
  expect(signals[0].securityContext.severity).toMatchObject({ value: 9.8, level: 'critical' });
});
