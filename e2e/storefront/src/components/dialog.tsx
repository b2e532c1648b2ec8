import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

type Props = { title: string; onClose?: () => void; children: ReactNode };

/**
 * A modal dialog. The browser keeps the focus within, makes the rest inert, and gives the focus back at the end.
 * Without onClose it stays until one has decided.
 */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault(); // React removes it
        onClose?.();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}
