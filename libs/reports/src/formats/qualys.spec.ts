import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-qualys-'));
});
afterAll(() => rm(dir, { recursive: true }));

const csv = (...rows: Record<string, string>[]): string => {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (fields: string[]) => fields.map((field) => `"${field}"`).join(',');
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))].map(line).join('\n');
};

const signalsOfCsv = async (...rows: Record<string, string>[]) =>
  (await runConvert(dir, { 'a.csv': `${csv(...rows)}\n` })).signals;

const assetData = (detection: string, glossary: string): string =>
  `<?xml version="1.0"?><ASSET_DATA_REPORT><HOST_LIST><HOST><IP>10.0.0.1</IP><VULN_INFO_LIST>
<VULN_INFO><QID id="qid_901">901</QID><TYPE>Vuln</TYPE>${detection}</VULN_INFO></VULN_INFO_LIST></HOST></HOST_LIST>
<GLOSSARY><VULN_DETAILS_LIST><VULN_DETAILS id="qid_901"><QID id="qid_901">901</QID><TITLE>Weak</TITLE><SEVERITY>3</SEVERITY>
${glossary}</VULN_DETAILS></VULN_DETAILS_LIST></GLOSSARY></ASSET_DATA_REPORT>`;

async function severityOf(detection: string, glossary: string) {
  const { signals } = await runConvert(dir, { 'a.xml': assetData(detection, glossary) });
  return (signals[0].securityContext ?? signals[0].securityContexts[0]).severity;
}

describe('the CVSS of Qualys', () => {
  const base =
    '<CVSS3_SCORE><CVSS3_BASE>9.0 (AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H)</CVSS3_BASE></CVSS3_SCORE>';

  it('of a detection is the environmental score, in addition to the base score of the glossary', async () => {
    const severity = await severityOf(
      '<CVSS_FINAL>-</CVSS_FINAL><CVSS3_FINAL>8.2 (E:U/RL:U/RC:C)</CVSS3_FINAL>',
      base,
    );
    expect(severity).toMatchObject({ value: 9, cvss: { baseScore: 9, environmentalScore: 8.2 } });
  });

  it('of a detection counts if the glossary has none, before an older version', async () => {
    const severity = await severityOf(
      '<CVSS3_FINAL>8.2</CVSS3_FINAL>',
      '<CVSS_SCORE><CVSS_BASE>5.0 (AV:N/AC:L/Au:N/C:P/I:N/A:N)</CVSS_BASE></CVSS_SCORE>',
    );
    expect(severity).toMatchObject({ value: 8.2, cvss: { version: '3.0', environmentalScore: 8.2 } });
    expect(await severityOf('<CVSS3_FINAL>-</CVSS3_FINAL>', '')).toEqual({ level: 'medium' });
  });

  it('is in the columns of both kinds of CSV', async () => {
    const row = { IP: '10.0.0.1', QID: '911', Severity: '3' };
    const [final] = await signalsOfCsv({ ...row, Title: 'A', CVSS3: '7.4', 'CVSS3 Base': '' });
    const [nvd] = await signalsOfCsv({ ...row, Title: 'B', 'CVSSv3.1 Base (nvd)': '6.5' });
    expect(final.securityContext.severity).toMatchObject({ value: 7.4, cvss: { environmentalScore: 7.4 } });
    expect(nvd.securityContext.severity).toMatchObject({ value: 6.5, cvss: { version: '3.1' } });
  });

  it('may have a decimal comma', async () => {
    const [found] = await signalsOfCsv({
      ...{ IP: '10.0.0.1', QID: '911', Severity: '3', Title: 'A', CVSS3: '6,9' },
      'CVSS3 Base': '7,5 (AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N)',
    });
    expect(found.securityContext.severity).toMatchObject({
      value: 7.5,
      cvss: { baseScore: 7.5, environmentalScore: 6.9, vector: expect.stringContaining('AV:N') },
    });
  });
});

it('hosts of Qualys stay separate if their NetBIOS name may be truncated', async () => {
  const row = { QID: '911', Title: 'Weak', NetBIOS: 'PRODUCTION-WEB-' };
  const signals = await signalsOfCsv(
    { ...row, IP: '10.0.0.1', DNS: 'production-web-01.halden.example' },
    { ...row, IP: '10.0.0.2' },
    { ...row, IP: '10.0.0.3', NetBIOS: 'FS01' },
  );
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual([
    '10.0.0.2',
    'FS01',
    'production-web-01.halden.example',
  ]);
});

