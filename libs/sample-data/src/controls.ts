import type { Software } from './software.ts';

/** A configuration check in the manner of a hardening benchmark. */
export interface Control {
  name: string;
  /** Applies to machines with any of these. */
  on: Software[];
  /** Severity of a failure, 0 to 10. */
  value: number;
  technique: string | null;
  expected: string;
  remediation: string;
}

type Row = [name: string, value: number, technique: string | null, expected: string, remediation: string];

// biome-ignore format: one row a line
const ROWS: [on: Software[], rows: Row[]][] = [
  [
    ['windows', 'windows-server-2008-r2'],
    [
      ["Ensure 'Minimum password length' is set to '14 or more'", 6.2, 'T1110', '14 or more', 'Set the minimum password length by group policy'],
      ["Ensure 'Account lockout threshold' is set to '5 or fewer, but not 0'", 6.0, 'T1110', '1 to 5', 'Set the lockout threshold by group policy'],
      ["Ensure 'Windows Firewall: Domain: Firewall state' is set to 'On'", 7.2, 'T1562.004', 'On', 'Turn the firewall on for the domain profile'],
      ['Ensure SMBv1 is disabled', 8.1, 'T1210', 'Disabled', 'Remove the SMB 1.0 feature'],
      ['Ensure SMB signing is required', 6.8, 'T1557.001', 'Required', 'Require signing for client and server'],
      ['Ensure LLMNR is disabled', 6.5, 'T1557.001', 'Disabled', 'Turn off multicast name resolution by group policy'],
      ['Ensure LSASS runs as a protected process', 7.4, 'T1003.001', 'Enabled', 'Set RunAsPPL'],
      ["Ensure 'Audit Logon' records success and failure", 4.3, 'T1562.002', 'Success and Failure', 'Set the advanced audit policy'],
      ['Ensure PowerShell script block logging is on', 4.8, 'T1059.001', 'Enabled', 'Turn on script block logging by group policy'],
      ['Ensure the guest account is disabled', 5.4, 'T1078.001', 'Disabled', 'Disable the guest account'],
      ['Ensure local administrator passwords are managed', 7.0, 'T1078.003', 'Enabled', 'Deploy Windows LAPS'],
    ],
  ],
  [
    ['windows-client'],
    [
      ['Ensure BitLocker protects the system drive', 6.8, null, 'Protected', 'Turn BitLocker on with a TPM protector'],
      ['Ensure Office macros from the internet are blocked', 7.5, 'T1204.002', 'Blocked', 'Block macros from the internet by policy'],
      ['Ensure removable storage does not run programs by itself', 5.6, 'T1091', 'Disabled', 'Turn AutoPlay off for all drives'],
    ],
  ],
  [
    ['windows-server', 'windows-server-2008-r2'],
    [
      ['Ensure Remote Desktop requires Network Level Authentication', 7.3, 'T1021.001', 'Required', 'Require Network Level Authentication'],
      ['Ensure the Print Spooler is disabled where nothing prints', 6.6, 'T1547.012', 'Disabled', 'Stop and disable the service'],
    ],
  ],
  [
    ['active-directory'],
    [
      ['Ensure LDAP signing is required on domain controllers', 7.6, 'T1557', 'Required', 'Set the LDAP server signing requirement'],
      ['Ensure the KRBTGT password is younger than 180 days', 7.8, 'T1558.001', '180 days or fewer', 'Reset the KRBTGT password twice'],
      ['Ensure no account is open to AS-REP roasting', 7.0, 'T1558.004', 'None', 'Require Kerberos pre-authentication'],
    ],
  ],
  [
    ['linux', 'centos-6'],
    [
      ['Ensure permissions on /etc/shadow are configured', 6.4, 'T1003.008', '0640 or stricter', 'chmod 0640 /etc/shadow'],
      ['Ensure address space layout randomization is enabled', 5.9, 'T1068', '2', 'Set kernel.randomize_va_space = 2'],
      ['Ensure auditd is installed and running', 4.6, 'T1562.001', 'Active', 'Install and enable auditd'],
      ['Ensure sudo writes a log', 3.9, 'T1548.003', 'Configured', 'Set the logfile in sudoers'],
      ['Ensure automatic security updates are on', 6.1, null, 'Enabled', 'Turn unattended updates on'],
      ['Ensure core dumps are restricted', 3.7, null, 'Restricted', 'Set hard core 0 and fs.suid_dumpable = 0'],
      ['Ensure a host firewall is active', 6.7, 'T1562.004', 'Active', 'Enable nftables or ufw with a default deny'],
      ['Ensure time is synchronized', 3.1, null, 'Active', 'Enable chrony'],
    ],
  ],
  [
    ['openssh'],
    [
      ['Ensure SSH root login is disabled', 7.1, 'T1021.004', 'no', 'Set PermitRootLogin no'],
      ['Ensure SSH password authentication is disabled', 6.3, 'T1110', 'no', 'Set PasswordAuthentication no'],
      ['Ensure SSH idle sessions end', 3.4, 'T1563.001', 'Configured', 'Set ClientAliveInterval and ClientAliveCountMax'],
    ],
  ],
  [
    ['macos'],
    [
      ['Ensure FileVault is enabled', 6.8, null, 'Enabled', 'Turn FileVault on by a profile'],
      ['Ensure Gatekeeper is enabled', 6.6, 'T1553.001', 'Enabled', 'Turn Gatekeeper on by a profile'],
      ['Ensure the macOS firewall is enabled', 5.8, 'T1562.004', 'Enabled', 'Turn the firewall on by a profile'],
      ['Ensure system updates are installed automatically', 6.1, null, 'Enabled', 'Turn automatic updates on'],
      ['Ensure remote login is disabled', 5.2, 'T1021.004', 'Off', 'Turn remote login off'],
      ['Ensure the screen locks within 5 minutes', 3.6, null, '300 seconds or fewer', 'Set the lock delay by a profile'],
    ],
  ],
  [
    ['nginx', 'apache', 'tomcat'],
    [
      ['Ensure TLS 1.0 and 1.1 are disabled', 6.4, 'T1557', 'Disabled', 'Allow TLS 1.2 and 1.3 only'],
      ['Ensure server version is not disclosed', 3.3, 'T1592.002', 'Hidden', 'Turn version tokens off'],
      ['Ensure directory listing is disabled', 5.0, 'T1083', 'Disabled', 'Turn listing off'],
    ],
  ],
  [
    ['postgresql', 'mysql', 'sql-server'],
    [
      ['Ensure database connections are encrypted', 6.9, 'T1040', 'Required', 'Require TLS'],
      ['Ensure database logins are logged', 4.7, 'T1562.002', 'Enabled', 'Turn connection logging on'],
      ['Ensure no database account has an empty password', 8.6, 'T1078.001', 'None', 'Set passwords or remove the accounts'],
    ],
  ],
  [
    ['containers'],
    [
      ['Ensure privileged containers are not admitted', 7.9, 'T1611', 'Refused', 'Enforce the restricted pod security standard'],
      ['Ensure anonymous kubelet requests are refused', 8.2, 'T1609', 'false', 'Set anonymous-auth to false'],
    ],
  ],
  [
    ['ios-xe', 'nx-os', 'asa', 'fortios', 'pan-os'],
    [
      ['Ensure SNMP v1 and v2c are disabled', 6.5, 'T1602.001', 'Disabled', 'Use SNMPv3 with authentication and privacy'],
      ['Ensure Telnet is disabled', 7.4, 'T1040', 'Disabled', 'Allow SSH only on management lines'],
      ['Ensure logs go to a remote collector', 4.4, 'T1562.008', 'Configured', 'Configure a syslog host'],
      ['Ensure administrators sign in by a central directory', 5.7, 'T1078.003', 'Configured', 'Use TACACS+ or RADIUS'],
      ['Ensure the running image is signed', 6.0, 'T1601.001', 'Verified', 'Turn image verification on'],
    ],
  ],
  [
    ['esxi', 'vcenter'],
    [
      ['Ensure lockdown mode is enabled', 6.6, 'T1078.003', 'Normal or strict', 'Turn lockdown mode on'],
      ['Ensure the ESXi shell is disabled', 5.9, 'T1059.012', 'Stopped', 'Stop the service and its automatic start'],
      ['Ensure the hypervisor logs to a remote collector', 4.4, 'T1562.008', 'Configured', 'Set Syslog.global.logHost'],
    ],
  ],
];

