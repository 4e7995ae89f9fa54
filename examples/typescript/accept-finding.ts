// Accepts the risk of a finding. The rationale is for the audit trail; who accepted it, the credentials say.
import { ApiError } from '@risk-posture/client';
import { args, posture } from './connect.js';

const [id, rationale] = args('FINDING_ID RATIONALE') as [string, string];
const path = { id };
const { version } = await posture.get('/api/v3/findings/{id}', { params: { path } });
try {
  // The version that was read: should the finding have changed meanwhile, the service refuses with a 409.
  const body = { rationale, version };
  const accepted = await posture.post('/api/v3/findings/{id}/accept', { params: { path }, body });
  // Where the fold is away the act is in the log, and the answer has its position instead.
  console.log('state' in accepted ? accepted.state : accepted.message);
} catch (error) {
  if (!(error instanceof ApiError && error.status === 409)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
