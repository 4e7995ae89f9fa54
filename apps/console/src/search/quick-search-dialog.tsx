import { t } from '@lingui/core/macro';
import { Combobox, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useGo } from '../app/links.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { sentenceOf } from '../parts/states.tsx';
import classes from './quick-search.module.css';
import { type ResultGroup, useSearchResults } from './use-search-results.ts';

const PAUSE_MS = 200;
const CHARACTERS_MAX = 200;

/** Finds assets, findings, CVEs, techniques and pages. Arrow keys choose a result, Enter opens it. */
export default function QuickSearchDialog({ onClose }: { onClose: () => void }) {
  const go = useGo();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { groups, isSearching, isStale, failure } = useSearchResults(text);
  const isOfEarlierText = isStale || typed.trim() !== text;
  // Enter waits for the results of the text.
  const [isWaiting, setWaiting] = useState(false);
  const combobox = useCombobox({ opened: true });
  const first = groups[0]?.results[0]?.to;

  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter opens the first result until another is chosen
  useEffect(() => void combobox.selectFirstOption(), [first]);

  const openResult = (to: string) => {
    onClose();
    go(to);
  };
  const open = useRef(openResult);
  open.current = openResult;
  useEffect(() => {
    if (!isWaiting || isOfEarlierText) return;
    setWaiting(false);
    if (first !== undefined) open.current(first);
  }, [isWaiting, isOfEarlierText, first]);

  return (
    <Dialog title={t`Search everything`} onClose={onClose} size="lg" yOffset="10dvh">
      <Combobox store={combobox} onOptionSubmit={openResult}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            data-autofocus
            role="combobox"
            aria-label={t`Search everything`}
            placeholder={t`Asset, finding, CVE, technique or page`}
            maxLength={CHARACTERS_MAX}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={isSearching ? <Loader size="xs" aria-label={t`Searching`} /> : null}
            value={typed}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setWaiting(false);
            }}
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || !isOfEarlierText) return;
              // The list would open the result that it shows.
              event.stopPropagation();
              event.preventDefault();
              setWaiting(true);
            }}
            // The list would keep the key for itself.
            onKeyDown={({ key }) => key === 'Escape' && onClose()}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.results} aria-label={t`Results`}>
          {groups.map((group) => (
            <Results key={group.title} of={group} />
          ))}
        </Combobox.Options>
      </Combobox>
      <Text size="sm" c={failure ? 'red' : 'dimmed'} role="status" mt="xs">
        {failure
          ? sentenceOf(failure)
          : text !== '' && !isSearching && groups.length === 0 && t`Nothing found`}
      </Text>
    </Dialog>
  );
}

const Results = ({ of: { title, results } }: { of: ResultGroup }) => (
  <Combobox.Group label={title}>
    {results.map(({ to, label, detail }) => (
      <Combobox.Option key={to} value={to} className={classes.result}>
        <span dir="auto">{label}</span>
        {detail !== undefined && (
          <small dir="auto" className={classes.detail}>
            {detail}
          </small>
        )}
      </Combobox.Option>
    ))}
  </Combobox.Group>
);
