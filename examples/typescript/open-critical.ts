// Lists the open critical findings. The client requests the pages of the list as needed.
import { posture } from './connect.js';

const query = { state: ['Failed' as const], severityMin: 9, limit: 100 };
for await (const finding of posture.items('/api/v3/findings', { params: { query } })) {
  console.log(`${finding.id}  ${finding.severity.value.toFixed(1)}  ${finding.assetName}  ${finding.name}`);
}