it('hosts of VMDR stay separate if the name of the asset is the NetBIOS name', async () => {
  const row = { QID: '911', Title: 'Weak' };
  const signals = await signalsOfCsv(
    { ...row, 'Asset Name': 'PRODUCTION-WEB-', 'Asset IPv4': '10.0.0.1', NetBIOS: 'production-web-' },
    { ...row, 'Asset Name': 'PRODUCTION-WEB-', 'Asset IPv4': '10.0.0.2', NetBIOS: 'PRODUCTION-WEB-' },
    { ...row, 'Asset Name': 'Web of production', 'Asset IPv4': '10.0.0.3', NetBIOS: 'PRODUCTION-WEB-' },
    { ...row, 'Asset Name': 'FS01', 'Asset IPv4': '10.0.0.4', NetBIOS: 'FS01' },
  );
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual([
    '10.0.0.1',
    '10.0.0.2',
    'FS01',
    'Web of production',
  ]);
});

it('a host of Qualys that calls itself localhost has its next name', async () => {
  const row = { QID: '911', Title: 'Weak', DNS: 'localhost.localdomain' };
  const signals = await signalsOfCsv(
    { ...row, IP: '10.0.0.1', NetBIOS: 'LOCALHOST' },
    { ...row, IP: '10.0.0.2', NetBIOS: 'FS01' },
  );
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual(['10.0.0.1', 'FS01']);
  for (const { entity } of signals) expect(entity.entityAttributes).not.toHaveProperty('fqdn');
});

it('hosts of a scan without DNS stay separate, with the words of Qualys for them', async () => {
  const row = { QID: '911', Title: 'Weak', DNS: 'No registered hostname' };
  const signals = await signalsOfCsv(
    { ...row, IP: '10.0.0.1' },
    { ...row, IP: '10.0.0.2', DNS: 'no registered hostname' },
    { ...row, IP: '10.0.0.3', NetBIOS: 'FS01' },
  );
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual(['10.0.0.1', '10.0.0.2', 'FS01']);
});

it('a row of a Qualys CSV without a QID is an assessed host only if it is one host that was scanned', async () => {
  const rows = csv(
    { IP: '10.0.0.1', 'IP Status': 'host scanned, found vuln', QID: '911', Title: 'Weak' },
    { IP: '10.0.0.2', 'IP Status': 'host scanned' },
    { IP: '10.0.0.3', 'IP Status': 'hosts not scanned, host not alive' },
    { IP: '10.0.0.4-10.0.0.5, 10.0.0.7', 'IP Status': 'hosts not scanned, host not alive' },
    { IP: '10.0.0.8', 'IP Status': 'No vulnerabilities match your filters for these hosts' },
    { IP: '10.0.0.9, 10.0.0.10' },
  );
  const { out, signals } = await runConvert(dir, { 'a.csv': `${rows}\n` }, '--replace', 'va');
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(out).toMatch(/2 +hosts not scanned, host not alive\n/);
  expect(out).toMatch(/1 +No vulnerabilities match your filters for these hosts\n/);
  expect(out).toMatch(/1 +has no QID\n/);
});

it('evidence with the tags of another form of Qualys is still read as what the root element says', async () => {
  const result = '<RESULT><![CDATA[<SCAN ><title>Scanner</title>]]></RESULT>';
  const { signals } = await runConvert(dir, { 'a.xml': assetData(result, '') });
  expect(signals.map(({ name }) => name)).toEqual(['Weak']);
  expect(signals[0].securityContext.evidence.observationText).toContain('<SCAN >');
});

it('a page of host detections is incomplete: refused if it replaces, noted otherwise', async () => {
  const page = `<?xml version="1.0"?><HOST_LIST_VM_DETECTION_OUTPUT><RESPONSE><HOST_LIST><HOST><IP>10.0.0.1</IP>
<DETECTION_LIST><DETECTION><QID>901</QID><SEVERITY>3</SEVERITY></DETECTION></DETECTION_LIST></HOST></HOST_LIST>
<WARNING><CODE>1980</CODE><TEXT>1000 record limit exceeded. Use URL to get next batch of results.</TEXT>
<URL>https://qualys.halden.example/?id_min=2</URL></WARNING></RESPONSE></HOST_LIST_VM_DETECTION_OUTPUT>`;
  const replacing = await runConvert(dir, { 'a.xml': page }, '--replace', 'va');
  expect(replacing).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('is incomplete'),
    signals: [],
  });
  const { exitCode, out, signals } = await runConvert(dir, { 'a.xml': page });
  expect({ exitCode, signals }).toMatchObject({ exitCode: 0, signals: [{ name: 'QID 901' }] });
  expect(out).toContain('is incomplete');
});
