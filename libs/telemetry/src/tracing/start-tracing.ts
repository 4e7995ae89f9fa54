import pTimeout from 'p-timeout';
import { useTracing } from './tracing.ts';

/** How long a program that ends waits for its last spans to leave. */
const FLUSH_MS_MAX = 5_000;

/**
 * Sends spans by OTLP/HTTP (JSON) if the environment names a receiver, and loads nothing otherwise. Sampling,
 * headers, limits and the name of the service follow the environment variables of the OpenTelemetry specification.
 * @param name of the program, unless OTEL_SERVICE_NAME sets another
 * @returns sends the remaining spans, and ends
 *   tracing; undefined without tracing
 */
export async function startTracing(
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<(() => Promise<void>) | undefined> {
  const isNamed = env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (!isNamed || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') {
    return undefined;
  }
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const provider = new sdk.NodeTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': `posture-${name}` }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  useTracing({ api, tracer: provider.getTracer('posture') });
  return async () => {
    useTracing();
    // A receiver that is unavailable keeps no program from its end.
    await pTimeout(provider.shutdown(), { milliseconds: FLUSH_MS_MAX }).catch(() => undefined);
  };
}
