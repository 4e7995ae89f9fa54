import type { Software } from './software.ts';

/** A published vulnerability and the software that it is found in. */
export interface Vulnerability {
  cve: string;
  /** As a scanner would call it. */
  name: string;
  /** CVSS 3.1 base vector as published by NVD or the vendor. */
  vector: string;
  baseScore: number;
  hits: Software[];
  /** ATT&CK technique that an attacker would use it for. */
  technique: string;
  remediation: string;
}

type Row = [cve: string, name: string, vector: string, baseScore: number, technique: string, fix: string];

const EXPLOIT_PUBLIC = 'T1190';
const EXPLOIT_REMOTE = 'T1210';
const EXPLOIT_PRIVILEGE = 'T1068';
const EXPLOIT_CLIENT = 'T1203';
const EXPLOIT_EVASION = 'T1211';
const EXPLOIT_DENIAL = 'T1499.004';
const ADVERSARY_IN_THE_MIDDLE = 'T1557';
const VALID_ACCOUNTS = 'T1078';

const RCE = 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const RCE_CHANGED_SCOPE = 'AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H';
const LOCAL_PRIVILEGE = 'AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H';
const OPENED_BY_USER = 'AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H';
const OPENED_FILE = 'AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H';
const DENIAL = 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H';
const DISCLOSURE = 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';

const WINDOWS_UPDATE = 'Install the cumulative Windows update of the month that fixes it, or a later one';
const KERNEL_UPDATE = "Install the distribution's kernel update and reboot";

