// The list of what can be run: the tabs of GraphiQL in groups.
import { useEffect, useRef } from 'react';
import { pick, useGraphiQL, useGraphiQLActions } from '@graphiql/react';

const groups = { query: 'Queries', mutation: 'Mutations', subscription: 'Subscriptions' };

/** The group of a document: that of its first operation, whose kind may be left out. */
const groupOf = (document) => document?.match(/^\s*(query|mutation|subscription)\b/m)?.[1] ?? 'query';

/** `edit` is called when an operation is chosen. */
export function Operations({ edit }) {
  const { tabs, activeTabIndex } = useGraphiQL(pick('tabs', 'activeTabIndex'));
  const { addTab } = useGraphiQLActions();
  const grouped = Object.groupBy(
    tabs.map((tab, index) => ({ ...tab, index })),
    ({ query }) => groupOf(query),
  );
  return (
    <nav className="operations" aria-label="Operations">
      {Object.entries(groups)
        .filter(([kind]) => grouped[kind])
        .map(([kind, title]) => (
          <section key={kind} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {grouped[kind].map((tab) => (
                <Operation key={tab.id} {...tab} active={tab.index === activeTabIndex} alone={tabs.length === 1} edit={edit} />
              ))}
            </ul>
          </section>
        ))}
      <button type="button" className="operation-add" onClick={() => edit(addTab())}>
        New operation
      </button>
    </nav>
  );
}

function Operation({ index, title, active, alone, edit }) {
  const { changeTab, closeTab } = useGraphiQLActions();
  const item = useRef(null);
  useEffect(() => {
    if (active) item.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const open = () => {
    if (!active) changeTab(index);
    edit();
  };
  return (
    <li className="operation" ref={item}>
      <button type="button" className="operation-name" aria-current={active || undefined} title={title} onClick={open}>
        {title}
      </button>
      {!alone && (
        <button type="button" className="operation-close" aria-label={`Close ${title}`} onClick={() => closeTab(index)}>
          ×
        </button>
      )}
    </li>
  );
}
