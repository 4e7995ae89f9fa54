import { isoTime } from '#libs/domain';
import type { ExportFormat } from './export-format.ts';

/**
 * Headers of a file to be saved as `<list>-<time>.<extension>`.
 * @param now epoch milliseconds
 */
export const exportHeaders = (
  list: string,
  { mediaType, extension }: ExportFormat<never>,
  now: number,
): Record<string, string> => ({
  'content-type': mediaType,
  'content-disposition': `attachment; filename="${list}-${isoTime(now).replace(/[:.]/g, '-')}.${extension}"`,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
});
