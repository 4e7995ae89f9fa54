const BYTES = 16;

/** A sample signal of a scanner. The README has the full example. */
const firstSignal = (now: Date) => ({
  version: '1.0',
  id: randomId(),
  name: 'OpenSSL infinite loop in BN_mod_sqrt()',
  source: { name: 'vulnerability-scanner' },
  entity: { type: 'machine', name: 'web01.halden.example' },
  securityContext: {
    type: 'va',
    status: { complianceStatus: 'fail' },
    severity: { type: 'cvss', value: 7.5, level: 'high' },
    standardsMapping: [{ name: 'cve', value: 'CVE-2022-0778' }],
    remediation: { description: 'Update openssl' },
  },
  lastSeen: now.toISOString(),
});

/** A command for a POSIX shell in three parts: text before the token, the token, text after it. */
export function curlLine(origin: string, token: string, now: Date): [string, string, string] {
  const body = JSON.stringify(firstSignal(now), null, 2).replaceAll("'", "'\\''");
  return [
    `curl '${origin}/api/v3/signals' \\\n  -H 'Content-Type: application/json' \\\n  -H 'Authorization: Bearer `,
    token,
    `' \\\n  --data '${body}'`,
  ];
}

/** A random UUID. `crypto.randomUUID` is not available on pages served over plain HTTP. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