/** Facts of NVD and the vendors' advisories; the tests compute every score from its vector. */
// biome-ignore format: one row a line
const ROWS: [hits: Software[], rows: Row[]][] = [
  [
    ['windows'],
    [
      ['CVE-2023-28252', 'Windows CLFS driver elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
      ['CVE-2023-36874', 'Windows Error Reporting elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
      ['CVE-2024-21338', 'Windows kernel elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
      ['CVE-2024-30051', 'Windows DWM Core Library elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
      ['CVE-2024-30088', 'Windows kernel race condition elevation of privilege', 'AV:L/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.0, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
      ['CVE-2024-38063', 'Windows TCP/IP remote code execution over IPv6', RCE, 9.8, EXPLOIT_REMOTE, WINDOWS_UPDATE],
      ['CVE-2024-38193', 'Windows WinSock driver elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
      ['CVE-2024-43572', 'Microsoft Management Console remote code execution', OPENED_FILE, 7.8, EXPLOIT_CLIENT, WINDOWS_UPDATE],
      ['CVE-2023-21674', 'Windows ALPC elevation of privilege', 'AV:L/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 8.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
      ['CVE-2024-26169', 'Windows Error Reporting Service elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
      ['CVE-2022-37969', 'Windows Common Log File System driver elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
    ],
  ],
  [
    ['windows-client'],
    [
      ['CVE-2024-21412', 'Windows Internet Shortcut Files security feature bypass', 'AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N', 8.1, EXPLOIT_EVASION, WINDOWS_UPDATE],
      ['CVE-2024-21351', 'Windows SmartScreen security feature bypass', 'AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:H/A:L', 7.6, EXPLOIT_EVASION, WINDOWS_UPDATE],
      ['CVE-2024-29988', 'Windows SmartScreen prompt security feature bypass', OPENED_BY_USER, 8.8, EXPLOIT_EVASION, WINDOWS_UPDATE],
      ['CVE-2024-38112', 'Windows MSHTML platform spoofing', 'AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:H', 7.5, EXPLOIT_CLIENT, WINDOWS_UPDATE],
      ['CVE-2024-43573', 'Windows MSHTML platform spoofing by crafted content', 'AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N', 6.5, EXPLOIT_CLIENT, WINDOWS_UPDATE],
      ['CVE-2022-30190', 'Microsoft Support Diagnostic Tool remote code execution (Follina)', OPENED_FILE, 7.8, EXPLOIT_CLIENT, WINDOWS_UPDATE],
      ['CVE-2024-20666', 'BitLocker security feature bypass', 'AV:P/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 6.6, EXPLOIT_EVASION, 'Update the Windows Recovery Environment'],
    ],
  ],
  [
    ['windows-server'],
    [
      ['CVE-2024-38077', 'Windows Remote Desktop Licensing Service remote code execution', RCE, 9.8, EXPLOIT_REMOTE, WINDOWS_UPDATE],
      ['CVE-2024-38080', 'Windows Hyper-V elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, WINDOWS_UPDATE],
    ],
  ],
  [
    ['active-directory'],
    [
      ['CVE-2020-1472', 'Netlogon elevation of privilege (Zerologon)', RCE_CHANGED_SCOPE, 10.0, EXPLOIT_REMOTE, 'Install the August 2020 or a later update and enforce secure RPC'],
      ['CVE-2020-1350', 'Windows DNS Server remote code execution (SIGRed)', RCE_CHANGED_SCOPE, 10.0, EXPLOIT_REMOTE, 'Install the July 2020 or a later update'],
      ['CVE-2021-34527', 'Windows Print Spooler remote code execution (PrintNightmare)', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, EXPLOIT_REMOTE, 'Install the July 2021 or a later update; stop the Print Spooler where nothing prints'],
      ['CVE-2022-26923', 'Active Directory Domain Services elevation of privilege by certificates', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, EXPLOIT_PRIVILEGE, 'Install the May 2022 or a later update and review certificate templates'],
      ['CVE-2024-49112', 'Windows LDAP remote code execution', RCE, 9.8, EXPLOIT_REMOTE, 'Install the December 2024 or a later update'],
      ['CVE-2024-49113', 'Windows LDAP denial of service', DENIAL, 7.5, EXPLOIT_DENIAL, 'Install the December 2024 or a later update'],
    ],
  ],
  [
    ['windows-server-2008-r2'],
    [
      ['CVE-2019-0708', 'Remote Desktop Services remote code execution (BlueKeep)', RCE, 9.8, EXPLOIT_REMOTE, 'Install the May 2019 or a later update; require Network Level Authentication'],
    ],
  ],
  [
    ['centos-6'],
    [
      ['CVE-2014-0160', 'OpenSSL TLS heartbeat information disclosure (Heartbleed)', DISCLOSURE, 7.5, EXPLOIT_PUBLIC, 'Update OpenSSL to 1.0.1g, renew certificates and passwords'],
      ['CVE-2014-6271', 'GNU Bash remote code execution by environment variables (Shellshock)', RCE, 9.8, EXPLOIT_PUBLIC, 'Update bash'],
    ],
  ],
  [
    ['exchange'],
    [
      ['CVE-2024-21410', 'Microsoft Exchange Server elevation of privilege by NTLM relay', RCE, 9.8, EXPLOIT_PUBLIC, 'Turn on Extended Protection (Exchange 2019 CU14 does)'],
      ['CVE-2022-41040', 'Microsoft Exchange Server elevation of privilege (ProxyNotShell)', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, EXPLOIT_PUBLIC, 'Install the November 2022 or a later security update'],
    ],
  ],
  [
    ['office'],
    [
      ['CVE-2024-21413', 'Microsoft Outlook remote code execution (MonikerLink)', RCE, 9.8, EXPLOIT_CLIENT, 'Install the February 2024 or a later Office update'],
      ['CVE-2023-23397', 'Microsoft Outlook elevation of privilege by reminder sound', RCE, 9.8, EXPLOIT_CLIENT, 'Install the March 2023 or a later Office update; block outgoing SMB'],
    ],
  ],
  [
    ['sharepoint'],
    [
      ['CVE-2024-38094', 'Microsoft SharePoint remote code execution', 'AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H', 7.2, EXPLOIT_PUBLIC, 'Install the July 2024 or a later SharePoint update'],
      ['CVE-2025-53770', 'Microsoft SharePoint Server deserialization remote code execution (ToolShell)', RCE, 9.8, EXPLOIT_PUBLIC, 'Install the July 2025 emergency update and rotate the machine keys'],
    ],
  ],
  [
    ['linux'],
    [
      ['CVE-2024-1086', 'Linux kernel nf_tables use after free', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, KERNEL_UPDATE],
      ['CVE-2022-0847', 'Linux kernel pipe buffer overwrite (Dirty Pipe)', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, KERNEL_UPDATE],
      ['CVE-2023-0386', 'Linux kernel OverlayFS elevation of privilege', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, KERNEL_UPDATE],
      ['CVE-2023-32233', 'Linux kernel nf_tables anonymous set use after free', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, KERNEL_UPDATE],
      ['CVE-2021-4034', 'polkit pkexec elevation of privilege (PwnKit)', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, 'Update polkit'],
      ['CVE-2021-3156', 'sudo heap overflow elevation of privilege (Baron Samedit)', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, 'Update sudo to 1.9.5p2 or later'],
      ['CVE-2023-4911', 'glibc dynamic loader buffer overflow (Looney Tunables)', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, 'Update glibc'],
      ['CVE-2024-47176', 'cups-browsed trusts packets from any source', 'AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N', 5.3, EXPLOIT_REMOTE, 'Update cups-browsed or turn it off'],
      ['CVE-2017-5754', 'CPU rogue data cache load (Meltdown)', 'AV:L/AC:H/PR:L/UI:N/S:C/C:H/I:N/A:N', 5.6, EXPLOIT_PRIVILEGE, 'Run a kernel with page table isolation'],
    ],
  ],
  [
    ['openssh'],
    [
      ['CVE-2024-6387', 'OpenSSH server signal handler race (regreSSHion)', 'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.1, EXPLOIT_REMOTE, 'Update OpenSSH to 9.8p1 or the patched package'],
      ['CVE-2023-48795', 'SSH transport prefix truncation (Terrapin)', 'AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:N', 5.9, ADVERSARY_IN_THE_MIDDLE, 'Update OpenSSH to 9.6 or turn off ChaCha20-Poly1305 and CBC with encrypt-then-MAC'],
      ['CVE-2023-38408', 'OpenSSH ssh-agent remote code execution by forwarded agent', RCE, 9.8, EXPLOIT_REMOTE, 'Update OpenSSH to 9.3p2'],
      ['CVE-2018-15473', 'OpenSSH user name enumeration', 'AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N', 5.3, 'T1087', 'Update OpenSSH to 7.8 or later'],
    ],
  ],
  [
    ['openssl'],
    [
      ['CVE-2022-0778', 'OpenSSL infinite loop in BN_mod_sqrt()', DENIAL, 7.5, EXPLOIT_DENIAL, 'Update OpenSSL to 1.1.1n, 3.0.2 or later'],
      ['CVE-2023-0286', 'OpenSSL X.400 address type confusion', 'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:H', 7.4, EXPLOIT_REMOTE, 'Update OpenSSL to 1.1.1t, 3.0.8 or later'],
    ],
  ],
  [
    ['apache'],
    [
      ['CVE-2021-42013', 'Apache HTTP Server 2.4.49/2.4.50 path traversal and code execution', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Apache HTTP Server to 2.4.51 or later'],
      ['CVE-2021-44790', 'Apache HTTP Server mod_lua multipart buffer overflow', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Apache HTTP Server to 2.4.52 or later'],
      ['CVE-2021-40438', 'Apache HTTP Server mod_proxy server-side request forgery', 'AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H', 9.0, EXPLOIT_PUBLIC, 'Update Apache HTTP Server to 2.4.49 or later'],
      ['CVE-2023-25690', 'Apache HTTP Server mod_proxy request smuggling', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Apache HTTP Server to 2.4.56 or later'],
      ['CVE-2024-38475', 'Apache HTTP Server mod_rewrite output escaping', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N', 9.1, EXPLOIT_PUBLIC, 'Update Apache HTTP Server to 2.4.60 or later'],
    ],
  ],
  [
    ['nginx', 'apache'],
    [
      ['CVE-2023-44487', 'HTTP/2 rapid reset denial of service', DENIAL, 7.5, EXPLOIT_DENIAL, 'Update the web server and limit the streams of a connection'],
    ],
  ],
  [
    ['php'],
    [
      ['CVE-2024-4577', 'PHP-CGI argument injection', RCE, 9.8, EXPLOIT_PUBLIC, 'Update PHP to 8.1.29, 8.2.20, 8.3.8 or later'],
      ['CVE-2019-11043', 'PHP-FPM buffer underflow remote code execution', RCE, 9.8, EXPLOIT_PUBLIC, 'Update PHP to 7.2.24, 7.3.11 or later'],
    ],
  ],
  [
    ['tomcat'],
    [
      ['CVE-2020-1938', 'Apache Tomcat AJP file inclusion (Ghostcat)', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Tomcat to 9.0.31, 8.5.51, 7.0.100 or later; close the AJP connector'],
      ['CVE-2025-24813', 'Apache Tomcat partial PUT remote code execution', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Tomcat to 9.0.99, 10.1.35, 11.0.3 or later'],
    ],
  ],
  [
    ['java-app'],
    [
      ['CVE-2021-44228', 'Apache Log4j remote code execution (Log4Shell)', RCE_CHANGED_SCOPE, 10.0, EXPLOIT_PUBLIC, 'Update Log4j to 2.17.1 or later'],
      ['CVE-2021-45046', 'Apache Log4j thread context lookup remote code execution', 'AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H', 9.0, EXPLOIT_PUBLIC, 'Update Log4j to 2.17.1 or later'],
      ['CVE-2022-22965', 'Spring Framework remote code execution (Spring4Shell)', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Spring Framework to 5.3.18, 5.2.20 or later'],
      ['CVE-2023-50164', 'Apache Struts file upload path traversal', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Struts to 2.5.33, 6.3.0.2 or later'],
    ],
  ],
  [
    ['weblogic'],
    [
      ['CVE-2020-14882', 'Oracle WebLogic Server console remote code execution', RCE, 9.8, EXPLOIT_PUBLIC, 'Install the October 2020 or a later Critical Patch Update'],
      ['CVE-2023-21839', 'Oracle WebLogic Server T3/IIOP information disclosure', DISCLOSURE, 7.5, EXPLOIT_PUBLIC, 'Install the January 2023 or a later Critical Patch Update'],
    ],
  ],
  [
    ['confluence'],
    [
      ['CVE-2022-26134', 'Atlassian Confluence OGNL injection remote code execution', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Confluence to 7.18.1 or a patched release'],
      ['CVE-2023-22515', 'Atlassian Confluence broken access control', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Confluence to 8.3.3, 8.4.3, 8.5.2 or later'],
    ],
  ],
  [
    ['ci'],
    [
      ['CVE-2024-23897', 'Jenkins CLI arbitrary file read', RCE, 9.8, EXPLOIT_PUBLIC, 'Update Jenkins to 2.442, LTS 2.426.3 or later'],
      ['CVE-2023-7028', 'GitLab account takeover by password reset', 'AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:N', 10.0, VALID_ACCOUNTS, 'Update GitLab to 16.5.6, 16.6.4, 16.7.2 or later'],
      ['CVE-2021-22205', 'GitLab ExifTool remote code execution', RCE_CHANGED_SCOPE, 10.0, EXPLOIT_PUBLIC, 'Update GitLab to 13.10.3 or later'],
      ['CVE-2024-27198', 'JetBrains TeamCity authentication bypass', RCE, 9.8, EXPLOIT_PUBLIC, 'Update TeamCity to 2023.11.4'],
    ],
  ],
  [
    ['postgresql'],
    [
      ['CVE-2024-10979', 'PostgreSQL PL/Perl environment variable changes', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, EXPLOIT_REMOTE, 'Update PostgreSQL to 17.1, 16.5, 15.9, 14.14 or later'],
      ['CVE-2024-7348', 'PostgreSQL pg_dump relation replacement', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, EXPLOIT_REMOTE, 'Update PostgreSQL to 16.4, 15.8, 14.13 or later'],
      ['CVE-2023-5868', 'PostgreSQL memory disclosure in aggregate functions', 'AV:N/AC:L/PR:L/UI:N/S:U/C:L/I:N/A:N', 4.3, EXPLOIT_REMOTE, 'Update PostgreSQL to 16.1, 15.5, 14.10 or later'],
    ],
  ],
  [
    ['mysql'],
    [
      ['CVE-2023-21912', 'MySQL Server privileges denial of service', DENIAL, 7.5, EXPLOIT_DENIAL, 'Install the April 2023 or a later Critical Patch Update'],
      ['CVE-2023-21980', 'MySQL Server client programs takeover', 'AV:N/AC:H/PR:L/UI:R/S:U/C:H/I:H/A:H', 7.1, EXPLOIT_REMOTE, 'Install the April 2023 or a later Critical Patch Update'],
      ['CVE-2024-21096', 'MySQL mysqldump command injection', 'AV:L/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:L', 4.9, EXPLOIT_PRIVILEGE, 'Install the April 2024 or a later Critical Patch Update'],
    ],
  ],
  [
    ['sql-server'],
    [
      ['CVE-2020-0618', 'SQL Server Reporting Services remote code execution', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, EXPLOIT_REMOTE, 'Install the February 2020 or a later SQL Server update'],
      ['CVE-2022-29143', 'Microsoft SQL Server remote code execution', 'AV:N/AC:H/PR:L/UI:N/S:U/C:H/I:H/A:H', 7.5, EXPLOIT_REMOTE, 'Install the June 2022 or a later SQL Server update'],
    ],
  ],
  [
    ['redis'],
    [
      ['CVE-2022-0543', 'Redis Lua sandbox escape (Debian and Ubuntu packages)', RCE_CHANGED_SCOPE, 10.0, EXPLOIT_PUBLIC, "Install the distribution's redis update"],
    ],
  ],
  [
    ['containers'],
    [
      ['CVE-2024-21626', 'runc container escape by leaked file descriptor (Leaky Vessels)', 'AV:L/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 8.6, 'T1611', 'Update runc to 1.1.12 or later'],
      ['CVE-2021-25741', 'Kubernetes subpath volume symlink exchange', 'AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, 'T1611', 'Update the kubelet to 1.22.2, 1.21.5, 1.20.11, 1.19.15 or later'],
      ['CVE-2025-1974', 'Kubernetes ingress-nginx admission controller code execution (IngressNightmare)', RCE, 9.8, EXPLOIT_PUBLIC, 'Update ingress-nginx to 1.12.1, 1.11.5 or later'],
    ],
  ],
  [
    ['vcenter'],
    [
      ['CVE-2023-34048', 'VMware vCenter Server DCERPC out-of-bounds write', RCE, 9.8, EXPLOIT_REMOTE, 'Update vCenter Server to 8.0U1d, 8.0U2, 7.0U3o or later'],
      ['CVE-2024-38812', 'VMware vCenter Server DCERPC heap overflow', RCE, 9.8, EXPLOIT_REMOTE, 'Update vCenter Server to 8.0U3d, 7.0U3t or later'],
      ['CVE-2021-21985', 'VMware vCenter vSAN plug-in remote code execution', RCE, 9.8, EXPLOIT_REMOTE, 'Update vCenter Server to 7.0U2b, 6.7U3n, 6.5U3p or later'],
    ],
  ],
  [
    ['esxi'],
    [
      ['CVE-2024-37085', 'VMware ESXi Active Directory integration authentication bypass', 'AV:N/AC:L/PR:H/UI:R/S:U/C:H/I:H/A:H', 6.8, VALID_ACCOUNTS, 'Update ESXi to 8.0U3; name the admins group explicitly'],
      ['CVE-2021-21974', 'VMware ESXi OpenSLP heap overflow', 'AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.8, EXPLOIT_REMOTE, 'Update ESXi to 7.0U1c or a patched release; stop the SLP service'],
    ],
  ],
  [
    ['backup'],
    [
      ['CVE-2023-27532', 'Veeam Backup & Replication credential disclosure', DISCLOSURE, 7.5, 'T1552', 'Update Veeam Backup & Replication to 12 P20230223, 11a P20230227 or later'],
      ['CVE-2024-40711', 'Veeam Backup & Replication deserialization remote code execution', RCE, 9.8, EXPLOIT_REMOTE, 'Update Veeam Backup & Replication to 12.2'],
    ],
  ],
  [
    ['managed-file-transfer'],
    [
      ['CVE-2023-34362', 'Progress MOVEit Transfer SQL injection', RCE, 9.8, EXPLOIT_PUBLIC, 'Update MOVEit Transfer to 2023.0.1 or a patched release'],
    ],
  ],
  [
    ['ios-xe'],
    [
      ['CVE-2023-20198', 'Cisco IOS XE web UI privilege escalation', RCE_CHANGED_SCOPE, 10.0, EXPLOIT_PUBLIC, 'Update IOS XE; turn off the HTTP server feature'],
      ['CVE-2023-20273', 'Cisco IOS XE web UI command injection', 'AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H', 7.2, EXPLOIT_PRIVILEGE, 'Update IOS XE; turn off the HTTP server feature'],
      ['CVE-2018-0171', 'Cisco IOS and IOS XE Smart Install remote code execution', RCE, 9.8, EXPLOIT_REMOTE, 'Update IOS; turn off Smart Install (no vstack)'],
    ],
  ],
  [
    ['nx-os'],
    [
      ['CVE-2024-20399', 'Cisco NX-OS CLI command injection', 'AV:L/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:N', 6.0, 'T1059.008', 'Update NX-OS'],
    ],
  ],
  [
    ['asa'],
    [
      ['CVE-2020-3452', 'Cisco ASA and FTD web services path traversal', DISCLOSURE, 7.5, EXPLOIT_PUBLIC, 'Update ASA or FTD software'],
      ['CVE-2024-20353', 'Cisco ASA and FTD web services denial of service', 'AV:N/AC:L/PR:N/UI:N/S:C/C:N/I:N/A:H', 8.6, EXPLOIT_DENIAL, 'Update ASA or FTD software'],
      ['CVE-2024-20359', 'Cisco ASA and FTD persistent local code execution', 'AV:L/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:N', 6.0, EXPLOIT_PRIVILEGE, 'Update ASA or FTD software'],
    ],
  ],
  [
    ['fortios'],
    [
      ['CVE-2018-13379', 'Fortinet FortiOS SSL VPN path traversal', 'AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:H', 9.1, EXPLOIT_PUBLIC, 'Update FortiOS to 6.0.5, 5.6.8, 5.4.13 or later and renew all passwords'],
      ['CVE-2022-40684', 'Fortinet FortiOS administrative interface authentication bypass', RCE, 9.8, EXPLOIT_PUBLIC, 'Update FortiOS to 7.2.2, 7.0.7 or later'],
      ['CVE-2024-21762', 'Fortinet FortiOS SSL VPN out-of-bounds write', RCE, 9.8, EXPLOIT_PUBLIC, 'Update FortiOS to 7.4.3, 7.2.7, 7.0.14, 6.4.15 or later'],
    ],
  ],
  [
    ['pan-os'],
    [
      ['CVE-2024-3400', 'PAN-OS GlobalProtect command injection', RCE_CHANGED_SCOPE, 10.0, EXPLOIT_PUBLIC, 'Update PAN-OS to 10.2.9-h1, 11.0.4-h1, 11.1.2-h3 or later'],
    ],
  ],
  [
    ['chrome'],
    [
      ['CVE-2024-0519', 'Google Chrome V8 out-of-bounds memory access', OPENED_BY_USER, 8.8, 'T1189', 'Update Chrome to 120.0.6099.224 or later'],
      ['CVE-2024-4671', 'Google Chrome Visuals use after free', 'AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.6, 'T1189', 'Update Chrome to 124.0.6367.201 or later'],
      ['CVE-2024-4947', 'Google Chrome V8 type confusion', 'AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.6, 'T1189', 'Update Chrome to 125.0.6422.60 or later'],
      ['CVE-2024-7965', 'Google Chrome V8 inappropriate implementation', OPENED_BY_USER, 8.8, 'T1189', 'Update Chrome to 128.0.6613.84 or later'],
      ['CVE-2024-7971', 'Google Chrome V8 type confusion heap corruption', OPENED_BY_USER, 8.8, 'T1189', 'Update Chrome to 128.0.6613.84 or later'],
      ['CVE-2023-4863', 'libwebp heap buffer overflow in Google Chrome', OPENED_BY_USER, 8.8, 'T1189', 'Update Chrome to 116.0.5845.187 or later'],
    ],
  ],
  [
    ['firefox'],
    [
      ['CVE-2024-9680', 'Mozilla Firefox animation timeline use after free', RCE, 9.8, 'T1189', 'Update Firefox to 131.0.2, ESR 128.3.1 or ESR 115.16.1'],
    ],
  ],
  [
    ['archiver'],
    [
      ['CVE-2023-38831', 'RARLAB WinRAR code execution by crafted archive', OPENED_FILE, 7.8, 'T1204.002', 'Update WinRAR to 6.23 or later'],
    ],
  ],
  [
    ['pdf-reader'],
    [
      ['CVE-2023-26369', 'Adobe Acrobat Reader out-of-bounds write', OPENED_FILE, 7.8, 'T1204.002', 'Update Acrobat Reader to 23.006.20320 or later'],
      ['CVE-2023-21608', 'Adobe Acrobat Reader use after free', OPENED_FILE, 7.8, 'T1204.002', 'Update Acrobat Reader to 22.003.20310 or later'],
    ],
  ],
  [
    ['macos'],
    [
      ['CVE-2023-41993', 'Apple WebKit code execution by web content', OPENED_BY_USER, 8.8, 'T1189', 'Update macOS to 14 and Safari to 17'],
      ['CVE-2024-23225', 'Apple kernel memory protection bypass', LOCAL_PRIVILEGE, 7.8, EXPLOIT_PRIVILEGE, 'Update macOS to 14.4, 13.6.5 or 12.7.4'],
      ['CVE-2023-42916', 'Apple WebKit out-of-bounds read', 'AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N', 6.5, 'T1189', 'Update macOS to 14.1.2'],
    ],
  ],
];

/** Found on TLS services themselves, port by port: several instances of one finding. */
// biome-ignore format: one row a line
const TLS_ROWS: Row[] = [
  ['CVE-2016-2183', 'TLS 64-bit block ciphers accepted (SWEET32)', DISCLOSURE, 7.5, ADVERSARY_IN_THE_MIDDLE, 'Turn off 3DES'],
  ['CVE-2013-2566', 'TLS RC4 ciphers accepted', 'AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N', 5.9, ADVERSARY_IN_THE_MIDDLE, 'Turn off RC4'],
  ['CVE-2014-3566', 'SSL 3.0 accepted (POODLE)', 'AV:N/AC:H/PR:N/UI:R/S:C/C:L/I:N/A:N', 3.4, ADVERSARY_IN_THE_MIDDLE, 'Turn off SSL 3.0'],
];

export const VULNERABILITIES: Vulnerability[] = ROWS.flatMap(([hits, rows]) =>
  rows.map((row) => vulnerability(hits, row)),
);

export const TLS_VULNERABILITIES: Vulnerability[] = TLS_ROWS.map((row) => vulnerability(['tls'], row));

function vulnerability(
  hits: Software[],
  [cve, name, vector, baseScore, technique, remediation]: Row,
): Vulnerability {
  return { cve, name, vector: `CVSS:3.1/${vector}`, baseScore, hits, technique, remediation };
}
