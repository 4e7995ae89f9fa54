import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fixtureNamed } from '../../../../test/fixtures/convert/reports.ts';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-tenable-csv-'));
});
afterAll(() => rm(dir, { recursive: true }));

const convert = (title: string) => runConvert(dir, { 'a.csv': fixtureNamed(title).content });

it('the rows of one finding are one instance with all their CVEs; the newest CVSS counts', async () => {
  const { signals } = await convert('Tenable CSV');
  const found = signals.map(({ name, securityContext, securityContexts: [context] = [securityContext] }) => [
    name,
    context.type,
    context.status.complianceStatus,
    context.severity.level,
  ]);
  expect(found.sort()).toEqual([
    ['1.1 Separate partition', 'ca', 'fail', 'medium'],
    ['Sample TLS weakness', 'va', 'fail', 'high'],
    ['Scan information', 'va', 'pass', 'info'],
  ]);
  expect(signals.find(({ name }) => name === 'Sample TLS weakness')).toMatchObject({
    entity: {
      name: 'web09.halden.example',
      entityAttributes: { fqdn: 'web09.halden.example', ipAddresses: [{ ipv4: '10.0.9.5' }] },
    },
    firstSeen: '2026-01-01T00:00:00.000Z',
    lastSeen: '2026-01-02T00:00:00.000Z',
    securityContexts: [
      {
        severity: {
          value: 7.5,
          cvss: { version: '3.0', vector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
        },
        port: 443,
        protocol: 'tcp',
        standardsMapping: [
          { name: 'cve', value: ['CVE-2026-1001', 'CVE-2026-1002'] },
          { name: 'cwe', value: ['CWE-327'] },
          { name: 'nessus', value: ['900001'] },
          { name: 'xref', value: ['CWE:327', 'IAVA:0001-A-0001'] },
        ],
        evidence: { observationText: 'TLS 1.0 offered' },
        remediation: {
          description: 'Update it.',
          reference: 'https://halden.example/a\nhttps://halden.example/b',
        },
      },
    ],
  });
});

it('Tenable.sc: a host by its NetBIOS name, a time with its zone; an accepted risk fails, with a note', async () => {
  const { signals, out } = await convert('Tenable.sc CSV');
  expect(signals).toMatchObject([
    {
      entity: {
        name: 'DB09',
        entityAttributes: { networkInterface: [{ macAddress: ['00:50:56:aa:00:06'] }] },
      },
      lastSeen: '2026-01-05T17:24:08.000Z',
      securityContexts: [
        {
          status: { complianceStatus: 'fail' },
          severity: { value: 5, level: 'medium', cvss: { version: '2.0' } },
          standardsMapping: expect.arrayContaining([
            { name: 'cve', value: ['CVE-2026-1001', 'CVE-2026-1002'] },
            { name: 'cwe', value: ['CWE-327'] },
          ]),
        },
      ],
    },
  ]);
  expect(out).toContain('its risk was accepted in Tenable');
});

it('a header between the rows of joined reports is no finding, and names the columns below it', async () => {
  const reports = [
    'Plugin ID,CVE,Risk,Host,Protocol,Port,Name,Plugin Output',
    '1,,High,a.halden.example,tcp,443,Weak a,x',
    'Name,Host,Plugin ID,CVE,Risk,Protocol,Port,Plugin Output',
    'Weak b,b.halden.example,2,,Low,tcp,80,y',
  ];
  const { out, signals } = await runConvert(dir, { 'a.csv': `${reports.join('\n')}\n` }, '--json');
  expect(JSON.parse(out)).toMatchObject({ read: 2, mapped: 2 });
  expect(signals.map(({ name, entity }) => [name, entity.name])).toEqual([
    ['Weak a', 'a.halden.example'],
    ['Weak b', 'b.halden.example'],
  ]);
});

it.each([
  ['CRLF and LF', '\r\n', '\n'],
  ['LF and CRLF', '\n', '\r\n'],
  ['CR and LF', '\r', '\n'],
])('joined reports may end their lines with %s', async (_, first, second) => {
  const header = '"Plugin ID","CVE","Risk","Host","Protocol","Port","Name","Plugin Output"';
  const report = (end: string, ...rows: string[]) => [header, ...rows, ''].join(end);
  const joined =
    report(first, '"1","","High","a.halden.example","tcp","443","Weak a","x"') +
    report(
      second,
      `"2","","Low","b.halden.example","tcp","80","Weak b","y"`,
      '"3","","Critical","c.halden.example","tcp","80","Weak c","z"',
    );
  const { out, signals } = await runConvert(dir, { 'a.csv': joined }, '--json');
  expect(JSON.parse(out)).toMatchObject({ read: 3, mapped: 3 });
  expect(
    signals.map(({ name, entity, securityContext, securityContexts: [context] = [securityContext] }) => [
      entity.name,
      name,
      context.evidence.observationText,
    ]),
  ).toEqual([
    ['a.halden.example', 'Weak a', 'x'],
    ['b.halden.example', 'Weak b', 'y'],
    ['c.halden.example', 'Weak c', 'z'],
  ]);
});

it('a preamble may end with another line end than the rows', async () => {
  const rows = 'Plugin ID,Risk,Host,Protocol,Port,Name,Plugin Output\n1,High,web01,tcp,443,Weak,x\n';
  const { signals } = await runConvert(dir, { 'a.csv': `Scan of January\r\n${rows}` });
  expect(signals.map(({ name }) => name)).toEqual(['Weak']);
});

it('reads scores with a decimal comma', async () => {
  const csv = [
    'Plugin ID;Risk;Host;Protocol;Port;Name;Plugin Output;CVSS v3.0 Base Score;CVSS v3.0 Temporal Score',
    '1;High;web01;tcp;443;Weak;x;9,8;8,5',
    '',
  ].join('\n');
  const { signals } = await runConvert(dir, { 'a.csv': csv });
  expect(signals[0].securityContexts[0].severity).toMatchObject({
    value: 9.8,
    cvss: { baseScore: 9.8, temporalScore: 8.5 },
  });
});

it('takes the name of a member of all objects for an unknown risk', async () => {
  const row = '1,constructor,web01,tcp,0,Sample weakness,';
  const csv = `Plugin ID,Risk,Host,Protocol,Port,Name,Plugin Output\n${row}\n`;
  const { signals } = await runConvert(dir, { 'a.csv': csv });
  expect(signals[0].securityContext).toMatchObject({ type: 'va', status: { complianceStatus: 'fail' } });
});

it('a host that did not answer is listed, and not assessed', async () => {
  const text = `Plugin ID,CVE,CVSS,Risk,Host,Protocol,Port,Name,Plugin Output
900001,,,High,10.0.0.5,tcp,443,Weak,offered
10180,,,None,10.0.0.6,tcp,0,Ping the remote host,"The remote host (10.0.0.6) is considered as dead - not scanning
The remote host (10.0.0.6) did not respond to the following ping methods :
- TCP ping"
`;
  const { signals, out } = await runConvert(dir, { 'a.csv': text }, '--replace', 'va', '--json');
  expect(signals.map(({ entity }) => entity.name)).toEqual(['10.0.0.5']);
  expect(JSON.parse(out).notMapped).toEqual([
    { text: 'the host did not answer: it was not scanned', count: 1 },
  ]);
});
