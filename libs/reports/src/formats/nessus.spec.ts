import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runConvert } from '../../../../test/fixtures/convert/run-convert.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'posture-nessus-'));
});
afterAll(() => rm(dir, { recursive: true }));

const report = (...hosts: string[]): string =>
  `<?xml version="1.0" ?><NessusClientData_v2><Report name="weekly">${hosts.join('\n')}</Report></NessusClientData_v2>`;

function host(name: string, properties: Record<string, string>, item = ''): string {
  const tags = Object.entries(properties).map(([key, value]) => `<tag name="${key}">${value}</tag>`);
  return (
    `<ReportHost name="${name}"><HostProperties>${tags.join('')}</HostProperties>` +
    `<ReportItem port="443" svc_name="www" protocol="tcp" severity="3" pluginID="900001" pluginName="Sample weakness">${item}</ReportItem></ReportHost>`
  );
}

const signalsOf = async (...hosts: string[]) =>
  (await runConvert(dir, { 'a.nessus': report(...hosts) })).signals;

const namesOf = async (...hosts: string[]) =>
  (await signalsOf(...hosts)).map(({ entity }) => entity.name).sort();

it('counts an item without a severity as medium', async () => {
  const xml = report(
    '<ReportHost name="web01"><ReportItem port="0" pluginID="1" pluginName="p"/>' +
      '<ReportItem port="0" pluginID="2" pluginName="audit"><cm:compliance-result>FAILED</cm:compliance-result></ReportItem>' +
      '</ReportHost>',
  );
  const { signals, out } = await runConvert(dir, { 'a.nessus': xml }, '--json');
  expect(signals.map(({ securityContext }) => securityContext.severity)).toEqual([
    { level: 'medium' },
    { level: 'medium' },
  ]);
  expect(JSON.parse(out).notes).toContainEqual({ text: 'has no severity: set to medium', count: 1 });
});

it('a reference may have the name of a member of all objects', async () => {
  const compliance =
    '<cm:compliance-check-name>Banner</cm:compliance-check-name><cm:compliance-result>FAILED</cm:compliance-result>' +
    '<cm:compliance-reference>constructor|1,toString|2</cm:compliance-reference><compliance>true</compliance>';
  const [signal] = await signalsOf(host('web01', {}, compliance));
  expect(signal.securityContexts[0].standardsMapping).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ name: 'constructor' })]),
  );
});

it('a host that did not answer is listed, and not assessed', async () => {
  const dead =
    '<ReportHost name="10.0.0.6"><HostProperties><tag name="host-ip">10.0.0.6</tag></HostProperties>' +
    '<ReportItem port="0" protocol="icmp" severity="0" pluginID="10180" pluginName="Ping the remote host">' +
    '<plugin_output>The remote host (10.0.0.6) is considered as dead - not scanning</plugin_output></ReportItem></ReportHost>';
  const clean = '<ReportHost name="10.0.0.7"><HostProperties/></ReportHost>';
  const file = { 'a.nessus': report(host('10.0.0.5', {}), dead, clean) };
  const { signals, out } = await runConvert(dir, file, '--replace', 'va', '--json');
  expect(signals.map(({ entity }) => entity.name).sort()).toEqual(['10.0.0.5', '10.0.0.7']);
  expect(JSON.parse(out)).toMatchObject({
    mapped: 1,
    notMapped: [{ text: 'the host did not answer: it was not scanned', count: 1 }],
  });
});

describe('the asset of a Nessus host', () => {
  it('is the ReportHost if the NetBIOS name may be cut, so that hosts stay apart', async () => {
    const netbios = { 'netbios-name': 'HALDEN\\PRODUCTION-WEB-' };
    expect(
      await namesOf(
        host('production-web-server-01', { ...netbios, 'host-ip': '10.0.0.1' }),
        host('production-web-server-02', { ...netbios, 'host-ip': '10.0.0.2' }),
        host('10.0.0.3', { ...netbios, 'host-ip': '10.0.0.3' }),
      ),
    ).toEqual(['10.0.0.3', 'production-web-server-01', 'production-web-server-02']);
  });

  it('is its whole NetBIOS name before its address, and an FQDN before that', async () => {
    const netbios = { 'netbios-name': 'HALDEN\\WEB01', 'host-ip': '10.0.0.1' };
    expect(await namesOf(host('10.0.0.1', netbios))).toEqual(['WEB01']);
    expect(await namesOf(host('web01.halden.example', netbios))).toEqual(['web01.halden.example']);
  });

  it('is the next name if it calls itself as every machine does', async () => {
    const own = { 'host-fqdn': 'localhost.localdomain', 'netbios-name': 'LOCALHOST' };
    expect(
      await namesOf(
        host('localhost', { ...own, 'host-ip': '10.0.0.1' }),
        host('web02', { ...own, 'host-ip': '10.0.0.2' }),
      ),
    ).toEqual(['10.0.0.1', 'web02']);
    const [signal] = await signalsOf(host('10.0.0.3', own));
    expect(signal.entity.entityAttributes).not.toHaveProperty('fqdn');
    expect(await namesOf(host('localhost', { 'host-ip': '127.0.0.1' }))).toEqual(['localhost']);
  });

  it('of a web application scan is the host of its URL', async () => {
    const url = 'https://shop.halden.example:8443/cart?a=1';
    const [signal] = await signalsOf(host(url, { 'host-fqdn': url, 'system-type': 'web_application' }));
    expect(signal.entity).toMatchObject({
      name: 'shop.halden.example',
      entityAttributes: { fqdn: 'shop.halden.example', tags: { url: [url] } },
    });
    expect(signal.securityContexts[0].detectionId).toBe(url);
  });

  it('of a web application scan of an address has the address', async () => {
    const [signal] = await signalsOf(host('http://10.0.0.9/', { 'host-fqdn': 'http://10.0.0.9/' }));
    expect(signal.entity).toMatchObject({
      name: '10.0.0.9',
      entityAttributes: { ipAddresses: [{ ipv4: '10.0.0.9' }] },
    });
  });
});

describe('the data of a Nessus item', () => {
  it('of CWE counts as a number, with its prefix, and as a cross reference', async () => {
    const item = '<cwe>CWE-94</cwe><cwe>327</cwe><xref>CWE:352</xref><xref>OWASP:2013-A8</xref>';
    const [signal] = await signalsOf(host('10.0.0.1', {}, item));
    expect(signal.securityContexts[0].standardsMapping).toContainEqual({
      name: 'cwe',
      value: ['CWE-94', 'CWE-327', 'CWE-352'],
    });
  });

  it('of CVSS in a web application scan is its severity', async () => {
    const [signal] = await signalsOf(host('10.0.0.1', {}, '<cvss>2.6</cvss><cvssv3>3.1</cvssv3>'));
    expect(signal.securityContexts[0].severity).toMatchObject({
      value: 3.1,
      cvss: { version: '3.0', baseScore: 3.1 },
    });
  });
});
