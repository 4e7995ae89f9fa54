/**
 * Small reports, written after the formats' documentation, and what becomes of each. Hosts and ids are made up.
 */
export interface Fixture {
  /** For the test's name. */
  title: string;
  format: string;
  fileName: string;
  content: string;
  /** `--asset`. */
  asset?: string;
  read: number;
  mapped: number;
  signals: number;
  assets: number;
  notMapped: Record<string, number>;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const lines = (...values: unknown[]): string =>
  `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;

const nessus = `<?xml version="1.0" ?>
<NessusClientData_v2>
<Policy><policyName>ReportItem in a policy is none</policyName></Policy>
<Report name="weekly" xmlns:cm="http://www.nessus.org/cm">
<ReportHost name="10.0.0.5"><HostProperties>
<tag name="HOST_END_TIMESTAMP">1767225600</tag>
<tag name="host-fqdn">web01.halden.example</tag>
<tag name="host-ip">10.0.0.5</tag>
<tag name="mac-address">00:50:56:AA:BB:CC
00:50:56:AA:BB:CD</tag>
<tag name="operating-system">Ubuntu 22.04
Linux</tag>
<tag name="aws-instance-instanceId">i-0123456789abcdef0</tag>
</HostProperties>
<ReportItem port="443" svc_name="www" protocol="tcp" severity="3" pluginID="900001" pluginName="Sample TLS weakness" pluginFamily="Web Servers">
<cve>CVE-2024-1111</cve><cve>CVE-2024-1112</cve><cwe>327</cwe>
<cvss3_base_score>7.5</cvss3_base_score><cvss3_vector>CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N</cvss3_vector>
<cvss_base_score>5.0</cvss_base_score><cvss_vector>CVSS2#AV:N/AC:L/Au:N/C:P/I:N/A:N</cvss_vector>
<synopsis>Weak.</synopsis><description>The service is weak &amp; old.</description><solution>Update it.</solution>
<see_also>https://halden.example/a
https://halden.example/b</see_also><plugin_output><![CDATA[TLS 1.0 <offered>]]></plugin_output>
</ReportItem>
<ReportItem port="8443" svc_name="www" protocol="tcp" severity="3" pluginID="900001" pluginName="Sample TLS weakness" pluginFamily="Web Servers">
<cve>CVE-2024-1111</cve><cvss_base_score>5.0</cvss_base_score><cvss_vector>CVSS2#AV:N/AC:L/Au:N/C:P/I:N/A:N</cvss_vector>
</ReportItem>
<ReportItem port="0" svc_name="general" protocol="tcp" severity="0" pluginID="900002" pluginName="Scan information" pluginFamily="Settings">
<plugin_output>took 3 s</plugin_output>
</ReportItem>
<ReportItem port="0" svc_name="general" protocol="tcp" severity="3" pluginID="900003" pluginName="Unix audit" pluginFamily="Policy Compliance">
<compliance>true</compliance><cm:compliance-check-name>1.1 Separate partition</cm:compliance-check-name>
<cm:compliance-result>FAILED</cm:compliance-result><cm:compliance-reference>800-53|AC-1,CSCv6|3.1</cm:compliance-reference>
<cm:compliance-actual-value>none</cm:compliance-actual-value><cm:compliance-policy-value>nodev</cm:compliance-policy-value>
</ReportItem>
<ReportItem port="0" svc_name="general" protocol="tcp" severity="0" pluginID="900003" pluginName="Unix audit" pluginFamily="Policy Compliance">
<cm:compliance-check-name>1.2 Password length</cm:compliance-check-name><cm:compliance-result>PASSED</cm:compliance-result>
</ReportItem>
</ReportHost>
<ReportHost name="clean.halden.example"><HostProperties><tag name="host-ip">10.0.0.6</tag></HostProperties></ReportHost>
</Report></NessusClientData_v2>
`;

const openvas = `<?xml version="1.0"?>
<report id="r" format_id="f" extension="xml" content_type="text/xml"><report id="r">
<scan_start>2026-01-01T00:00:00Z</scan_start>
<results start="1" max="10">
<result id="1"><name>Sample SSH weakness</name><host>10.0.1.5<asset asset_id=""/></host><port>22/tcp</port>
<nvt oid="1.3.6.1.4.1.25623.1.0.1"><type>nvt</type><name>Sample SSH weakness</name><family>General</family><cvss_base>5.3</cvss_base>
<severities score="5.3"><severity type="cvss_base_v3"><score>5.3</score><value>CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N</value></severity></severities>
<tags>cvss_base_vector=AV:N/AC:L/Au:N/C:P/I:N/A:N|summary=Weak a|b ciphers.|insight=More.|solution=Change.|solution_type=Mitigation</tags>
<refs><ref type="cve" id="CVE-2024-2221"/><ref type="url" id="https://halden.example/c"/><ref type="cert-bund" id="CB-K24/0001"/></refs></nvt>
<threat>Medium</threat><severity>5.3</severity><qod><value>95</value></qod><description>Ciphers: x</description></result>
<result id="2"><name>OS detection</name><host>10.0.1.5</host><port>general/tcp</port>
<nvt oid="1.3.6.1.4.1.25623.1.0.2"><name>OS detection</name></nvt><threat>Log</threat><severity>0.0</severity><description>Linux</description></result>
<result id="3"><name>Not so</name><host>10.0.1.6</host><port>80/tcp</port><nvt oid="3"/><threat>False Positive</threat><severity>-1.0</severity></result>
<result id="4"><name>Timed out</name><host>10.0.1.6</host><port>general/tcp</port><nvt oid="4"/><threat>Error</threat><severity>-3.0</severity></result>
</results>
<host><ip>10.0.1.5</ip><start>2026-01-01T00:00:00Z</start><detail><name>hostname</name><value>db01.halden.example</value></detail>
<detail><name>best_os_txt</name><value>Debian GNU/Linux 12</value></detail><detail><name>MAC</name><value>00:50:56:AA:00:01</value></detail></host>
<host><ip>10.0.1.6</ip></host>
</report></report>
`;

const qualysAssetData = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE ASSET_DATA_REPORT SYSTEM "https://halden.example/asset_data_report.dtd">
<ASSET_DATA_REPORT><HEADER><COMPANY>Halden</COMPANY></HEADER>
<HOST_LIST><HOST><IP>10.0.2.5</IP><TRACKING_METHOD>IP</TRACKING_METHOD><DNS><![CDATA[mail01.halden.example]]></DNS>
<OPERATING_SYSTEM><![CDATA[Windows Server 2019]]></OPERATING_SYSTEM>
<VULN_INFO_LIST>
<VULN_INFO><QID id="qid_901">901</QID><TYPE>Vuln</TYPE><PORT>25</PORT><PROTOCOL>tcp</PROTOCOL><SSL>false</SSL><RESULT><![CDATA[banner]]></RESULT>
<FIRST_FOUND>2025-12-01T00:00:00Z</FIRST_FOUND><LAST_FOUND>2026-01-01T00:00:00Z</LAST_FOUND><VULN_STATUS>Active</VULN_STATUS></VULN_INFO>
<VULN_INFO><QID id="qid_902">902</QID><TYPE>Vuln</TYPE><VULN_STATUS>Fixed</VULN_STATUS><LAST_FOUND>2026-01-01T00:00:00Z</LAST_FOUND></VULN_INFO>
<VULN_INFO><QID id="qid_903">903</QID><TYPE>Ig</TYPE><LAST_FOUND>2026-01-01T00:00:00Z</LAST_FOUND></VULN_INFO>
</VULN_INFO_LIST></HOST></HOST_LIST>
<GLOSSARY><VULN_DETAILS_LIST>
<VULN_DETAILS id="qid_901"><QID id="qid_901">901</QID><TITLE><![CDATA[Sample mail weakness]]></TITLE><SEVERITY>4</SEVERITY><CATEGORY>Mail</CATEGORY>
<THREAT><![CDATA[It is &quot;weak&quot;.<P>Really.]]></THREAT><SOLUTION><![CDATA[Update.]]></SOLUTION>
<CVSS3_SCORE><CVSS3_BASE>7.3 (AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:L/A:L)</CVSS3_BASE><CVSS3_TEMPORAL>6.4</CVSS3_TEMPORAL></CVSS3_SCORE>
<CVE_ID_LIST><CVE_ID><ID>CVE-2024-3331</ID><URL>https://halden.example/cve</URL></CVE_ID></CVE_ID_LIST></VULN_DETAILS>
<VULN_DETAILS id="qid_902"><QID id="qid_902">902</QID><TITLE>Was weak</TITLE><SEVERITY>3</SEVERITY></VULN_DETAILS>
<VULN_DETAILS id="qid_903"><QID id="qid_903">903</QID><TITLE>Host name</TITLE><SEVERITY>1</SEVERITY></VULN_DETAILS>
</VULN_DETAILS_LIST></GLOSSARY></ASSET_DATA_REPORT>
`;

const qualysScan = `<?xml version="1.0" encoding="UTF-8" ?>
<SCAN value="scan/1"><HEADER><KEY value="DATE">2026-01-01T00:00:00Z</KEY></HEADER>
<IP value="10.0.2.6" name="No registered hostname"><OS><![CDATA[Linux 5]]></OS>
<INFOS><CAT value="Information gathering"><INFO number="904" severity="1"><TITLE>Target</TITLE><RESULT>x</RESULT></INFO></CAT></INFOS>
<VULNS><CAT value="Web" port="80" protocol="tcp"><VULN number="905" severity="5" cveid=""><TITLE>Sample web weakness</TITLE>
<CVSS_BASE>9.0</CVSS_BASE><CVE_ID_LIST><CVE_ID><ID>CVE-2024-3332</ID></CVE_ID></CVE_ID_LIST><DIAGNOSIS>Bad.</DIAGNOSIS></VULN></CAT></VULNS>
</IP></SCAN>
`;

const qualysDetections = `<?xml version="1.0" encoding="UTF-8" ?>
<HOST_LIST_VM_DETECTION_OUTPUT><RESPONSE><DATETIME>2026-01-01T00:00:00Z</DATETIME><HOST_LIST>
<HOST><ID>77</ID><IP>10.0.2.7</IP><OS>Linux</OS><DNS>app07.halden.example</DNS><DETECTION_LIST>
<DETECTION><QID>906</QID><TYPE>Confirmed</TYPE><SEVERITY>4</SEVERITY><PORT>22</PORT><PROTOCOL>tcp</PROTOCOL><RESULTS>r</RESULTS><STATUS>Active</STATUS>
<LAST_FOUND_DATETIME>2026-01-01T00:00:00Z</LAST_FOUND_DATETIME><IS_IGNORED>0</IS_IGNORED><IS_DISABLED>0</IS_DISABLED></DETECTION>
<DETECTION><QID>907</QID><TYPE>Confirmed</TYPE><SEVERITY>4</SEVERITY><STATUS>Active</STATUS><IS_IGNORED>1</IS_IGNORED><IS_DISABLED>0</IS_DISABLED></DETECTION>
<DETECTION><QID>908</QID><TYPE>Confirmed</TYPE><SEVERITY>4</SEVERITY><STATUS>Active</STATUS><IS_IGNORED>0</IS_IGNORED><IS_DISABLED>1</IS_DISABLED></DETECTION></DETECTION_LIST></HOST>
<HOST><ID>78</ID><IP>10.0.2.8</IP></HOST>
</HOST_LIST></RESPONSE></HOST_LIST_VM_DETECTION_OUTPUT>
`;

const qualysCsv = `"Sample report","01/01/2026 at 10:00:00 (GMT)"
"Halden","Street"

"IP","DNS","NetBIOS","OS","IP Status","QID","Title","Vuln Status","Type","Severity","Port","Protocol","FQDN","SSL","First Detected","Last Detected","CVE ID","CVSS3 Base","Threat","Results","Disabled","Ignored"
"10.0.3.5","fs01.halden.example","FS01","Windows Server 2022","host scanned, found vuln","911","Sample file weakness","Active","Vuln","5","445","tcp","","","12/01/2025 10:00:00","01/01/2026 10:00:00","CVE-2024-4441, CVE-2024-4442","9.8 (AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H)","Text with
a line end and a ""quote""","out","No","No"
"10.0.3.6","","","","host scanned, found vuln","912","Other weakness","Active","Potential","2","","","","","","","","","",""
"10.0.3.6","","","","host scanned, found vuln","913","Known weakness","Active","Vuln","3","","","","","","","","","","","No","Yes"
"10.0.3.7","","","","host not alive","","","","","","","","","","","","","","",""
"10.0.3.8","","","","host scanned","","A title without a QID","","","","","","","","","","","","",""
`;

const sarif = {
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      results: [
        {
          ruleId: 'js/sample-injection',
          ruleIndex: 0,
          message: { text: 'Built from {0}.', arguments: ['user input'] },
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'src/db.js' }, region: { startLine: 42 } } },
          ],
        },
        {
          ruleId: 'js/sample-injection',
          message: { text: 'Again.' },
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'src/other.js' }, region: { startLine: 7 } } },
          ],
        },
        { ruleId: 'js/sample-style', level: 'note', message: { text: 'Style.' } },
        { ruleId: 'js/sample-fixed', baselineState: 'absent', message: { text: 'Gone.' } },
        { ruleId: 'js/sample-passed', kind: 'pass', message: { text: 'Fine.' } },
        { ruleId: 'js/sample-injection', kind: 'pass', message: { text: 'Fine here.' }, guid: 'g-1' },
        { ruleId: 'js/sample-review', kind: 'review', message: { text: 'Look at it.' } },
        { ruleId: 'js/sample-injection', kind: 'informational', message: { text: 'Looked at 3 files.' } },
        { ruleId: 'js/sample-style', suppressions: [{ kind: 'inSource' }], message: { text: 'Known.' } },
        { ruleId: 'js/sample-style', kind: 'notApplicable', message: { text: 'No.' } },
      ],
      tool: {
        driver: {
          name: 'SampleQL',
          rules: [
            {
              id: 'js/sample-injection',
              shortDescription: { text: 'Sample injection.' },
              fullDescription: { text: 'A query is built from input.' },
              helpUri: 'https://halden.example/rule',
              properties: { tags: ['security', 'external/cwe/cwe-089'], 'security-severity': '8.8' },
            },
            { id: 'js/sample-review', defaultConfiguration: { level: 'error' } },
          ],
        },
      },
      invocations: [{ executionSuccessful: true, endTimeUtc: '2026-01-01T00:00:00Z' }],
    },
  ],
};