export const CONTROLS: Control[] = ROWS.flatMap(([on, rows]) =>
  rows.map(([name, value, technique, expected, remediation]) => ({
    name,
    on,
    value,
    technique,
    expected,
    remediation,
  })),
);

/** Checks of a user's account, of the type uba. */
export interface AccountControl {
  name: string;
  subType: string;
  value: number;
  technique: string;
  /** Only for administrators. */
  privilegedOnly: boolean;
  /** Example of a failure. */
  failing: string;
  remediation: string;
}

export const ACCOUNT_CONTROLS: AccountControl[] = [
  {
    name: 'User signs in without a second factor',
    subType: 'User-authentication',
    value: 7.5,
    technique: 'T1078',
    privilegedOnly: false,
    failing: 'No second factor is registered',
    remediation: 'Register a phishing-resistant second factor',
  },
  {
    name: 'User credentials found in a public breach',
    subType: 'User-exposure',
    value: 8.0,
    technique: 'T1589.001',
    privilegedOnly: false,
    failing: 'The address and a password hash appear in a published collection',
    remediation: 'Reset the password and end all sessions',
  },
  {
    name: 'User personally identifiable information in the dark web',
    subType: 'User-exposure',
    value: 5.5,
    technique: 'T1589.003',
    privilegedOnly: false,
    failing: 'Name and phone number appear in one listing',
    remediation: 'Warn the user of targeted phishing',
  },
  {
    name: 'User followed a link of the phishing simulation',
    subType: 'User-awareness',
    value: 5.0,
    technique: 'T1566.002',
    privilegedOnly: false,
    failing: 'Followed the link of the last campaign',
    remediation: 'Repeat the awareness training',
  },
  {
    name: 'User signed in from places too far apart',
    subType: 'User-behaviour',
    value: 7.0,
    technique: 'T1078.004',
    privilegedOnly: false,
    failing: 'Sign-ins 6,000 km apart within one hour',
    remediation: 'Verify with the user and end all sessions',
  },
  {
    name: 'User downloaded an unusual amount of files',
    subType: 'User-behaviour',
    value: 6.0,
    technique: 'T1530',
    privilegedOnly: false,
    failing: '4 GB within one hour, 30 times the usual amount',
    remediation: "Verify with the user's manager",
  },
  {
    name: 'User password does not expire and is older than a year',
    subType: 'User-authentication',
    value: 4.5,
    technique: 'T1110',
    privilegedOnly: false,
    failing: 'Password last changed 512 days ago',
    remediation: 'Change the password',
  },
  {
    name: 'Administrator account is used for daily work',
    subType: 'User-privilege',
    value: 7.8,
    technique: 'T1078.002',
    privilegedOnly: true,
    failing: 'Mail and browsing with an administrative account',
    remediation: 'Use a separate account for administration',
  },
  {
    name: 'Administrator holds rights that were never used',
    subType: 'User-privilege',
    value: 5.8,
    technique: 'T1098',
    privilegedOnly: true,
    failing: '14 of 22 roles unused for 90 days',
    remediation: 'Remove the unused roles',
  },
];
