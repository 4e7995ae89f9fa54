/** The decisions of CISA's tree, the least urgent first. */
export const SSVC_DECISIONS = ['Track', 'Track*', 'Attend', 'Act'] as const;
export type SsvcDecision = (typeof SSVC_DECISIONS)[number];