const trivy = {
  SchemaVersion: 2,
  CreatedAt: '2026-01-01T00:00:00.5+01:00',
  ArtifactName: 'registry.halden.example/shop:1.2',
  ArtifactType: 'container_image',
  Metadata: { OS: { Family: 'debian', Name: '12.1' }, ImageID: 'sha256:aa' },
  Results: [
    {
      Target: 'shop (debian 12.1)',
      Class: 'os-pkgs',
      Type: 'debian',
      Vulnerabilities: [
        {
          VulnerabilityID: 'CVE-2024-5551',
          PkgName: 'libsample',
          InstalledVersion: '1.0',
          FixedVersion: '1.1',
          SeveritySource: 'nvd',
          Severity: 'CRITICAL',
          Title: 'libsample: weakness',
          CweIDs: ['CWE-787'],
          CVSS: { nvd: { V3Vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', V3Score: 9.8 } },
        },
        { VulnerabilityID: 'CVE-2024-5552', PkgName: 'libother', InstalledVersion: '2', Severity: 'UNKNOWN' },
      ],
    },
    {
      Target: 'app/package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      Vulnerabilities: [
        { VulnerabilityID: 'CVE-2024-5551', PkgName: 'libsample', InstalledVersion: '1.0', Severity: 'HIGH' },
      ],
      ExperimentalModifiedFindings: [
        { Type: 'vulnerability', Status: 'ignored', Finding: { VulnerabilityID: 'CVE-2024-5553' } },
      ],
    },
    {
      Target: 'Dockerfile',
      Class: 'config',
      Misconfigurations: [
        {
          ID: 'DS002',
          AVDID: 'AVD-DS-0002',
          Title: 'Image user',
          Severity: 'HIGH',
          Status: 'FAIL',
          Message: 'root',
        },
        { ID: 'DS005', AVDID: 'AVD-DS-0005', Title: 'ADD', Severity: 'LOW', Status: 'PASS' },
      ],
    },
    {
      Target: 'id_rsa',
      Class: 'secret',
      Secrets: [
        { RuleID: 'private-key', Title: 'Private key', Severity: 'HIGH', StartLine: 1, Match: 'TOPSECRET' },
      ],
    },
    {
      Target: 'OS Packages',
      Class: 'license',
      Licenses: [{ Severity: 'LOW', Category: 'notice', PkgName: 'libsample', Name: 'MIT' }],
    },
  ],
};

const grype = {
  matches: [
    {
      vulnerability: {
        id: 'GHSA-aaaa-bbbb-cccc',
        severity: 'High',
        description: 'Weak.',
        cvss: [
          {
            version: '3.1',
            vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H',
            metrics: { baseScore: 7.5 },
          },
        ],
        fix: { versions: ['2.0'], state: 'fixed' },
      },
      relatedVulnerabilities: [{ id: 'CVE-2024-6661' }],
      artifact: {
        name: 'sample',
        version: '1.0',
        purl: 'pkg:npm/sample@1.0',
        locations: [{ path: '/app/package.json' }],
      },
    },
    {
      vulnerability: { id: 'CVE-2024-6662', severity: 'Negligible', fix: { state: 'not-fixed' } },
      artifact: { name: 'libc', version: '2.36', locations: [{ path: '/var/lib/dpkg/status' }] },
    },
  ],
  ignoredMatches: [
    { vulnerability: { id: 'CVE-2024-6663', severity: 'Low' }, artifact: { name: 'libc', version: '2.36' } },
  ],
  source: { type: 'image', target: { userInput: 'shop:1.2', imageID: 'sha256:bb' } },
  distro: { name: 'debian', version: '12' },
  descriptor: { name: 'grype', version: '0.90.0', timestamp: '2026-01-01T00:00:00.123456789Z' },
};

const nucleiResults = [
  {
    'template-id': 'CVE-2024-7771',
    info: {
      name: 'Sample RCE',
      severity: 'critical',
      tags: ['cve', 'rce'],
      classification: {
        'cve-id': ['CVE-2024-7771'],
        'cwe-id': ['CWE-78'],
        'cvss-metrics': 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
        'cvss-score': 9.8,
      },
    },
    type: 'http',
    host: 'https://shop.halden.example:8443',
    'matched-at': 'https://shop.halden.example:8443/admin',
    ip: '10.0.4.5',
    timestamp: '2026-01-01T00:00:00.5+01:00',
  },
  {
    'template-id': 'tech-detect',
    'matcher-name': 'nginx',
    info: { name: 'Technology', severity: 'info', tags: 'tech' },
    type: 'http',
    host: 'shop.halden.example:8443',
    'matched-at': 'https://shop.halden.example:8443',
  },
  {
    'template-id': 'tech-detect',
    'matcher-name': 'php',
    info: { name: 'Technology', severity: 'unknown' },
    host: '[2001:db8::7]:443',
    'matched-at': '[2001:db8::7]:443',
  },
  {
    'template-id': 'CVE-2024-7772',
    info: { name: 'No match' },
    host: 'shop.halden.example',
    'matcher-status': false,
  },
  { other: 'record' },
];

const zapXml = `<?xml version="1.0"?>
<OWASPZAPReport programName="ZAP" version="2.16.0" generated="Thu, 1 Jan 2026 00:00:00">
<site name="https://www.halden.example" host="www.halden.example" port="443" ssl="true"><alerts>
<alertitem><pluginid>10038</pluginid><alertRef>10038-1</alertRef><alert>Sample header missing</alert><name>Sample header missing</name>
<riskcode>2</riskcode><confidence>3</confidence><riskdesc>Medium (High)</riskdesc><desc>&lt;p&gt;It is &lt;b&gt;missing&lt;/b&gt;.&lt;/p&gt;</desc>
<instances><instance><uri>https://www.halden.example/</uri><method>GET</method><param></param></instance>
<instance><uri>https://www.halden.example/a</uri><method>GET</method><param>q</param><evidence>&lt;x&gt;</evidence></instance></instances>
<count>5</count><solution>&lt;p&gt;Set it.&lt;/p&gt;</solution><reference>&lt;p&gt;https://halden.example/z&lt;/p&gt;</reference><cweid>693</cweid><wascid>15</wascid></alertitem>
<alertitem><pluginid>10020</pluginid><alert>Not so</alert><name>Not so</name><riskcode>1</riskcode><confidence>0</confidence>
<instances><instance><uri>https://www.halden.example/</uri><method>GET</method></instance></instances><count>1</count></alertitem>
</alerts></site></OWASPZAPReport>
`;

const zapJson = {
  '@programName': 'ZAP',
  '@version': '2.16.0',
  '@generated': 'Thu, 1 Jan 2026 00:00:00',
  created: '2026-01-01T00:00:00.5Z',
  site: [
    {
      '@name': 'http://10.0.5.5:8080',
      '@host': '10.0.5.5',
      '@port': '8080',
      '@ssl': 'false',
      alerts: [
        {
          pluginid: '40012',
          alertRef: '40012',
          name: 'Sample scripting',
          riskcode: '3',
          confidence: '2',
          desc: '<p>Bad.</p>',
          instances: [{ uri: 'http://10.0.5.5:8080/?q=1', method: 'GET', param: 'q', attack: '<script>' }],
          count: '1',
          cweid: '79',
        },
        { pluginid: '10096', name: 'Without instances', riskcode: '0', confidence: '1', count: '0' },
      ],
    },
  ],
};

const ocsfEvent = (over: Record<string, unknown>) => ({
  class_uid: 2004,
  metadata: { event_code: 'sample_check', product: { name: 'Prowler' }, version: '1.4.0' },
  severity_id: 4,
  severity: 'High',
  status: 'New',
  status_id: 1,
  status_code: 'FAIL',
  status_detail: 'The bucket is open.',
  finding_info: { uid: 'f-1', title: 'Buckets are closed', desc: 'Sample.' },
  resources: [
    { uid: 'arn:aws:s3:::halden-sample', name: 'halden-sample', type: 'AwsS3Bucket', region: 'eu-north-1' },
  ],
  cloud: { provider: 'aws', region: 'eu-north-1', account: { uid: '123456789012' } },
  remediation: { desc: 'Close it.', references: ['https://halden.example/close', 'aws s3api …'] },
  time: 1767225600,
  time_dt: '2026-01-01T00:00:00',
  unmapped: { compliance: { 'CIS-3.0': ['2.1.4'], 'MITRE-ATTACK': ['T1530'] } },
  ...over,
});

const ocsf = [
  ocsfEvent({}),
  ocsfEvent({
    status_code: 'PASS',
    finding_info: { uid: 'f-2', title: 'Buckets are closed' },
    resources: [{ uid: 'arn:aws:s3:::halden-closed' }],
  }),
  ocsfEvent({ status_code: 'MANUAL', metadata: { event_code: 'by_hand', product: { name: 'Prowler' } } }),
  ocsfEvent({ status: 'Suppressed', status_id: 3 }),
  {
    class_uid: 2002,
    metadata: { product: { name: 'Sample scanner' } },
    severity_id: 5,
    finding_info: { uid: 'v-1', title: 'Weak packages' },
    resources: [{ uid: 'i-0123', hostname: 'vm01.halden.example', ip: '10.0.6.5' }],
    vulnerabilities: [
      {
        cve: {
          uid: 'CVE-2024-8881',
          cvss: [
            {
              version: '3.1',
              base_score: 9.1,
              vector_string: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
            },
          ],
        },
      },
      { cve: { uid: 'CVE-2024-8882' }, severity: 'Low' },
    ],
    time: 1767225600000,
  },
  ...[1, 2, 3].map((status_id) => ({
    class_uid: 2003,
    metadata: { product: { name: 'Sample auditor' } },
    finding_info: { uid: `c-${status_id}`, title: `Audited ${status_id}` },
    resources: [{ uid: 'arn:aws:s3:::halden-closed' }],
    severity_id: 3,
    compliance: { control: 'S3.1', status_id },
    time: 1767225600000,
  })),
  { class_uid: 3002, metadata: { product: { name: 'Sample' } }, message: 'somebody signed in' },
];

const cyclonedx = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    timestamp: '2026-01-01T00:00:00Z',
    component: { type: 'application', name: 'shop', version: '1.2', 'bom-ref': 'shop' },
  },
  components: [
    { type: 'library', name: 'sample', version: '1.0', 'bom-ref': 'lib', purl: 'pkg:npm/sample@1.0' },
  ],
  vulnerabilities: ['exploitable', 'in_triage', 'not_affected', 'false_positive', 'resolved', null].map(
    (state, i) => ({
      id: `CVE-2024-999${i}`,
      ratings: [
        {
          score: 8.1,
          severity: 'high',
          method: 'CVSSv31',
          vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H',
        },
      ],
      cwes: [79],
      description: 'Weak.',
      ...(state !== null && { analysis: { state, detail: 'Looked at.' } }),
      affects: [{ ref: 'lib' }, ...(i === 0 ? [{ ref: 'urn:cdx:0/1#pkg:npm/other@2' }] : [])],
    }),
  ),
};

