import { HEAP_MB_MAX as REPORT_HEAP_MB_MAX } from '../../apps/gateway/src/reports/report-workers.ts';
import { HEAP_MB_MAX as ZIP_HEAP_MB_MAX } from '../../apps/gateway/src/signals/zip/zip-workers.ts';

/** Of a gateway with many parallel uploads (docs/operating.md, "Capacity"). */
const UPLOADING_MB = 700;

/** Needed by a gateway whose two workers of each kind use what they may: otherwise the kernel ends it before them. */
export const GATEWAY_MB_MIN = UPLOADING_MB + 2 * (ZIP_HEAP_MB_MAX + REPORT_HEAP_MB_MAX);
