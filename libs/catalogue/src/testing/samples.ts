/** Small files in the publishers' formats, with invented content, for tests. */

/** FIRST's `epss_scores-YYYY-MM-DD.csv`. */
export const EPSS_CSV = `#model_version:v2025.03.14,score_date:2026-05-30T12:55:00Z
cve,epss,percentile
CVE-2024-10001,0.00046,0.1385
CVE-2024-10002,0.04525,0.92176
CVE-2024-10003,1.0,1.0
CVE-2024-1000400,0.0,0.0
`;

/** CISA's `known_exploited_vulnerabilities.json`. */
export const kevCatalog = () => ({
  title: 'CISA Catalog of Known Exploited Vulnerabilities',
  catalogVersion: '2026.05.29',
  dateReleased: '2026-05-29T15:04:11.2032Z',
  count: 2,
  vulnerabilities: [
    {
      cveID: 'CVE-2024-10002',
      vendorProject: 'Acme',
      product: 'Gate',
      vulnerabilityName: 'Acme Gate Command Injection Vulnerability',
      dateAdded: '2026-01-15',
      shortDescription: 'Acme Gate contains a command injection vulnerability, "as is".',
      requiredAction: 'Apply mitigations per vendor instructions.',
      dueDate: '2026-02-05',
      knownRansomwareCampaignUse: 'Known',
      notes: 'https://acme.example/advisory ; https://nvd.nist.gov/vuln/detail/CVE-2024-10002',
      cwes: ['CWE-77'],
    },
    {
      cveID: 'CVE-2023-10009',
      vendorProject: 'Acme',
      product: 'Mail',
      vulnerabilityName: 'Acme Mail Deserialization Vulnerability',
      dateAdded: '2025-11-03',
      shortDescription: 'Acme Mail deserializes what it is sent.',
      requiredAction: 'Apply mitigations per vendor instructions.',
      dueDate: '2025-11-24',
      knownRansomwareCampaignUse: 'Unknown',
      notes: '',
      cwes: [],
    },
  ],
});

/** CISA's `known_exploited_vulnerabilities.csv`, of the same two entries. */
export const KEV_CSV = `cveID,vendorProject,product,vulnerabilityName,dateAdded,shortDescription,requiredAction,dueDate,knownRansomwareCampaignUse,notes,cwes
CVE-2024-10002,Acme,Gate,Acme Gate Command Injection Vulnerability,2026-01-15,"Acme Gate contains a command injection vulnerability, ""as is"".",Apply mitigations per vendor instructions.,2026-02-05,Known,"https://acme.example/advisory ;
https://nvd.nist.gov/vuln/detail/CVE-2024-10002",CWE-77
CVE-2023-10009,Acme,Mail,Acme Mail Deserialization Vulnerability,2025-11-03,Acme Mail deserializes what it is sent.,Apply mitigations per vendor instructions.,2025-11-24,Unknown,,
`;

interface RecordOptions {
  state?: string;
  /** Tags of the assigner, and of one other publisher. */
  tags?: string[];
  adpTags?: string[];
}

const ORGANIZATION = '8254265b-2729-46b6-b9e3-3dfca2d5bfca';

/** A record of the CVE programme, CVE JSON 5.1. */
export const cveRecord = (cveId: string, { state = 'PUBLISHED', tags, adpTags }: RecordOptions = {}) => ({
  dataType: 'CVE_RECORD',
  dataVersion: '5.1',
  cveMetadata: {
    cveId,
    assignerOrgId: ORGANIZATION,
    state,
    assignerShortName: 'acme',
    dateReserved: '2024-01-02T00:00:00.000Z',
    datePublished: '2024-02-03T10:11:12.000Z',
    dateUpdated: '2024-08-01T18:05:06.123Z',
  },
  containers: {
    cna: {
      providerMetadata: { orgId: ORGANIZATION, shortName: 'acme', dateUpdated: '2024-08-01T18:05:06.123Z' },
      ...(state === 'REJECTED'
        ? { rejectedReasons: [{ lang: 'en', value: 'This CVE ID was withdrawn by its CNA.' }] }
        : {
            affected: [
              { vendor: 'Acme', product: 'Gate', versions: [{ status: 'affected', version: '1.0' }] },
            ],
            descriptions: [{ lang: 'en', value: 'Acme Gate 1.0 lets anybody in.' }],
            references: [{ url: 'https://acme.example/advisory' }],
          }),
      ...(tags && { tags }),
    },
    ...(adpTags && {
      adp: [
        {
          title: 'CVE Program Container',
          providerMetadata: { orgId: ORGANIZATION, shortName: 'CVE' },
          tags: adpTags,
        },
      ],
    }),
  },
});

/** A record of NVD's JSON 2.0. */
export const nvdRecord = (id: string, vulnStatus = 'Analyzed', tags: string[] = []) => ({
  cve: {
    id,
    sourceIdentifier: 'security@acme.example',
    published: '2024-02-03T10:15:08.557',
    lastModified: '2024-08-02T01:15:10.223',
    vulnStatus,
    cveTags: tags.length > 0 ? [{ sourceIdentifier: 'security@acme.example', tags }] : [],
    descriptions: [{ lang: 'en', value: 'Acme Gate 1.0 lets anybody in.' }],
    metrics: {},
    references: [{ url: 'https://acme.example/advisory', source: 'security@acme.example' }],
  },
});

/** NVD's `nvdcve-2.0-YYYY.json`, or a page of its API. */
export const nvdFeed = (records: ReturnType<typeof nvdRecord>[]) => ({
  resultsPerPage: records.length,
  startIndex: 0,
  totalResults: records.length,
  format: 'NVD_CVE',
  version: '2.0',
  timestamp: '2026-05-30T03:00:09.320',
  vulnerabilities: records,
});
