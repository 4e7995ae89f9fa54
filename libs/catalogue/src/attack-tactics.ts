import type { AttackDomain } from './attack-techniques.ts';

/** A column of a matrix of ATT&CK. */
export interface AttackTactic {
  id: string;
  /** As techniques name it. */
  shortName: string;
  name: string;
}

const tactic = (id: string, name: string): AttackTactic => ({
  id,
  shortName: name.toLowerCase().replaceAll(' ', '-'),
  name,
});

/** The tactics of each matrix, in MITRE's order. */
export const ATTACK_TACTICS: Readonly<Record<AttackDomain, readonly AttackTactic[]>> = {
  enterprise: [
    tactic('TA0043', 'Reconnaissance'),
    tactic('TA0042', 'Resource Development'),
    tactic('TA0001', 'Initial Access'),
    tactic('TA0002', 'Execution'),
    tactic('TA0003', 'Persistence'),
    tactic('TA0004', 'Privilege Escalation'),
    tactic('TA0005', 'Defense Evasion'),
    tactic('TA0006', 'Credential Access'),
    tactic('TA0007', 'Discovery'),
    tactic('TA0008', 'Lateral Movement'),
    tactic('TA0009', 'Collection'),
    tactic('TA0011', 'Command and Control'),
    tactic('TA0010', 'Exfiltration'),
    tactic('TA0040', 'Impact'),
  ],
  mobile: [
    tactic('TA0027', 'Initial Access'),
    tactic('TA0041', 'Execution'),
    tactic('TA0028', 'Persistence'),
    tactic('TA0029', 'Privilege Escalation'),
    tactic('TA0030', 'Defense Evasion'),
    tactic('TA0031', 'Credential Access'),
    tactic('TA0032', 'Discovery'),
    tactic('TA0033', 'Lateral Movement'),
    tactic('TA0035', 'Collection'),
    tactic('TA0037', 'Command and Control'),
    tactic('TA0036', 'Exfiltration'),
    tactic('TA0034', 'Impact'),
    tactic('TA0038', 'Network Effects'),
    tactic('TA0039', 'Remote Service Effects'),
  ],
  ics: [
    tactic('TA0108', 'Initial Access'),
    tactic('TA0104', 'Execution'),
    tactic('TA0110', 'Persistence'),
    tactic('TA0111', 'Privilege Escalation'),
    tactic('TA0103', 'Evasion'),
    tactic('TA0102', 'Discovery'),
    tactic('TA0109', 'Lateral Movement'),
    tactic('TA0100', 'Collection'),
    tactic('TA0101', 'Command and Control'),
    tactic('TA0107', 'Inhibit Response Function'),
    tactic('TA0106', 'Impair Process Control'),
    tactic('TA0105', 'Impact'),
  ],
};
