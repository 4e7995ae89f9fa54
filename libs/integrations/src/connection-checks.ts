import type { CheckName, ConnectionCheck } from './connector.ts';
import { VendorError, type VendorFailure } from './requests/vendor-error.ts';

/** A request of Test Connection that needs one permission. */
interface ConnectionProbe {
  name: CheckName;
  /**
   * Sends it; returns the message of success.
   * @throws VendorError
   */
  send(): Promise<string>;
  /** Begins the message if the permission is missing: what to do. */
  whenDenied?: string;
}

export interface ConnectionSteps {
  /** Message of accepted credentials. */
  accepted: string;
  /**
   * For a platform with a request that signs in. Without it, the first probe shows whether the credentials are accepted.
   * @throws VendorError
   */
  signIn?: () => Promise<unknown>;
  /** At least one. If a permission is missing, the other probes are still sent. */
  probes: readonly ConnectionProbe[];
}

const NOT_MADE = 'not checked because the previous check failed';

/** A rejected or delayed sign-in is a response of the platform. */
const SIGN_IN_REFUSED: readonly VendorFailure[] = ['credentials', 'limit'];
/** So is a rejected probe, whose credentials were accepted. */
const PROBE_REFUSED: readonly VendorFailure[] = ['scope', 'limit', 'request'];

/** Test Connection: address, credentials, then each permission by a request that needs it. */
export async function connectionChecks(steps: ConnectionSteps): Promise<ConnectionCheck[]> {
  const { accepted, signIn, probes } = steps;
  const refused = signIn && (await resultOf(signIn));
  if (refused instanceof VendorError) return unusable(refused, SIGN_IN_REFUSED, probes);
  const checks: ConnectionCheck[] = [];
  for (const probe of probes) {
    const result = await resultOf(() => probe.send());
    const isSignIn = signIn === undefined && checks.length === 0;
    if (isSignIn && result instanceof VendorError && !PROBE_REFUSED.includes(result.failure)) {
      return unusable(result, ['credentials'], probes);
    }
    checks.push(checkOf(probe, result));
  }
  return [REACHABLE, { name: 'credentials', ok: true, message: accepted }, ...checks];
}

const REACHABLE: ConnectionCheck = { name: 'address', ok: true, message: 'the address responds' };

const notMade = (name: CheckName): ConnectionCheck => ({ name, ok: false, message: NOT_MADE });

/** The address or the credentials cannot be used. @param responses failures that are responses of the platform */
function unusable(
  { failure, reason: message }: VendorError,
  responses: readonly VendorFailure[],
  probes: readonly ConnectionProbe[],
): ConnectionCheck[] {
  const signIn: ConnectionCheck[] = responses.includes(failure)
    ? [REACHABLE, { name: 'credentials', ok: false, message }]
    : [{ name: 'address', ok: false, message }, notMade('credentials')];
  return [...signIn, ...probes.map(({ name }) => notMade(name))];
}

function checkOf({ name, whenDenied }: ConnectionProbe, result: unknown): ConnectionCheck {
  if (!(result instanceof VendorError)) return { name, ok: true, message: String(result) };
  const hint = result.failure === 'scope' && whenDenied ? `${whenDenied}: ` : '';
  return { name, ok: false, message: hint + result.reason };
}

/** The result, or the vendor's failure; any other error is a defect. */
async function resultOf<T>(send: () => Promise<T>): Promise<T | VendorError> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof VendorError) return error;
    throw error;
  }
}
