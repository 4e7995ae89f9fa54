import type { Attributes, Context, Link, Span, Tracer } from '@opentelemetry/api';

type Api = typeof import('@opentelemetry/api');

/** What tracing runs on, once it was started; without it nothing of OpenTelemetry is loaded. */
export interface Tracing {
  api: Api;
  tracer: Tracer;
}

let tracing: Tracing | undefined;

/** @param started omitted: nothing is traced from now on */
export function useTracing(started?: Tracing): void {
  tracing = started;
}

export const isTracing = (): boolean => tracing !== undefined;

type SpanKindName = 'internal' | 'server' | 'producer' | 'consumer';

/** Kinds as the API numbers them, which is not loaded if they are named. */
const KINDS: Record<SpanKindName, number> = { internal: 0, server: 1, producer: 3, consumer: 4 };

export interface SpanOptions {
  kind?: SpanKindName;
  attributes?: Attributes;
  /** `traceparent` of the cause (W3C Trace Context), ignored if malformed; omitted: the current span. */
  parent?: string | undefined;
  /** `traceparent` of what else did. */
  links?: readonly string[];
  /** Begins a trace if there is neither: what came from outside. */
  isRoot?: boolean;
}

/** A span that begins and ends at different places. */
export interface OpenSpan {
  readonly traceId: string;
  /** Whatever `work` does, now or later, is within the span. */
  run<T>(work: () => T): T;
  set(attributes: Attributes): void;
  /** Further calls do nothing. @param error why the work failed, if it did */
  end(error?: unknown): void;
}

/** Begins a span; undefined if nothing is traced, or nothing that it could belong to is. */
export function openSpan(name: string, options: SpanOptions = {}): OpenSpan | undefined {
  if (!tracing) return undefined;
  const { api, tracer } = tracing;
  const { kind = 'internal', attributes = {}, links = [], isRoot = false } = options;
  const parent = options.parent === undefined ? api.context.active() : contextOf(tracing, options.parent);
  if (!isRoot && !api.trace.getSpanContext(parent)) return undefined;
  const span = tracer.startSpan(
    name,
    { kind: KINDS[kind], attributes, links: links.flatMap((link) => linkOf(tracing!, link)) },
    parent,
  );
  return opened(tracing, span, api.trace.setSpan(parent, span));
}

/** Runs `work` within a new span, or without one if nothing is traced. */
export async function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  const span = openSpan(name, options);
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** `traceparent` of the current span, for propagation; undefined if it is not recorded. */
export function currentTraceparent(): string | undefined {
  if (!tracing) return undefined;
  const { api } = tracing;
  const span = api.trace.getActiveSpan();
  if (!span?.isRecording()) return undefined;
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}

/** The fields of the current span in a log line, to find spans by lines and lines by spans. */
export function traceFields(): { traceId?: string; spanId?: string } {
  const context = tracing?.api.trace.getActiveSpan()?.spanContext();
  return context ? { traceId: context.traceId, spanId: context.spanId } : {};
}

function opened({ api }: Tracing, span: Span, context: Context): OpenSpan {
  return {
    traceId: span.spanContext().traceId,
    run: (work) => api.context.with(context, work),
    set: (attributes) => span.setAttributes(attributes),
    end: (error) => {
      if (error !== undefined) {
        // Only the name: the message of an error may contain data that a trace must not.
        span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.setAttribute('error.type', error instanceof Error ? error.name : String(error));
      }
      span.end();
    },
  };
}

/** Without a span if the text is no `traceparent`. */
const contextOf = ({ api }: Tracing, traceparent: string): Context =>
  api.propagation.extract(api.ROOT_CONTEXT, { traceparent });

function linkOf(tracing: Tracing, traceparent: string): Link[] {
  const linked = tracing.api.trace.getSpanContext(contextOf(tracing, traceparent));
  return linked ? [{ context: linked }] : [];
}
