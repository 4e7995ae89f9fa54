import { useSyncExternalStore } from 'react';
import type { Api } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { randomKey } from '../parts/random-key.ts';
import { onSessionChange, session } from '../session/session.ts';
import { type Draft, draftOf, type ReportOptions, type Step } from './draft.ts';
import { readSelectedFile } from './selected-file.ts';
import { send } from './send.ts';
import { summaryOf } from './signal-summary.ts';

/** Module state, so that selected files are kept when the user opens another page. */
let drafts: readonly Draft[] = [];
let owner: string | undefined;
const listeners = new Set<() => void>();
const cancels = new Map<string, AbortController>();
/** Queue of requests: each upload waits for the response to the previous one (R-CLI-4). */
let queue: Promise<void> = Promise.resolve();

export const useDrafts = (): readonly Draft[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => drafts,
  );

/** Adds files and previews them in order. */
export function addFiles(files: readonly File[]): void {
  const given = files.map(draftOf);
  owner = session.current?.username;
  set([...drafts, ...given]);
  for (const { id } of given) preview(id);
}

/** Requests a preview; nothing is stored. */
export function preview(id: string): void {
  change(id, { step: { at: 'waiting', for: 'preview' } });
  enqueue(id, inspect);
}

/** Previews without the malformed entries. This is a different upload, so it gets another idempotency key. */
export function skipMalformed(id: string): void {
  change(id, { skipsInvalid: true, idempotencyKey: randomKey() });
  preview(id);
}

/** Previews a full assessment of which no finding is mapped, which is a different upload too. */
export function allowEmpty(id: string): void {
  change(id, { allowsEmpty: true, idempotencyKey: randomKey() });
  preview(id);
}

export const editOptions = (id: string, edited: ReportOptions): void => change(id, { edited });

/** Previews a report with the edited options, a different upload too, in which nothing is confirmed yet. */
export function previewEdited({ id, edited }: Draft): void {
  change(id, { options: edited, allowsEmpty: false, idempotencyKey: randomKey() });
  preview(id);
}

export function upload(id: string): void {
  change(id, { step: { at: 'waiting', for: 'upload' } });
  enqueue(id, sendWhole);
}

/** Cancels the upload. The preview is kept, so that the file can be uploaded later. */
export function cancel(id: string): void {
  const step = drafts.find((draft) => draft.id === id)?.step.at;
  cancels.get(id)?.abort();
  if (step === 'waiting') change(id, { step: { at: 'ready' } });
}

export function remove(id: string): void {
  cancels.get(id)?.abort();
  set(drafts.filter((draft) => draft.id !== id));
}

function enqueue(id: string, work: (draft: Draft, signal: AbortSignal) => Promise<Step>): void {
  const { signal } = renewedCancel(id);
  queue = queue.then(async () => {
    const draft = drafts.find((known) => known.id === id);
    if (!draft || signal.aborted) return;
    const step = await work(draft, signal);
    change(id, { step });
  });
}

function renewedCancel(id: string): AbortController {
  const controller = new AbortController();
  cancels.set(id, controller);
  return controller;
}

async function inspect(draft: Draft, signal: AbortSignal): Promise<Step> {
  const read = draft.read ?? (await readSelectedFile(draft.file));
  if ('rejected' in read) return { at: 'rejected', why: read.rejected };
  change(draft.id, { read });
  if (read.kind === 'json') {
    change(draft.id, { preview: { of: 'json', signal: summaryOf(await read.bytes.text()) } });
    return { at: 'ready' };
  }
  return dryRun({ ...draft, read }, signal);
}

async function dryRun(draft: Draft, signal: AbortSignal): Promise<Step> {
  const onProgress = (share: number) => change(draft.id, { step: { at: 'previewing', share } });
  onProgress(0);
  const request = { ...requestOf(draft, { dryRun: 'true' }), onProgress, signal };
  const sent = await send<Api['ZipPreviewDto'] | Api['ReportPreviewDto']>(request);
  if (sent.as === 'cancelled') return { at: 'ready' };
  if (sent.as !== 'answered') return failedStep(sent, 'preview');
  const at = new Date().toISOString();
  const { answer } = sent;
  const of =
    'mapped' in answer
      ? ({ of: 'report', at, result: answer } as const)
      : ({ of: 'zip', at, result: answer } as const);
  change(draft.id, { preview: of });
  return { at: 'ready' };
}

async function sendWhole(draft: Draft, signal: AbortSignal): Promise<Step> {
  const onProgress = (share: number) => change(draft.id, { step: { at: 'sending', share } });
  onProgress(0);
  const headers = { 'idempotency-key': draft.idempotencyKey };
  const request = { ...requestOf(draft), headers, onProgress, signal };
  const sent = await send<Api['SignalAnswerDto'] & { rejected?: number }>(request);
  void queryClient.invalidateQueries({ queryKey: ['get', '/api/v3/uploads'] });
  if (sent.as === 'cancelled') return { at: 'ready', wasCancelled: true };
  if (sent.as !== 'answered') return failedStep(sent, 'upload');
  const { uploadId, rejected = 0 } = sent.answer;
  return { at: 'accepted', uploadId, rejected };
}

function requestOf({ read, skipsInvalid, allowsEmpty, options }: Draft, query: Record<string, string> = {}) {
  if (read!.kind === 'json') return { path: '/api/v3/signals', body: read!.bytes };
  if (read!.kind === 'report') {
    const { format, asset, replace } = options;
    const asked = new URLSearchParams({
      ...query,
      ...(format !== '' && { format }),
      ...(asset.trim() !== '' && { asset }),
      ...(replace.length > 0 && { replace: replace.join() }),
      ...(allowsEmpty && { allowEmpty: 'true' }),
    });
    return { path: `/api/v3/reports?${asked}`, body: read!.bytes };
  }
  const body = new FormData();
  body.append('file', read!.bytes, 'signals.zip');
  const asked = new URLSearchParams({ ...query, ...(skipsInvalid && { invalid: 'skip' }) });
  return { path: `/api/v3/signals/zip?${asked}`, body };
}

function failedStep(sent: Extract<Step, { at: 'failed' }>['failed'], during: 'preview' | 'upload'): Step {
  if (sent.as === 'rejected' && sent.rejection.statusCode === 400) {
    // The message names the parameter that permits such a report (R-REP-4).
    if (sent.rejection.message.includes('allowEmpty=true')) return { at: 'nothingMapped' };
    return { at: 'malformed', rejection: sent.rejection };
  }
  return { at: 'failed', during, failed: sent, failedAt: Date.now() };
}

function change(id: string, changes: Partial<Draft>): void {
  set(drafts.map((draft) => (draft.id === id ? { ...draft, ...changes } : draft)));
}

function set(next: readonly Draft[]): void {
  drafts = next;
  for (const listener of listeners) listener();
}

// After the session expires, the user keeps the files. Other users must not see them.
onSessionChange(() => {
  if (session.current?.username === owner) return;
  for (const { id } of drafts) cancels.get(id)?.abort();
  set([]);
});
