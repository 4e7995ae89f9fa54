import { applyDecorators, Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { type Observable, throwError } from 'rxjs';

/** Handlers of other transports are not bound to a `BatchServer`, nor these to another server. */
export const BATCH_TRANSPORT = Symbol('event log');

export type BatchPatternKind = 'assigned' | 'batch' | 'revoked';

export const batchPattern = (kind: BatchPatternKind, topic: string): string => `${kind} ${topic}`;

/** Nest would answer an error as `{status: 'error'}`; the log must see it as it is, to stop the partition. */
@Catch()
class RethrowFilter implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

const handles = (kind: BatchPatternKind, topic: string): MethodDecorator =>
  applyDecorators(MessagePattern(batchPattern(kind, topic), BATCH_TRANSPORT), UseFilters(RethrowFilter));

/**
 * The method takes batches of a topic: `StoredRecord[]` of one partition, never empty, as its payload; it answers the
 * offset to read next. A throw stops the partition (`BatchHandler.batch`).
 */
export const OnBatch = (topic: string): MethodDecorator => handles('batch', topic);

/** The method is called with an assigned partition (a number, its payload), and returns the offset to start from. */
export const OnAssigned = (topic: string): MethodDecorator => handles('assigned', topic);

/** The method is called with a partition (a number, its payload) that was revoked. */
export const OnRevoked = (topic: string): MethodDecorator => handles('revoked', topic);
