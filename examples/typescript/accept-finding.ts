// Accepts the risk of a finding. The audit trail stores the rationale; the approver is the user of the credentials.
import { ApiError } from '@risk-posture/client';
import { args, posture } from './connect.js';

const [id, rationale] = args('FINDING_ID RATIONALE') as [string, string];
const path = { id };
const { version } = await posture.get('/api/v3/findings/{id}', { params: { path } });
try {
  // The version that was read: if the finding has changed since then, the service rejects the request with a 409.
  const body = { rationale, version };
  const accepted = await posture.post('/api/v3/findings/{id}/accept', { params: { path }, body });
  // If no projector runs, the action is stored in the log, and the answer contains its position instead.
  console.log('state' in accepted ? accepted.state : accepted.message);
} catch (error) {
  if (!(error instanceof ApiError && error.status === 409)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
