import type { RawSecurityContext, Signal } from '#libs/domain';
import { ellipsized } from './clip.ts';

/** A signal with its descriptive texts cut to a length; identifying and scoring fields stay whole. */
export function shortened(signal: Signal, charsMax: number): Signal {
  const context = (raw: RawSecurityContext) => shortContext(raw, charsMax);
  return {
    ...signal,
    ...cut('description', signal.description, charsMax),
    ...(signal.securityContext && { securityContext: context(signal.securityContext) }),
    ...(signal.securityContexts && { securityContexts: signal.securityContexts.map(context) }),
  };
}

function shortContext(context: RawSecurityContext, charsMax: number): RawSecurityContext {
  const { evidence, remediation, description } = context;
  return {
    ...context,
    ...(evidence && { evidence: cut('observationText', evidence.observationText, charsMax) }),
    ...(remediation && {
      remediation: {
        ...cut('description', remediation.description, charsMax),
        ...cut('reference', remediation.reference, charsMax),
      },
    }),
    ...(description && { description: cut('businessImpact', description.businessImpact, charsMax) }),
  };
}

/** Without the text at 0 characters. */
function cut<Name extends string>(
  name: Name,
  text: string | undefined,
  charsMax: number,
): { [N in Name]?: string } {
  if (text === undefined) return {};
  const short = text.length <= charsMax ? text : charsMax === 0 ? undefined : ellipsized(text, charsMax);
  return { [name]: short } as { [N in Name]?: string };
}
