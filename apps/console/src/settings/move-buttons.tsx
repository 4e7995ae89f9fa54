import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useEffect } from 'react';
import { RowAct } from './row-act.tsx';

export interface Move {
  id: number;
  step: -1 | 1;
}

const buttonId = ({ id, step }: Move): string => `move-${id}-${step === 1 ? 'down' : 'up'}`;

/** Buttons that move a row of an ordered list by one place. */
export function MoveButtons({
  id,
  labels,
  isFirst,
  isLast,
  onMove,
}: {
  id: number;
  labels: { up: string; down: string };
  isFirst: boolean;
  isLast: boolean;
  onMove: (id: number, step: -1 | 1) => void;
}) {
  return (
    <>
      <RowAct
        label={labels.up}
        id={buttonId({ id, step: -1 })}
        disabled={isFirst}
        onClick={() => onMove(id, -1)}
      >
        <IconArrowUp size={16} aria-hidden />
      </RowAct>
      <RowAct
        label={labels.down}
        id={buttonId({ id, step: 1 })}
        disabled={isLast}
        onClick={() => onMove(id, 1)}
      >
        <IconArrowDown size={16} aria-hidden />
      </RowAct>
    </>
  );
}

/** Keeps the focus on the button that moved a row, or moves it to the opposite button at the end of the list. */
export function useFocusOnMove(move: Move | null): void {
  useEffect(() => {
    if (!move) return;
    const button = (step: -1 | 1) => document.getElementById(buttonId({ ...move, step }));
    const pressed = button(move.step);
    const isAtEnd = pressed instanceof HTMLButtonElement && pressed.disabled;
    (isAtEnd ? button(move.step === 1 ? -1 : 1) : pressed)?.focus();
  }, [move]);
}