const cyclonedxXml = `<?xml version="1.0"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.5" version="1"><metadata><timestamp>2026-01-01T00:00:00Z</timestamp>
<component type="application" bom-ref="shop"><name>shop</name><version>1.3</version></component></metadata>
<components><component type="library" bom-ref="lib"><name>sample</name><version>1.0</version></component></components>
<vulnerabilities><vulnerability><id>CVE-2024-9981</id><ratings><rating><score>5.5</score><severity>medium</severity><method>CVSSv31</method></rating></ratings>
<cwes><cwe>22</cwe></cwes><analysis><state>exploitable</state><responses><response>update</response></responses></analysis>
<affects><target><ref>lib</ref></target></affects></vulnerability></vulnerabilities></bom>
`;

const cyclonedxExtension = `<?xml version="1.0"?>
<bom xmlns="http://cyclonedx.org/schema/bom/1.2" xmlns:v="http://cyclonedx.org/schema/ext/vulnerability/1.0" version="1">
<components><component type="library" bom-ref="lib"><name>sample</name><version>1.0</version>
<v:vulnerabilities><v:vulnerability ref="lib"><v:id>CVE-2024-9971</v:id><v:ratings><v:rating><v:score><v:base>9.8</v:base></v:score>
<v:severity>Critical</v:severity><v:method>CVSSv3</v:method></v:rating></v:ratings></v:vulnerability></v:vulnerabilities>
</component></components></bom>
`;

