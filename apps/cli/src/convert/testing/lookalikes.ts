/** Small reports of tools that are not converted, each like one of the formats. Hosts and ids are made up. */
export interface Lookalike {
  title: string;
  name: string;
  content: string;
  /** The format that it could be taken for. */
  like: string;
}

const json = (value: unknown): string => JSON.stringify(value);
const finding = { title: 'Sample', description: 'Weak.', severity: 'HIGH' };
const alerts = [{ pluginid: '1', name: 'Sample', riskcode: '1', confidence: '1', instances: [] }];

export const LOOKALIKES: Lookalike[] = [
  {
    title: 'npm audit',
    name: 'a.json',
    content: json({
      actions: [],
      advisories: {
        106: { title: 'Sample', severity: 'high', findings: [{ version: '1.0', paths: ['a'] }] },
      },
      metadata: {},
    }),
    like: 'defectdojo',
  },
  {
    title: 'yarn audit',
    name: 'a.json',
    content: `${json({ type: 'auditAdvisory', data: { advisory: { findings: [{ version: '1.0' }] } } })}\n{"type":"auditSummary"}\n`,
    like: 'defectdojo',
  },
  {
    title: 'StackHawk',
    name: 'a.json',
    content: json({
      service: 'StackHawk',
      scanCompleted: { findings: [{ pluginName: 'Sample', severity: 'High' }] },
    }),
    like: 'defectdojo',
  },
  {
    title: 'Veracode, embedded',
    name: 'a.json',
    content: json({ _embedded: { findings: [{ issue_id: 1, description: 'Weak.' }] }, _links: {} }),
    like: 'defectdojo',
  },
  {
    title: 'Veracode, a list',
    name: 'a.json',
    content: json({ findings: [{ issue_id: 1, scan_type: 'STATIC', description: 'Weak.' }] }),
    like: 'defectdojo',
  },
  {
    title: 'AWS Inspector2',
    name: 'a.json',
    content: json({ findings: [{ ...finding, awsAccountId: '1', findingArn: 'arn:aws:inspector2:x' }] }),
    like: 'defectdojo',
  },
  {
    title: 'AWS Security Hub',
    name: 'a.json',
    content: json({
      findings: [{ SchemaVersion: '2018-10-08', Title: 'Sample', Severity: { Label: 'HIGH' } }],
    }),
    like: 'defectdojo',
  },
  {
    title: 'Dependency-Track',
    name: 'a.json',
    content: json({
      version: '1.0',
      findings: [{ component: { name: 'a' }, vulnerability: { vulnId: 'CVE-2024-1' } }],
    }),
    like: 'defectdojo',
  },
  {
    title: 'HackerOne',
    name: 'a.json',
    content: json({ findings: [{ id: 1, title: 'Sample', severity_rating: 'high', state: 'open' }] }),
    like: 'defectdojo',
  },
  {
    title: 'Gitleaks without findings',
    name: 'a.json',
    content: json({ result: { findings: [] } }),
    like: 'defectdojo',
  },
  {
    title: 'the CSV of Wiz',
    name: 'a.csv',
    content:
      'Created At,Title,Severity,Status,Description,Resource Name\n2026-01-01,Sample,HIGH,RESOLVED,Weak.,vm1\n',
    like: 'defectdojo',
  },
  {
    title: 'the CSV of IntSights',
    name: 'a.csv',
    content: 'Alert ID,Title,Description,Severity,Assets\n1,Sample,Weak.,High,halden.example\n',
    like: 'defectdojo',
  },
  {
    title: 'Qualys WAS',
    name: 'a.xml',
    content:
      '<WAS_SCAN_REPORT><HEADER></HEADER><RESULTS><VULNERABILITY_LIST><VULNERABILITY><QID>1</QID></VULNERABILITY></VULNERABILITY_LIST></RESULTS>' +
      '<APPENDIX><SCAN_LIST><SCAN><IP value="10.0.0.1"/></SCAN></SCAN_LIST></APPENDIX></WAS_SCAN_REPORT>',
    like: 'qualys',
  },
  {
    title: 'a scan that is not of Qualys',
    name: 'a.xml',
    content: '<SCAN id="1"><IP value="10.0.0.1"><VULNS><CAT><VULN number="1"/></CAT></VULNS></IP></SCAN>',
    like: 'qualys',
  },
  {
    title: 'Wapiti',
    name: 'a.xml',
    content:
      '<report type="security"><report_infos/><vulnerabilities><vulnerability id="x"/></vulnerabilities></report>',
    like: 'openvas',
  },
  {
    title: 'Xeol',
    name: 'a.json',
    content: json({
      matches: [{ Cycle: {}, Package: {}, artifact: { name: 'a' } }],
      descriptor: { name: 'xeol', version: '0.1' },
    }),
    like: 'grype',
  },
  {
    title: 'Xeol without findings',
    name: 'a.json',
    content: json({ matches: [], descriptor: { name: 'xeol', version: '0.1' } }),
    like: 'grype',
  },
  {
    title: 'the DAST of GitLab',
    name: 'a.json',
    content: json({
      '@version': 'x',
      '@generated': 'x',
      site: [{ '@name': 'https://halden.example', '@host': 'halden.example', alerts }],
      vulnerabilities: [],
    }),
    like: 'zap',
  },
  {
    title: 'the dependency scan of GitLab',
    name: 'a.json',
    content: json({ version: '15.0.0', vulnerabilities: [{ id: 'x', severity: 'High' }], scan: {} }),
    like: 'cyclonedx',
  },
  {
    title: 'SARIF 1.0.0',
    name: 'a.sarif',
    content: json({
      $schema: 'http://json.schemastore.org/sarif-1.0.0',
      version: '1.0.0',
      runs: [{ tool: { name: 'Sample' }, results: [{ ruleId: 'a', message: 'Weak.' }] }],
    }),
    like: 'sarif',
  },
  {
    title: 'SARIF 2.0.0',
    name: 'a.sarif',
    content: json({
      $schema: 'http://json.schemastore.org/sarif-2.0.0',
      version: '2.0.0',
      runs: [
        { tool: { driver: { name: 'Sample' } }, results: [{ ruleId: 'a', message: { text: 'Weak.' } }] },
      ],
    }),
    like: 'sarif',
  },
  {
    title: 'a list with results of another tool',
    name: 'a.json',
    content: json({ Results: [{ Name: 'a', Vulnerabilities: [{ VulnerabilityID: 'CVE-2024-1' }] }] }),
    like: 'trivy',
  },
];
