import { createStore, useStore } from '../store';
import { Icon } from './icon';

type Notice = { id: number; text: string; isError?: boolean; action?: { label: string; run: () => void } };

const notices = createStore<readonly Notice[]>([]);
let last = 0;

/** Shows a sentence on any page until it is dismissed, or until the next one of its kind. */
export function notify(notice: Omit<Notice, 'id'>) {
  notices.set([
    ...notices
      .get()
      .filter(({ isError }) => isError !== notice.isError)
      .slice(-1),
    { ...notice, id: ++last },
  ]);
}

const dismiss = (id: number) => notices.set(notices.get().filter((notice) => notice.id !== id));

export function Notices() {
  const all = useStore(notices);
  return (
    <div className="notices" role="status">
      {all.map(({ id, text, isError, action }) => (
        <div key={id} className={isError ? 'notice error' : 'notice'}>
          <Icon name={isError ? 'alert' : 'check'} />
          <span>{text}</span>
          {action && (
            <button
              className="button small"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button className="icon-button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