const defectdojo = {
  name: 'Sample tool',
  findings: [
    {
      title: 'Sample web weakness',
      description: 'Weak.',
      severity: 'High',
      date: '2026-01-01',
      cwe: 79,
      vulnerability_ids: ['CVE-2024-1011', 'GHSA-1111-2222-3333'],
      cvssv3: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
      cvssv3_score: 6.1,
      endpoints: [
        'https://pay.halden.example/login',
        { protocol: 'https', host: 'pay2.halden.example', port: 8443, path: 'login' },
      ],
      active: true,
    },
    {
      title: 'Sample code weakness',
      severity: 'Medium',
      file_path: 'src/a.py',
      line: 3,
      is_mitigated: true,
      date: '2026-01-01',
    },
    { title: 'Accepted there', severity: 'Low', risk_accepted: true },
    { title: 'Not so', severity: 'Low', false_p: true },
    { title: 'Twice', severity: 'Low', duplicate: true },
    { severity: 'Low' },
  ],
};

const defectdojoCsv = `Date,Title,CweId,Url,Severity,Description,Mitigation,Impact,References,Active,Verified,FalsePositive,Duplicate,CVSSV3,CVSSV3_score,Vulnerability Id,IsMitigated,CweIds
01/30/2026,"Sample, with a comma",79,https://csv.halden.example/a,High,"It is
weak",Update.,,https://halden.example/d,True,False,False,False,CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N,6.1,CVE-2024-1021,False,"CWE-79, CWE-80"
01/30/2026,Mended,0,https://csv.halden.example/a,Low,,,,,False,False,False,False,,,,True,
01/30/2026,Put aside,0,https://csv.halden.example/a,Low,,,,,False,False,False,False,,,,False,
01/30/2026,Not so,0,https://csv.halden.example/b,Low,,,,,True,False,TRUE,False,,,,,
01/30/2026,No host,0,,Low,,,,,True,False,False,False,,,,,
`;

