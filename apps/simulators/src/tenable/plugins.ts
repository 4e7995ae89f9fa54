/** A check of the scanner. */
export interface Plugin {
  id: number;
  name: string;
  family: string;
  severity: Severity;
  /** CVSS version 3; null for a check without a score. */
  cvss3: { score: number; vector: string } | null;
  cvss2: { score: number; vector: string } | null;
  cves: string[];
  cwes: string[];
  /** 0: it speaks of the whole machine. */
  port: number;
}

export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

const vector3 = (score: number, vector: string) => ({ score, vector: `CVSS:3.0/${vector}` });
const vector2 = (score: number, vector: string) => ({ score, vector: `CVSS2#${vector}` });

const CHECK = { cvss3: null, cvss2: null, cves: [] as string[], cwes: [] as string[], port: 0 };

export const PLUGINS: readonly Plugin[] = [
  {
    ...CHECK,
    id: 900_001,
    name: 'Web server library before 3.0.7: buffer overflow',
    family: 'Web Servers',
    severity: 'high',
    cvss3: vector3(7.5, 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H'),
    cves: ['CVE-2022-3602', 'CVE-2022-3786'],
    cwes: ['120'],
    port: 443,
  },
  {
    ...CHECK,
    id: 900_002,
    name: 'Logging library: remote code execution',
    family: 'Misc.',
    severity: 'critical',
    cvss3: vector3(10, 'AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H'),
    cves: ['CVE-2021-44228'],
    cwes: ['502'],
    port: 8443,
  },
  {
    ...CHECK,
    id: 900_003,
    name: 'TLS certificate is not trusted',
    family: 'General',
    severity: 'medium',
    cvss3: vector3(6.5, 'AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:N'),
    port: 443,
  },
  {
    ...CHECK,
    id: 900_004,
    name: 'File service accepts unsigned messages',
    family: 'Misc.',
    severity: 'medium',
    cvss3: vector3(5.3, 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N'),
    port: 445,
  },
  {
    ...CHECK,
    id: 900_005,
    name: 'Shell service allows weak ciphers',
    family: 'Misc.',
    severity: 'low',
    cvss2: vector2(2.6, 'AV:N/AC:H/Au:N/C:P/I:N/A:N'),
    port: 22,
  },
  {
    ...CHECK,
    id: 900_006,
    name: 'Operating system: security update of the month is missing',
    family: 'Operating Systems : Bulletins',
    severity: 'critical',
    cvss3: vector3(9.8, 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H'),
    cves: ['CVE-2023-21554'],
  },
  {
    ...CHECK,
    id: 900_007,
    name: 'Time service answers questions about itself',
    family: 'Misc.',
    severity: 'low',
    port: 123,
  },
  {
    ...CHECK,
    id: 900_008,
    name: 'Operating system identification',
    family: 'General',
    severity: 'info',
  },
];
