/** Who acts in the past of the demo. Names of users need no account of the service. */
export const ADMIN = 'admin';
export const ANALYSTS = ['ines.costa', 'lars.keller'] as const;
/** The user of the scanners that upload. */
export const SCANNER = 'demo';
export const TEAMS = {
  infrastructure: 'Infrastructure',
  platform: 'Platform',
  workplace: 'Workplace',
} as const;