export const FIXTURES: Fixture[] = [
  {
    title: 'Nessus v2',
    format: 'nessus',
    fileName: 'a.nessus',
    content: nessus,
    read: 5,
    mapped: 5,
    signals: 5,
    assets: 2,
    notMapped: {},
  },
  {
    title: 'OpenVAS XML',
    format: 'openvas',
    fileName: 'a.xml',
    content: openvas,
    read: 4,
    mapped: 2,
    signals: 3,
    assets: 2,
    notMapped: { 'marked as a false positive in the report': 1, 'an error of the scan, not a finding': 1 },
  },
  {
    title: 'Qualys asset data XML',
    format: 'qualys',
    fileName: 'a.xml',
    content: qualysAssetData,
    read: 3,
    mapped: 3,
    signals: 3,
    assets: 1,
    notMapped: {},
  },
  {
    title: 'Qualys scan XML',
    format: 'qualys',
    fileName: 'a.xml',
    content: qualysScan,
    read: 2,
    mapped: 2,
    signals: 2,
    assets: 1,
    notMapped: {},
  },
  {
    title: 'Qualys host detections XML',
    format: 'qualys',
    fileName: 'a.xml',
    content: qualysDetections,
    read: 3,
    mapped: 1,
    signals: 2,
    assets: 2,
    notMapped: { 'marked as ignored in the report': 1, 'marked as disabled in the report': 1 },
  },
  {
    title: 'Qualys CSV',
    format: 'qualys',
    fileName: 'a.csv',
    content: qualysCsv,
    read: 4,
    mapped: 2,
    signals: 3,
    assets: 3,
    notMapped: { 'names no QID': 1, 'marked as ignored in the report': 1 },
  },
  {
    title: 'SARIF',
    format: 'sarif',
    fileName: 'a.sarif',
    content: json(sarif),
    asset: 'shop-api',
    read: 10,
    mapped: 7,
    signals: 5,
    assets: 1,
    notMapped: {
      'suppressed in the report': 1,
      'the rule does not apply to what was scanned': 1,
      'informs of the scan, and is no problem': 1,
    },
  },
  {
    title: 'SARIF without an asset',
    format: 'sarif',
    fileName: 'a.sarif',
    content: json(sarif),
    read: 10,
    mapped: 0,
    signals: 0,
    assets: 0,
    notMapped: {
      'names no asset: --asset NAME gives one': 7,
      'suppressed in the report': 1,
      'the rule does not apply to what was scanned': 1,
      'informs of the scan, and is no problem': 1,
    },
  },
  {
    title: 'Trivy',
    format: 'trivy',
    fileName: 'a.json',
    content: json(trivy),
    read: 8,
    mapped: 7,
    signals: 6,
    assets: 1,
    notMapped: { 'marked as ignored in the report': 1 },
  },
  {
    title: 'Grype',
    format: 'grype',
    fileName: 'a.json',
    content: json(grype),
    read: 3,
    mapped: 2,
    signals: 2,
    assets: 1,
    notMapped: { 'ignored by a rule in the report': 1 },
  },
  ...[lines(...nucleiResults), json(nucleiResults)].map((content, i) => ({
    title: i === 0 ? 'Nuclei JSON Lines' : 'Nuclei JSON',
    format: 'nuclei',
    fileName: 'a.jsonl',
    content,
    read: 5,
    mapped: 3,
    signals: 3,
    assets: 2,
    notMapped: { 'the template did not match': 1, 'is no result of a template': 1 },
  })),
  {
    title: 'ZAP XML',
    format: 'zap',
    fileName: 'a.xml',
    content: zapXml,
    read: 3,
    mapped: 2,
    signals: 1,
    assets: 1,
    notMapped: { 'marked as a false positive in the report': 1 },
  },
  {
    title: 'ZAP JSON',
    format: 'zap',
    fileName: 'a.json',
    content: json(zapJson),
    read: 2,
    mapped: 2,
    signals: 2,
    assets: 1,
    notMapped: {},
  },
  ...[json(ocsf), lines(...ocsf)].map((content, i) => ({
    title: i === 0 ? 'OCSF array, with Prowler' : 'OCSF lines, with Prowler',
    format: 'ocsf',
    fileName: 'a.ocsf.json',
    content,
    read: 10,
    mapped: 8,
    signals: 8,
    assets: 3,
    notMapped: {
      'suppressed in the report': 1,
      'is no finding: its class is none of the category Findings': 1,
    },
  })),
  {
    title: 'CycloneDX VEX',
    format: 'cyclonedx',
    fileName: 'a.json',
    content: json(cyclonedx),
    read: 7,
    mapped: 7,
    signals: 7,
    assets: 1,
    notMapped: {},
  },
  {
    title: 'CycloneDX XML',
    format: 'cyclonedx',
    fileName: 'a.xml',
    content: cyclonedxXml,
    read: 1,
    mapped: 1,
    signals: 1,
    assets: 1,
    notMapped: {},
  },
  {
    title: 'CycloneDX XML before 1.4',
    format: 'cyclonedx',
    fileName: 'a.xml',
    content: cyclonedxExtension,
    asset: 'shop',
    read: 1,
    mapped: 1,
    signals: 1,
    assets: 1,
    notMapped: {},
  },
  {
    title: 'DefectDojo JSON',
    format: 'defectdojo',
    fileName: 'a.json',
    content: json(defectdojo),
    asset: 'shop',
    read: 7,
    mapped: 4,
    signals: 4,
    assets: 3,
    notMapped: {
      'marked as a false positive in the report': 1,
      'marked as a duplicate in the report': 1,
      'has no title': 1,
    },
  },
  {
    title: 'DefectDojo CSV',
    format: 'defectdojo',
    fileName: 'a.csv',
    content: defectdojoCsv,
    read: 5,
    mapped: 3,
    signals: 3,
    assets: 1,
    notMapped: { 'marked as a false positive in the report': 1, 'names no asset: --asset NAME gives one': 1 },
  },
];

/** The content of a fixture, by its title. */
export const fixtureNamed = (title: string): Fixture => FIXTURES.find((fixture) => fixture.title === title)!;
