import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The number of findings and hosts in a generated report. */
export interface LargeReport {
  findings: number;
  hosts: number;
}

/** Text that compresses about as scanners' output does. */
const output = (host: number, item: number): string =>
  Array.from(
    { length: 12 },
    (_, i) =>
      `Path : /opt/app${(host * 31 + item * 17 + i) % 997}/lib${item}.so\n  Installed version : ${item}.${i}.${(host * 7 + i) % 100}`,
  ).join('\n');

const ITEMS_PER_HOST = 120;

/** Nessus v2: hosts one after another, as scanners write them. */
export async function writeLargeNessus(path: string, bytesMin: number): Promise<LargeReport> {
  const made = { findings: 0, hosts: 0 };
  await pipeline(Readable.from(nessusText(bytesMin, made)), createWriteStream(path));
  return made;
}

function* nessusText(bytesMin: number, made: LargeReport): Generator<string> {
  let bytes = 0;
  yield '<?xml version="1.0" ?>\n<NessusClientData_v2><Report name="large" xmlns:cm="http://www.nessus.org/cm">\n';
  while (bytes < bytesMin) {
    const host = made.hosts++;
    const address = `10.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;
    let text = `<ReportHost name="${address}"><HostProperties><tag name="host-ip">${address}</tag><tag name="host-fqdn">host${host}.halden.example</tag><tag name="HOST_END_TIMESTAMP">1767225600</tag></HostProperties>\n`;
    for (let item = 0; item < ITEMS_PER_HOST; item++) {
      text += `<ReportItem port="${1 + (item % 40)}" svc_name="www" protocol="tcp" severity="${item % 5}" pluginID="${900_000 + item}" pluginName="Sample weakness ${item}" pluginFamily="General"><cve>CVE-2024-${10_000 + item}</cve><cvss3_base_score>${(item % 100) / 10}</cvss3_base_score><description>${'A description of a weakness that is as long as such are. '.repeat(8)}</description><solution>Update it.</solution><plugin_output>${output(host, item)}</plugin_output></ReportItem>\n`;
      made.findings += 1;
    }
    text += '</ReportHost>\n';
    bytes += text.length;
    yield text;
  }
  yield '</Report></NessusClientData_v2>\n';
}

const INTERLEAVED_HOSTS = 1_000;

/** Nuclei's JSON Lines, whose hosts interleave: every asset is spread over the whole file. */
export async function writeLargeNuclei(path: string, bytesMin: number): Promise<LargeReport> {
  const made = { findings: 0, hosts: 0 };
  await pipeline(Readable.from(nucleiText(bytesMin, made)), createWriteStream(path));
  made.hosts = Math.min(INTERLEAVED_HOSTS, made.findings);
  return made;
}

function* nucleiText(bytesMin: number, made: LargeReport): Generator<string> {
  for (let bytes = 0; bytes < bytesMin; ) {
    const n = made.findings++;
    const host = n % INTERLEAVED_HOSTS;
    const template = Math.floor(n / INTERLEAVED_HOSTS);
    const text = `${JSON.stringify({
      'template-id': `sample-${template}`,
      info: { name: `Sample ${template}`, severity: 'medium', description: 'A weakness. '.repeat(20) },
      type: 'http',
      host: `https://host${host}.halden.example`,
      'matched-at': `https://host${host}.halden.example/${output(host, template).slice(0, 80)}`,
      'extracted-results': [output(host, template)],
      response: 'HTTP/1.1 200 OK\r\n'.repeat(40),
      timestamp: '2026-01-01T00:00:00Z',
    })}\n`;
    bytes += text.length;
    yield text;
  }
}
