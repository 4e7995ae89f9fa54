/** The reader of the output closed the pipe: `posture as-of … | head`. */
export const isReaderGone = (error: unknown): boolean =>
  ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'].includes(
    (error as NodeJS.ErrnoException).code ?? '',
  );
