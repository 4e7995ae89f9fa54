import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_OS_MAPPING } from '#libs/domain';
import { describedBy, receivedBy, settingsWith } from '../../../test/fixtures/integrations/reading.ts';
import { candidateNames, deviceSignal } from './axonius/device-signal.ts';
import { readDevice } from './axonius/read-device.ts';
import { alertSignals } from './falcon/alert-signals.ts';
import { hostName } from './falcon/host-name.ts';
import { hostSignal } from './falcon/host-signal.ts';
import type { Json } from './json-values.ts';

/** Recorded responses of the platforms, reported as skipped if they are not available. */
const FOLDER = new URL('../../../../shared/samples/', import.meta.url);
const describeSamples = existsSync(FOLDER) ? describe : describe.skip;

const lines = (file: string): Json[] =>
  readFileSync(new URL(file, FOLDER), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));

describeSamples('recorded hosts of the EDR platform', () => {
  it('become assets with name, addresses, system and tags', () => {
    const read = lines('falcon/host.ndjson').map((host) =>
      describedBy(hostSignal(host, 'falcon', DEFAULT_OS_MAPPING)!, settingsWith('edrsource-tags')),
    );
    expect(read.map(({ entity }) => entity)).toMatchObject([
      {
        name: 'CLM101-131.local',
        hostname: 'CLM101-131',
        fqdn: 'CLM101-131.local',
        ipAddresses: ['81.2.69.142', '81.2.69.192'],
        macAddresses: ['14:7d:da:ad:ac:71'],
        typing: { type: 'Mac' },
        customFields: { 'edrsource-tags': ['tags'] },
      },
      {
        name: 'WIN-7TSM15JR429',
        fqdn: null,
        ipAddresses: ['192.168.90.30', '175.16.199.1'],
        typing: { type: 'Windows Server' },
        customFields: {},
      },
    ]);
  });

  it('become findings of their hosts, those of a vendor’s own technique by their names', () => {
    const alerts = lines('falcon/alert.ndjson').map((alert) => ({
      alert,
      host: hostName((alert.device as Json) ?? { hostname: alert.source_endpoint_host_name })!,
    }));
    const read = alertSignals(alerts, 'falcon').map((signal) => receivedBy(signal));
    const rows = read.map(({ entity, name, observations: [observation] }) => {
      const [{ status, counted, severity, techniques }] = observation!.instances as [
        (typeof observation & object)['instances'][0],
      ];
      return [entity.name, name, status, counted, severity.value, severity.level, techniques];
    });
    expect(rows).toEqual([
      ['ABC709-1175.ABC.LOCAL', 'PrewittPupAdwareSensorDetect-Lowest', 'fail', true, 3, 'low', ['CST0000']],
      [
        'INCHAKLSP049.admin.example.com',
        'OnDemandScanMLFileAnalysisMedium',
        'fail',
        true,
        5,
        'medium',
        ['CST0007'],
      ],
      ['ABDC454.net.example.com', 'T1110 Brute Force', 'fail', true, 7.9, 'high', ['T1110']],
    ]);
  });
});

describeSamples('recorded devices of the asset inventory', () => {
  const device = (file: string) => readDevice(JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')));
  const fields = ['assetinventory-connection-label', 'assetinventory-tags', 'assetinventory-id'];
  const known = { customFields: new Set(fields), osMapping: DEFAULT_OS_MAPPING };

  it('are read as flat aggregates', () => {
    const read = device('axonius/axonius_device_v1_aggregated.json');
    expect(candidateNames(read)[0]).toBe('DC4');
    const signal = deviceSignal(read, 'DC4', 'axonius', known);
    expect(describedBy(signal, settingsWith(...fields)).entity).toMatchObject({
      name: 'DC4',
      ipAddresses: expect.arrayContaining(['192.168.20.17', 'fe80::2dba:9118:1fc8:7759']),
      macAddresses: expect.arrayContaining(['00:0c:29:b6:da:46']),
      os: 'Windows',
      customFields: { 'assetinventory-id': ['d530db3cfef6a2220b315d54fa1901b2'] },
    });
  });

  it('are read as entries of API v2', () => {
    const read = device('axonius/axonius_v2_device_event.json');
    const name = 'esx-monitor1871068-stg.healthcare-subsidiary.com';
    expect(candidateNames(read)).toEqual([name, 'Henry-Woodruff-MBP']);
    const signal = deviceSignal(read, name, 'axonius', known);
    expect(describedBy(signal, settingsWith(...fields)).entity).toMatchObject({
      name,
      fqdn: name,
      ipAddresses: ['10.0.60.215'],
      macAddresses: ['00:0c:29:12:52:47'],
      typing: { type: 'Red Hat Enterprise Linux' },
      customFields: {
        'assetinventory-connection-label': ['tenable_security_center-demo'],
        'assetinventory-tags': ['Hugo Martinez'],
        'assetinventory-id': ['044527ddb4bbb1a098260b9b9743d80b'],
      },
    });
  });
});
