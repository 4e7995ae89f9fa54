import type { FindingType } from '#libs/domain';

/** A scan type of DefectDojo: the format that reads its reports, and the types of findings that it can have. */
export interface ScanType {
  name: string;
  format: string;
  /** Replaced with `close_old_findings`. */
  types: readonly FindingType[];
}

const VULNERABILITIES = ['va'] as const;
const CHECKS = ['ca'] as const;
const SECRETS = ['finding'] as const;

/** In the spelling of DefectDojo's parsers. */
export const SCAN_TYPES: readonly ScanType[] = [
  { name: 'Anchore Grype', format: 'grype', types: VULNERABILITIES },
  { name: 'AWS Inspector2 Scan', format: 'aws-inspector2', types: VULNERABILITIES },
  { name: 'AWS Prowler Scan', format: 'ocsf', types: ['va', 'ca', 'finding', 'edr', 'others'] },
  { name: 'AWS Prowler V3', format: 'ocsf', types: ['va', 'ca', 'finding', 'edr', 'others'] },
  {
    name: 'AWS Security Finding Format (ASFF) Scan',
    format: 'asff',
    types: ['va', 'ca', 'finding', 'edr', 'others'],
  },
  { name: 'AWS Security Hub Scan', format: 'asff', types: ['va', 'ca', 'finding', 'edr', 'others'] },
  { name: 'Azure Security Center Recommendations Scan', format: 'defender-cloud', types: CHECKS },
  { name: 'Burp Scan', format: 'burp', types: VULNERABILITIES },
  { name: 'Checkov Scan', format: 'checkov', types: CHECKS },
  { name: 'Checkmarx Scan', format: 'checkmarx', types: VULNERABILITIES },
  { name: 'Checkmarx Scan detailed', format: 'checkmarx', types: VULNERABILITIES },
  { name: 'CSAF Scan', format: 'csaf', types: VULNERABILITIES },
  { name: 'CycloneDX Scan', format: 'cyclonedx', types: VULNERABILITIES },
  { name: 'Dependency Check Scan', format: 'dependency-check', types: VULNERABILITIES },
  {
    name: 'Dependency Track Finding Packaging Format (FPF) Export',
    format: 'dependency-track',
    types: VULNERABILITIES,
  },
  { name: 'Generic Findings Import', format: 'defectdojo', types: VULNERABILITIES },
  { name: 'Gitleaks Scan', format: 'gitleaks', types: SECRETS },
  { name: 'kube-bench Scan', format: 'kube-bench', types: CHECKS },
  { name: 'Kubescape JSON Importer', format: 'kubescape', types: CHECKS },
  { name: 'MSDefender Parser', format: 'defender-endpoint', types: VULNERABILITIES },
  { name: 'Nessus Scan', format: 'nessus', types: ['va', 'ca'] },
  { name: 'Nexpose Scan', format: 'nexpose', types: VULNERABILITIES },
  { name: 'Nmap Scan', format: 'nmap', types: VULNERABILITIES },
  { name: 'NPM Audit Scan', format: 'npm-audit-6', types: VULNERABILITIES },
  { name: 'NPM Audit v7+ Scan', format: 'npm-audit', types: VULNERABILITIES },
  { name: 'Nuclei Scan', format: 'nuclei', types: VULNERABILITIES },
  { name: 'Openscap Vulnerability Scan', format: 'xccdf', types: ['va', 'ca'] },
  { name: 'OpenVAS Parser', format: 'openvas', types: VULNERABILITIES },
  { name: 'OpenVAS Parser v2', format: 'openvas', types: VULNERABILITIES },
  { name: 'OpenVEX Scan', format: 'openvex', types: VULNERABILITIES },
  { name: 'Prowler Scan', format: 'ocsf', types: ['va', 'ca', 'finding', 'edr', 'others'] },
  { name: 'Qualys Scan', format: 'qualys', types: VULNERABILITIES },
  { name: 'Qualys Webapp Scan', format: 'qualys-was', types: VULNERABILITIES },
  { name: 'SARIF', format: 'sarif', types: VULNERABILITIES },
  { name: 'Semgrep JSON Report', format: 'semgrep', types: VULNERABILITIES },
  { name: 'Snyk Scan', format: 'snyk', types: ['va', 'others'] },
  { name: 'Tenable Scan', format: 'nessus', types: ['va', 'ca'] },
  { name: 'Trivy Scan', format: 'trivy', types: ['va', 'ca', 'finding', 'others'] },
  { name: 'Trufflehog Scan', format: 'trufflehog', types: SECRETS },
  { name: 'Twistlock Image Scan', format: 'prisma-cloud', types: ['va', 'ca'] },
  { name: 'Wazuh', format: 'wazuh', types: VULNERABILITIES },
  { name: 'Yarn Audit Scan', format: 'yarn-audit', types: VULNERABILITIES },
  { name: 'ZAP Scan', format: 'zap', types: VULNERABILITIES },
];
